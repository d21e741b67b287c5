/** Writes a former version into the draft, as an update with the caller's rights. What cannot be
 *  restored is named in the response. */
import { ApiError } from '../../../errors/api-error.ts';
import type { StoredVersion } from '../../../history/history-store.ts';
import { writeLossless } from '../../../model/attributes/lossless.ts';
import type { Attribute, ContentType, Schema } from '../../../model/content-model.ts';
import { targetOf } from '../../../model/content-model.ts';
import type { AnswerWrite, WriteCall } from '../../../pipeline/call.ts';
import { fullRights } from '../../../rights/rights.ts';
import { isObject, type JsonObject, objectAt } from '../../../text/json.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import { parseJsonBody } from '../../bodies/json-body.ts';
import { versionsOf } from '../../etag.ts';
import { handlingOf, type Route } from '../../routes/routes.ts';
import type { EndpointCall, EndpointResponse } from '../../send-response.ts';
import { askList, readsDrafts, Unread } from '../content/ask-list.ts';
import { listRight, PresentTargets, type TargetParts } from './present-targets.ts';
import { type FormerTarget, visitContent } from './stored-content.ts';

interface RestoreParts extends Omit<TargetParts, 'most'> {
  readonly routes: readonly Route[];
  readonly answerWrite: AnswerWrite;
}

interface ToRestore {
  readonly type: ContentType;
  readonly call: EndpointCall;
  readonly version: StoredVersion;
  readonly content: JsonObject;
}

/** What was left out, and why. `gone`: a target that is no longer there. `hidden`: one that the caller
 *  may not find. `unknown`: the model no longer has it. `refused`: the value is not permitted any more. */
interface LeftOut {
  readonly path: readonly string[];
  readonly reason: 'gone' | 'hidden' | 'unknown' | 'refused';
  readonly message?: string;
  readonly documentId?: string | null;
}

/** `isNamed`: whether the response may name an attribute. */
export async function restoreVersion(
  asked: ToRestore,
  isNamed: (attribute: Attribute, schema: Schema) => boolean,
  parts: RestoreParts,
): Promise<EndpointResponse> {
  const { call, type, version } = asked;
  const { documentId } = version;
  const isSingle = type.kind === 'singleType';
  const all: LeftOut[] = [];
  const unnamed = new UnnamedPaths();
  let data = await bodyOf(asked, { ...parts, isNamed, unnamed }, all);
  const action = isSingle || (await exists(asked, parts)) ? 'update' : 'create';
  const { rights } = call.actor;
  const right = `${type.uid}.${action}`;
  if (!rights.allows(right)) throw ApiError.of('access.forbidden');
  // Code of the project that would have to run.
  if (!isServed(right, parts.routes)) throw ApiError.of('route.has-custom-code', { action: right });
  const ifMatch = call.request.headers['if-match'];
  const write: Omit<WriteCall, 'body'> = {
    ...{
      type,
      action,
      documentId: isSingle || action === 'create' ? undefined : documentId,
      newDocumentId: action === 'create' ? documentId : undefined,
    },
    partial: true,
    query: scopeOf(version, type),
    actor: call.actor,
    restriction: rights.restriction(right),
    envelope: 'flat',
    ifMatch: ifMatch === undefined ? undefined : versionsOf(ifMatch),
    idempotencyKey: undefined,
  };
  const { problems } = await parts.answerWrite({ ...write, body: { data }, dryRun: true }, call.caller);
  // The rules of the schema may have changed since.
  for (const { path, message } of problems?.errors ?? []) {
    const [name] = path;
    if (name === undefined || !(name in data)) continue;
    all.push({ path, reason: 'refused', message });
  }
  const refused = new Set(all.filter(({ reason }) => reason === 'refused').map(({ path }) => path[0]));
  data = Object.fromEntries(Object.entries(data).filter(([name]) => !refused.has(name)));
  const outcome = await parts.answerWrite({ ...write, body: { data } }, call.caller);
  const body = outcome.body === null ? undefined : parsedContent(textOfBody(outcome.body));
  if (outcome.status >= 300 || body === undefined) return outcome;
  // Private attributes are written, and never named.
  const leftOut = all.filter(({ path }) => !unnamed.has(path));
  const meta = { ...objectAt(body, 'meta'), restored: { version: version.id, leftOut } };
  return { ...outcome, status: 200, body: writeLossless({ ...body, meta }), digest: undefined };
}

/** What the response must not name, with everything in it. Places in lists do not count: a body may
 *  have fewer components than the stored version. */
class UnnamedPaths {
  readonly #keys = new Set<string>();

  add(path: readonly string[]): void {
    this.#keys.add(keyOf(path));
  }

