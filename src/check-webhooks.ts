/** What webhooks read, and the mistakes in them that are reported before a message is sent. */
import type { WebhookConfig } from './config/webhooks.ts';
import { ApiError } from './errors/api-error.ts';
import type { EventType, NewEvent } from './events/document-event.ts';
import { hostProblem } from './events/webhooks/receiver-address.ts';
import { entryEvents, eventNameFor } from './events/webhooks/webhook.ts';
import { configuredWebhooks, type StoredWebhooks } from './events/webhooks/webhook-store.ts';
import type { LocalesSource } from './locales/locales.ts';
import { fileUid, userUid } from './model/built-in-types.ts';
import type { ContentModel, ContentType } from './model/content-model.ts';
import type { ReadCall } from './pipeline/call.ts';
import { type CompileParts, createCompileCall } from './pipeline/compile-call.ts';
import { shapeOf } from './pipeline/parse/query-shape.ts';
import type { Rights } from './rights/rights.ts';
import { counted } from './text/counted.ts';

export interface WebhookCheckParts extends CompileParts {
  readonly locales: LocalesSource;
  /** The rights that `as` names; undefined if there is no such role. */
  readonly rightsOf: (as: string) => Promise<Rights | undefined>;
}

/** What is wrong with each key of a webhook, in words. */
export interface WebhookMistakes {
  readonly as?: string | undefined;
  readonly query?: string | undefined;
  readonly url?: string | undefined;
}

export interface CheckedWebhooks {
  /** They prevent a start. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Only mistakes in the configuration prevent a start: stored webhooks may be those of another
 *  version. */
export async function checkWebhooks({ webhooks, unread }: StoredWebhooks, parts: WebhookCheckParts): Promise<CheckedWebhooks> {
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const webhook of [...configuredWebhooks(parts.config.webhooks), ...webhooks]) {
    const { as, query, url } = await mistakesIn(webhook, parts);
    const found = [query, url].filter((each) => each !== undefined);
    if (as !== undefined) (webhook.key.startsWith('config:') ? problems : found).push(as);
    warnings.push(...found);
  }
  if (unread.length > 0)
    warnings.push(`another version of Lectern has added the webhooks ${unread.join(', ')}, which this one cannot read.`);
  return { problems, warnings };
}

export async function mistakesIn(webhook: WebhookConfig, parts: WebhookCheckParts): Promise<WebhookMistakes> {
  const { name, as, url } = webhook;
  const place = `webhook ${name}:`;
  const rights = await parts.rightsOf(as);
  const address = hostProblem(new URL(url), parts.config.events.allowPrivate);
  return {
    as: rights === undefined ? `${place} as: there is no role ${JSON.stringify(as)}` : undefined,
    query: rights === undefined ? undefined : await queryProblem(webhook, rights, parts),
    url: address === undefined ? undefined : `${place} url: ${address}`,
  };
}

/** The types whose documents a webhook reads, and whose query would be refused. */
async function queryProblem(webhook: WebhookConfig, rights: Rights, parts: WebhookCheckParts): Promise<string | undefined> {
  const compile = createCompileCall(parts);
  const locales = await parts.locales.current();
  const query = (call: ReadCall) => shapeOf(call.query, parts.config.limits);
  const refused = typesReadBy(webhook, parts.model).flatMap((type) => {
    const call = callFor({ type, documentId: '', locale: null, status: 'published' }, webhook, rights);
    try {
      if (call !== undefined) compile({ call, query: query(call), locales }, []);
      return [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Without the right to what the query names, the message has only ids.
      return error.status === 400 ? [{ uid: type.uid, message: error.message }] : [];
    }
  });
  const [first, ...others] = refused;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` (and for ${counted(others.length, 'other type')})`;
  return `webhook ${webhook.name}: the query ${webhook.query} is refused for ${first.uid}${more}: ${first.message}`;
}

const typesReadBy = (webhook: WebhookConfig, model: ContentModel): readonly ContentType[] =>
  webhook.payload === 'thin'
    ? []
    : [...model.contentTypes.values()].filter(
        ({ uid, routed }) => (routed || uid === fileUid || uid === userUid) && readEvents.some((type) => receives(type, uid, webhook)),
      );

const receives = (type: EventType, uid: string, webhook: WebhookConfig): boolean =>
  [true, false].some((isNew) => eventNameFor({ type, uid, isNew }, webhook) !== undefined);

/** What was deleted is gone, and a draft was never public. */
export const isRead = (type: NewEvent['type']): boolean => type !== 'delete' && type !== 'unpublish';
const readEvents = (Object.keys(entryEvents) as EventType[]).filter(isRead);

export interface NamedDocument {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | null;
  readonly status: 'draft' | 'published';
}

/** The read of a document with the query of a webhook; undefined without the right to it. */
export function callFor(
  { type, documentId, locale, status }: NamedDocument,
  { query }: WebhookConfig,
  rights: Rights,
): ReadCall | undefined {
  const action = `${type.uid === fileUid ? 'plugin::upload.content-api' : type.uid}.findOne`;
  if (!rights.allows(action)) return undefined;
  const parts = [
    query,
    ...(type.draftAndPublish ? [`status=${status}`] : []),
    ...(locale === null ? [] : [`locale=${encodeURIComponent(locale)}`]),
  ];
  return {
    type,
    target: { kind: 'one', by: 'documentId', key: documentId },
    query: parts.filter((part) => part !== '').join('&'),
    actor: { kind: 'token', tokenId: 0, rights },
    restriction: rights.restriction(action),
    envelope: 'flat',
    isAfterWrite: true,
  };
}
