/** Opens what sends events to webhooks. */
import type { FastifyBaseLogger } from 'fastify';
import type { CodeRun } from './answer-code.ts';
import { callFor, checkWebhooks, isRead, type WebhookCheckParts } from './check-webhooks.ts';
import { oncePer } from './collections.ts';
import { HookSender, hookReceivers } from './committed-hooks.ts';
import { StartError } from './errors/start-error.ts';
import type { StoredEvent } from './events/event-store.ts';
import { Lease } from './events/lease.ts';
import { webhooksLease } from './events/lease-store.ts';
import { type FoundDocument, type WebhookChange, WebhookDispatcher } from './events/webhooks/dispatcher.ts';
import { WebhookSender } from './events/webhooks/send-webhook.ts';
import type { Webhook } from './events/webhooks/webhook.ts';
import { configuredWebhooks, storedWebhooks, strapiTable, strapiWebhooks } from './events/webhooks/webhook-store.ts';
import type { Attribute, ContentModel, Schema } from './model/content-model.ts';
import type { Figures } from './observe/figures.ts';
import type { OwnCode } from './own-code/own-code.ts';
import type { Ask } from './own-code/protocol.ts';
import type { AnswerRead } from './pipeline/call.ts';
import { Visible } from './rights/visible.ts';
import { Rows } from './sql/rows.ts';
import { deliveriesTable } from './tables/system-tables.ts';
import { isObject, parsedObject } from './text/json.ts';
import { lecternCommand } from './text/lectern-command.ts';
import { textOfBody } from './text/text-of-body.ts';

interface WebhookParts extends WebhookCheckParts {
  /** Tables of the database. */
  readonly tables: { has(name: string): boolean };
  readonly answerRead: AnswerRead;
  readonly figures: Figures;
  /** Undefined for a project without code of its own. */
  readonly code: OwnCode | undefined;
  readonly answerFor: (run: CodeRun) => (ask: Ask) => Promise<string | null>;
  readonly notices: { write(text: string): unknown };
}

/** Milliseconds between two looks for events of other processes, where there may be some; a process
 *  notices its own at once. */
const pollEvery = { server: 100, embedded: 1000 };
/** An error that repeats is logged this often. Milliseconds. */
const logEvery = 60_000;

/** Returns undefined where no events are kept. Throws a `StartError` for a role that does not exist. */
export async function openWebhooks(parts: WebhookParts, log: FastifyBaseLogger): Promise<WebhookDispatcher | undefined> {
  const { config, model, database, tables, figures, code, answerFor } = parts;
  const hooks = code === undefined ? [] : hookReceivers(code);
  if (config.events.keep === 0) {
    if (hooks.length > 0)
      throw new StartError(hooks.map(({ name }) => `${name}: committed needs events, which events.keep = 0 switches off`));
    return undefined;
  }
  if (!tables.has(deliveriesTable)) {
    await warnOfUnsent(parts, hooks);
    return undefined;
  }
  const configured = [...configuredWebhooks(config.webhooks), ...hooks];
  const stored = () => database.read((connection) => storedWebhooks(tables, new Rows(connection, database.dialect)));
  const { problems, warnings } = await checkWebhooks(await stored(), parts);
  if (problems.length > 0) throw new StartError(problems);
  for (const warning of warnings) parts.notices.write(`Warning: ${warning}\n`);
  const { allowPrivate } = config.events;
  const sender = new WebhookSender({ allowPrivate });
  const dispatcher = new WebhookDispatcher({
    database,
    model,
    lease: new Lease(webhooksLease, database),
    sender: code === undefined ? sender : new HookSender(code, sender, answerFor),
    webhooks: async () => [...configured, ...(await stored()).webhooks],
    read: (event, webhook) => readFor(event, webhook, parts),
    pollEvery: database.dialect.blocksThread ? pollEvery.embedded : pollEvery.server,
    failed: logging(log),
    changed: logChange(log),
    figures: figures.webhooks,
  });
  await dispatcher.start();
  return dispatcher;
}

/** In a database that Strapi made, the tables are there after `lectern migrate apply`. */
async function warnOfUnsent({ database, tables, notices }: WebhookParts, hooks: readonly Webhook[]): Promise<void> {
  for (const { name } of hooks)
    notices.write(
      `Warning: committed of ${name} is not run. Run \`${lecternCommand('migrate apply')}\` to add the tables that it needs.\n`,
    );
  if (!tables.has(strapiTable)) return;
  const found = await database.read((connection) => strapiWebhooks(new Rows(connection, database.dialect)));
  if (found.length === 0) return;
  const names = found.map(({ name }) => JSON.stringify(name)).join(', ');
  notices.write(
    `Warning: Strapi's webhooks (${names}) are not sent for writes through this server. Run \`${lecternCommand('migrate apply')}\` to add the tables that they need.\n`,
  );
}

/** Reads the document as it is now, in the event's locale and version. */
async function readFor(
  event: StoredEvent,
  webhook: Webhook,
  { config, model, answerRead, rightsOf }: WebhookParts,
): Promise<FoundDocument> {
  const type = model.contentTypes.get(event.uid);
  const rights = await rightsOf(webhook.as);
  if (rights === undefined) return { problem: `there is no role ${webhook.as}` };
  const { documentId, locale } = event;
  const call = type && callFor({ type, documentId, locale, status: event.status ?? 'draft' }, webhook, rights);
  if (type === undefined || call === undefined) return { entry: undefined, changed: [] };
  const visible = new Visible(model, config, rights);
  const attributesOf = oncePer((schema: Schema) => new Map(visible.attributes(schema).map((attribute) => [attribute.name, attribute])));
  const changed = event.paths.filter((path) => isShown(path.split('.'), type, attributesOf, model));
  if (webhook.payload === 'thin' || !isRead(event.type)) return { entry: undefined, changed };
  const { status, body } = await answerRead(call, { key: 'webhooks', hasLeft: () => false, isCurrent: true });
  const read = parsedObject(textOfBody(body));
  if (status === 200) return { entry: isObject(read?.data) ? read.data : undefined, changed };
  if (status === 400) {
    const error = isObject(read?.error) ? read.error : {};
    return { problem: `the query of the webhook, ${webhook.query}, is refused for ${type.uid}: ${String(error.message)}` };
  }
  if (status < 500) return { entry: undefined, changed };
  throw new Error(`the response has the status ${status}`);
}

type AttributesOf = (schema: Schema) => ReadonlyMap<string, Attribute>;

/** Whether the rights include every attribute on the path. */
function isShown([name = '', ...rest]: readonly string[], schema: Schema, attributesOf: AttributesOf, model: ContentModel): boolean {
  const attribute = attributesOf(schema).get(name);
  if (attribute === undefined || rest.length === 0) return attribute !== undefined;
  const component = attribute.kind === 'component' ? model.components.get(attribute.component) : undefined;
  return component !== undefined && isShown(rest, component, attributesOf, model);
}

/** Characters of a response that a line of the log shows. */
const loggedResponse = 200;

const logChange =
  (log: FastifyBaseLogger) =>
  ({ webhook, change, status, response }: WebhookChange): void => {
    if (change === 'recovered') log.warn({ webhook }, 'a webhook receives messages again');
    else log.warn({ webhook, status, response: response.slice(0, loggedResponse) }, 'three messages to a webhook have failed in a row');
  };

function logging(log: FastifyBaseLogger): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - last < logEvery) return;
    last = performance.now();
    log.warn({ err: error }, 'an error while sending webhooks; it is retried');
  };
}