  has(path: readonly string[]): boolean {
    return path.some((_, index) => this.#keys.has(keyOf(path.slice(0, index + 1))));
  }
}

const keyOf = (path: readonly string[]): string => path.filter((name) => !/^\d+$/.test(name)).join('.');

const isServed = (right: string, routes: readonly Route[]): boolean =>
  routes.some((route) => route.action === right && route.serves.kind === 'write' && handlingOf(route) === 'served');

/** With all digits of numbers. */
export function parsedContent(text: string): JsonObject {
  const content = parseJsonBody(text, { bodyDepth: Number.POSITIVE_INFINITY });
  return isObject(content) ? content : {};
}

/** Into the draft; a type without drafts has none. */
const scopeOf = ({ locale }: StoredVersion, { draftAndPublish }: ContentType): string =>
  [...(draftAndPublish ? ['status=draft'] : []), ...(locale === null ? [] : [`locale=${encodeURIComponent(locale)}`])].join('&');

interface BodyParts extends Omit<TargetParts, 'most'> {
  readonly isNamed: (attribute: Attribute, schema: Schema) => boolean;
  readonly unnamed: UnnamedPaths;
}

/** The attributes that the caller may write, with links to what is there. */
async function bodyOf({ type, call, content }: ToRestore, parts: BodyParts, leftOut: LeftOut[]): Promise<JsonObject> {
  const { isNamed, unnamed, model, config } = parts;
  const { rights } = call.actor;
  const fields = rights.restriction(`${type.uid}.update`)?.fields;
  const takes = (attribute: Attribute, schema: { readonly uid: string }) =>
    attribute.writable && !isInverse(attribute, parts) && (schema !== type || fields?.has(attribute.name) !== false);
  // Whether a target that is not found is gone, and not only hidden.
  const seesAll = (uid: string) => {
    const target = model.contentTypes.get(uid);
    if (target?.draftAndPublish && !readsDrafts(target, rights, config)) return false;
    const actions = [listRight(uid), ...(target?.draftAndPublish && config.policies.draftsNeedRight ? [`${uid}.findDraft`] : [])];
    return actions.every((action) => rights.allows(action) && rights.restriction(action)?.condition === undefined);
  };
  const targets: FormerTarget[] = [];
  visitContent(content, type, parts.model, { takes, links: (found) => void targets.push(...found) });
  const present = await PresentTargets.read(targets, { ...parts, most: Number.POSITIVE_INFINITY }, call);
  return visitContent(content, type, parts.model, {
    takes(attribute, schema, path) {
      if (!isNamed(attribute, schema)) unnamed.add(path);
      return takes(attribute, schema);
    },
    lacks: (path) => leftOut.push({ path, reason: 'unknown' }),
    links: (found, attribute, path) => {
      // A body may not name such an attribute.
      if (attribute.kind === 'relation' && attribute.target !== undefined && !rights.allows(listRight(attribute.target))) {
        leftOut.push({ path, reason: 'hidden' });
        return undefined;
      }
      const isPolymorphic = attribute.kind === 'relation' && attribute.target === undefined;
      const missing = found.filter((target) => present.of(target) === undefined);
      // What the caller cannot see may be linked now: such an attribute stays as it is.
      if (missing.some(({ uid }) => !seesAll(uid))) {
        leftOut.push({ path, reason: 'hidden' });
        return undefined;
      }
      for (const { documentId } of missing) leftOut.push({ path, reason: 'gone', documentId });
      const there = found
        .filter((target) => present.of(target) !== undefined)
        .map((target): JsonObject => {
          const type = isPolymorphic ? { __type: target.uid } : {};
          const { id, documentId, locale } = target;
          return attribute.kind === 'media' ? { id } : { ...type, documentId, ...(locale === undefined ? {} : { locale }) };
        });
      return 'cardinality' in attribute && attribute.cardinality === 'one' ? (there[0] ?? null) : there;
    },
  });
}

/** Whether the links belong to another document, which this one must not change. */
const isInverse = (attribute: Attribute, { model }: Pick<TargetParts, 'model'>): boolean =>
  attribute.kind === 'relation' && attribute.mappedBy !== undefined && targetOf(attribute, model) !== undefined;

/** With all rights: a document that the caller may not read is there, too. */
async function exists({ type, version, call }: ToRestore, { answer }: Pick<TargetParts, 'answer'>): Promise<boolean> {
  const actor = { ...call.actor, rights: fullRights };
  for (const status of type.draftAndPublish ? ['draft', 'published'] : ['published']) {
    const query = [
      `filters[documentId][$eq]=${encodeURIComponent(version.documentId)}`,
      `status=${status}`,
      'fields=documentId',
      ...(type.localized ? ['locale=*'] : []),
    ];
    const list = await askList(answer, { type, restriction: undefined, query }, { ...call, actor });
    if (!list.ok) throw new Unread(list.outcome);
    if (list.rows.length > 0) return true;
  }
  return false;
}
