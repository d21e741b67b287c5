/** Opens what sends events to webhooks. */
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config/config.ts';
import type { Database } from './dialects/database.ts';
import { StartError } from './errors/start-error.ts';
import type { StoredEvent } from './events/event-store.ts';
import { Lease } from './events/lease.ts';
import { type FoundEntry, WebhookDispatcher } from './events/webhooks/dispatcher.ts';
import { WebhookSender } from './events/webhooks/send-webhook.ts';
import type { Webhook } from './events/webhooks/webhook.ts';
import { configuredWebhooks, ownWebhooks, strapiTable, strapiWebhooks } from './events/webhooks/webhook-store.ts';
import type { AccessStore } from './identity/access-store.ts';
import type { ContentModel } from './model/content-model.ts';
import type { Figures } from './observe/figures.ts';
import type { AnswerRead } from './pipeline/call.ts';
import { type Rights, rightsByTokenType, rightsOfRole } from './rights/rights.ts';
import { roleIdsOfType } from './rights/role-store.ts';
import { Rows } from './sql/rows.ts';
import { deliveriesTable } from './tables/system-tables.ts';
import { isObject, parsedObject } from './text/json.ts';
import { lecternCommand } from './text/lectern-command.ts';
import { textOfBody } from './text/text-of-body.ts';

interface WebhookParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  /** Tables of the database. */
  readonly tables: { has(name: string): boolean };
  readonly answerRead: AnswerRead;
  /** The rights that `as` names; undefined if there is no such role. */
  readonly rightsOf: (as: string) => Promise<Rights | undefined>;
  readonly figures: Figures;
  readonly notices: { write(text: string): unknown };
}

/** Milliseconds between two looks for events of other processes, where there may be some; a process
 *  notices its own at once. */
const pollEvery = { server: 100, embedded: 1000 };
/** An error that repeats is logged this often. Milliseconds. */
const logEvery = 60_000;

/** Returns undefined where no events are kept. Throws a `StartError` for a webhook that names what is not there. */
export async function openWebhooks(parts: WebhookParts, log: FastifyBaseLogger): Promise<WebhookDispatcher | undefined> {
  const { config, model, database, tables, rightsOf, figures } = parts;
  if (config.events.keep === 0) return undefined;
  if (!tables.has(deliveriesTable)) {
    await warnOfUnsent(parts);
    return undefined;
  }
  const configured = configuredWebhooks(config.webhooks);
  const problems = (await Promise.all(configured.map((webhook) => problemsOf(webhook, model, rightsOf)))).flat();
  if (problems.length > 0) throw new StartError(problems);
  const hasStrapis = tables.has(strapiTable);
  const { allowPrivate } = config.events;
  const dispatcher = new WebhookDispatcher({
    database,
    model,
    lease: new Lease('webhooks', database),
    sender: new WebhookSender({ allowPrivate }),
    async webhooks() {
      const stored = await database.read(async (connection) => {
        const rows = new Rows(connection, database.dialect);
        return [...(await ownWebhooks(rows)), ...(hasStrapis ? await strapiWebhooks(rows) : [])];
      });
      return [...configured, ...stored];
    },
    entryOf: (event, webhook) => entryOf(event, webhook, parts),
    pollEvery: database.dialect.blocksThread ? pollEvery.embedded : pollEvery.server,
    failed: logging(log),
    figures: figures.webhooks,
  });
  await dispatcher.start();
  return dispatcher;
}

/** In a database that Strapi made, the tables are there after `lectern migrate apply`. */
async function warnOfUnsent({ database, tables, notices }: WebhookParts): Promise<void> {
  if (!tables.has(strapiTable)) return;
  const found = await database.read((connection) => strapiWebhooks(new Rows(connection, database.dialect)));
  if (found.length === 0) return;
  const names = found.map(({ name }) => JSON.stringify(name)).join(', ');
  notices.write(
    `Warning: Strapi's webhooks (${names}) are not sent for writes through this server. Run \`${lecternCommand('migrate apply')}\` to add the tables that they need.\n`,
  );
}

async function problemsOf(
  { name, types, as }: Webhook,
  model: ContentModel,
  rightsOf: WebhookParts['rightsOf'],
): Promise<readonly string[]> {
  const unknown = (types ?? []).filter((uid) => !model.contentTypes.has(uid));
  return [
    ...unknown.map((uid) => `webhooks: ${name}: there is no content type ${JSON.stringify(uid)}`),
    ...((await rightsOf(as)) === undefined ? [`webhooks: ${name}: as: there is no role ${JSON.stringify(as)}`] : []),
  ];
}

/** Finds the rights that `as` names: the type of API tokens, or of a role. */
export const rightsNamed =
  (store: Pick<AccessStore, 'roleGrants'>, database: Database) =>
  async (as: string): Promise<Rights | undefined> => {
    const ofTokens = rightsByTokenType.get(as);
    if (ofTokens !== undefined) return ofTokens;
    const [id] = await database.read((connection) => roleIdsOfType(connection, as));
    // Conditions that name attributes of the user match nothing.
    return id === undefined ? undefined : rightsOfRole(await store.roleGrants(id), new Map());
  };

/** Reads the document as it is now, in the event's locale and version. */
async function entryOf(event: StoredEvent, webhook: Webhook, { model, answerRead, rightsOf }: WebhookParts): Promise<FoundEntry> {
  const type = model.contentTypes.get(event.uid);
  if (type === undefined || event.type === 'delete') return { entry: undefined };
  const rights = await rightsOf(webhook.as);
  if (rights === undefined) return { problem: `there is no role ${webhook.as}` };
  const action = `${type.uid}.findOne`;
  if (!rights.allows(action)) return { entry: undefined };
  const query = [
    webhook.query,
    ...(type.draftAndPublish ? [`status=${event.type === 'unpublish' ? 'draft' : (event.status ?? 'draft')}`] : []),
    ...(event.locale === null ? [] : [`locale=${encodeURIComponent(event.locale)}`]),
  ].filter((part) => part !== '');
  const { status, body } = await answerRead(
    {
      type,
      target: { kind: 'one', by: 'documentId', key: event.documentId },
      query: query.join('&'),
      actor: { kind: 'token', tokenId: 0, rights },
      restriction: rights.restriction(action),
      envelope: 'flat',
      isAfterWrite: true,
    },
    { key: 'webhooks', hasLeft: () => false, isCurrent: true },
  );
  const read = parsedObject(textOfBody(body));
  if (status === 200) return { entry: isObject(read?.data) ? read.data : undefined };
  if (status === 400) {
    const error = isObject(read?.error) ? read.error : {};
    return { problem: `the query of the webhook, ${webhook.query}, is refused: ${String(error.message)}` };
  }
  if (status < 500) return { entry: undefined };
  throw new Error(`the document of an event cannot be read: ${status}`);
}

function logging(log: FastifyBaseLogger): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - last < logEvery) return;
    last = performance.now();
    log.warn({ err: error }, 'webhooks cannot be sent');
  };
}
