/** `lectern webhook`: webhooks, and the messages sent to them. */
import { mistakesIn } from '../../check-webhooks.ts';
import { hasPlaceholder, readWebhook } from '../../config/webhooks.ts';
import type { Database } from '../../dialects/database.ts';
import { StartError } from '../../errors/start-error.ts';
import { leaseRow, webhooksLease } from '../../events/lease-store.ts';
import {
  type DeliveryState,
  dropDeliveries,
  listDeliveries,
  retryDeliveries,
  webhookOfDelivery,
} from '../../events/webhooks/delivery-store.ts';
import { describeDelivery, describeWebhook } from '../../events/webhooks/describe-webhooks.ts';
import { WebhookSender } from '../../events/webhooks/send-webhook.ts';
import { newSecret } from '../../events/webhooks/sign-webhook.ts';
import type { Webhook } from '../../events/webhooks/webhook.ts';
import { configuredWebhooks, forgetWebhook, knownWebhooks, noteWebhook, ownKey } from '../../events/webhooks/webhook-store.ts';
import { Rows } from '../../sql/rows.ts';
import { columnsByTable } from '../../sql/table-exists.ts';
import { deliveriesTable } from '../../tables/system-tables.ts';
import { inColumns } from '../../text/align-columns.ts';
import { counted } from '../../text/counted.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { didYouMean } from '../../text/nearest.ts';
import { printable, printableLine } from '../../text/printable.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { storedIn, webhookCheckParts } from './project-webhooks.ts';

interface AddOptions extends ProjectOptions {
  readonly url: string;
  readonly events: string;
  readonly types?: string;
  /** Names and values. */
  readonly header?: readonly (readonly [string, string])[];
  readonly payload?: string;
  readonly as?: string;
  readonly query?: string;
  /** False with `--no-secret`. */
  readonly secret: boolean;
}

export function webhookAdd(name: string, options: AddOptions): Promise<number> {
  const secret = options.secret ? newSecret() : undefined;
  const problems: string[] = [];
  const { payload, as, query } = options;
  const webhook = readWebhook(
    {
      name,
      url: options.url,
      events: listed(options.events),
      ...(options.types !== undefined && { types: listed(options.types) }),
      ...(options.header !== undefined && { headers: Object.fromEntries(options.header) }),
      ...(secret !== undefined && { secret }),
      ...(payload !== undefined && { payload }),
      ...(as !== undefined && { as }),
      ...(query !== undefined && { query }),
    },
    name,
    problems,
  );
  if ([options.url, ...(options.header ?? []).flat()].some(hasPlaceholder))
    problems.push(`webhook ${name}: \${NAME} works only in lectern.config.json`);
  if (problems.length > 0) throw new StartError(problems);
  return withTables(options, async (project) => {
    const { model, database, config } = project;
    for (const uid of webhook.types ?? [])
      if (!model.contentTypes.has(uid)) throw new StartError([`--types: there is no content type ${uid}`]);
    const { as: role, query: refused, url: address } = await mistakesIn(webhook, await webhookCheckParts(project));
    const mistakes = [role, refused].filter((each) => each !== undefined);
    if (mistakes.length > 0) throw new StartError(mistakes);
    if (address !== undefined) process.stderr.write(`Warning: ${address}\n`);
    const taken = config.webhooks.some((each) => each.name === name);
    await database.write(async (connection) => {
      const rows = new Rows(connection, database.dialect);
      rows.lock(['webhooks']);
      if (taken || (await knownWebhooks(rows)).has(ownKey(name))) throw new StartError([`There is a webhook ${name} already.`]);
      await noteWebhook(ownKey(name), webhook, Date.now(), rows);
    });
    process.stderr.write(
      `Added the webhook ${name}: it gets ${webhook.events.join(', ')} from now on.${secret === undefined ? '' : ' Its signing secret is shown only this once:'}\n`,
    );
    if (secret !== undefined) process.stdout.write(`${secret}\n`);
    return exitCodes.done;
  });
}

export function webhookRemove(name: string, options: ProjectOptions): Promise<number> {
  return withTables(options, async (project) => {
    const { database } = project;
    const { unread } = await storedIn(project);
    const webhook = unread.includes(name) ? { key: ownKey(name) } : await find(name, project);
    if (!webhook.key.startsWith('own:'))
      throw new StartError([
        `${name} is ${webhook.key.startsWith('config:') ? 'in the configuration' : "one of Strapi's"}: remove it there.`,
      ]);
    await database.write(async (connection) => {
      const rows = new Rows(connection, database.dialect);
      await forgetWebhook(webhook.key, rows);
      dropDeliveries(webhook.key, Date.now(), rows);
    });
    process.stdout.write(`Removed the webhook ${name}. Its waiting messages have failed.\n`);
    return exitCodes.done;
  });
}

export function webhookList(options: ProjectOptions & { readonly json?: boolean }): Promise<number> {
  return withTables(options, async (project) => {
    const all = await allWebhooks(project);
    const shown = all.map(describeWebhook);
    const { unread } = await storedIn(project);
    if (unread.length > 0) process.stderr.write(`Another version of Lectern has added ${unread.join(', ')}; this one cannot read them.\n`);
    if (options.json === true) process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    else if (shown.length === 0) process.stdout.write('There are no webhooks.\n');
    else
      process.stdout.write(
        inColumns([
          ['NAME', 'FROM', 'URL', 'EVENTS', 'TYPES', 'SIGNED'],
          ...shown.map((each) => [
            ...[printable(each.name), each.from, printable(each.url), each.events.join(' ')],
            ...[each.types?.join(' ') ?? 'all', each.signed ? 'yes' : 'no'],
          ]),
        ]),
      );
    return exitCodes.done;
  });
}

/** Sends an event that nothing has caused, as Strapi's panel does. */
export function webhookTest(name: string, options: ProjectOptions): Promise<number> {
  return withTables(options, async (project) => {
    const webhook = await find(name, project);
    const sender = new WebhookSender({ allowPrivate: project.config.events.allowPrivate });
    const body = JSON.stringify({ event: 'trigger-test', createdAt: new Date().toISOString() });
    const message = { id: `msg_test_${Date.now()}`, name: 'trigger-test', body };
    const { isDelivered, status, response, took } = await sender.send(webhook, message, AbortSignal.timeout(60_000));
    sender.close();
    process.stdout.write(`${status ?? 'no response'} after ${took} ms${response === '' ? '' : `: ${printableLine(response)}`}\n`);
    return isDelivered ? exitCodes.done : exitCodes.failed;
  });
}

interface DeliveriesOptions extends ProjectOptions {
  readonly webhook?: string;
  readonly state?: DeliveryState;
  readonly limit: number;
  readonly json?: boolean;
}

export function webhookDeliveries(options: DeliveriesOptions): Promise<number> {
  return withTables(options, async (project) => {
    const { database } = project;
    const all = await allWebhooks(project);
    const webhook = options.webhook === undefined ? undefined : named(options.webhook, all).key;
    const found = await database.read((connection) =>
      listDeliveries({ webhook, state: options.state }, options.limit, new Rows(connection, database.dialect)),
    );
    const nameOf = (key: string) => all.find((each) => each.key === key)?.name ?? key;
    if (options.json === true)
      process.stdout.write(
        `${JSON.stringify(
          found.map((each) => describeDelivery(each, nameOf(each.webhook))),
          null,
          2,
        )}\n`,
      );
    else if (found.length === 0) process.stdout.write('There are no messages.\n');
    else
      process.stdout.write(
        inColumns([
          ['ID', 'TIME', 'WEBHOOK', 'EVENT', 'DOCUMENT', 'STATE', 'ATTEMPTS', 'NEXT', 'STATUS', 'MS', 'RESPONSE'],
          ...found.map(({ id, updatedAt, webhook: key, name, event, state, attempts, dueAt, status, took, response }) => [
            ...[String(id), new Date(updatedAt).toISOString(), printable(nameOf(key)), name, printable(event.documentId), state],
            ...[String(attempts), state === 'waiting' ? new Date(dueAt).toISOString() : '', String(status ?? ''), String(took ?? '')],
            shownResponse(response ?? '', status),
          ]),
        ]),
      );
    return exitCodes.done;
  });
}

const shownCharacters = 60;

/** Without a response, and for a redirect, it is Lectern's reason, which says what to do. */
const shownResponse = (text: string, status: number | null): string =>
  printableLine(status === null || (status >= 300 && status < 400) ? text : text.slice(0, shownCharacters));

/** `which`: the id of a delivery, or the name of a webhook for all failed ones. */
export function webhookRetry(which: string, options: ProjectOptions): Promise<number> {
  return withTables(options, async (project) => {
    const { database } = project;
    const target = /^\d{1,15}$/.test(which) ? { id: Number(which) } : { webhook: (await find(which, project)).key };
    if ('id' in target) await refuseGone(target.id, project);
    const { count, isServed } = await database.write(async (connection) => {
      const rows = new Rows(connection, database.dialect);
      return { count: await retryDeliveries(target, Date.now(), rows), isServed: (await leaseRow(webhooksLease, rows)) !== undefined };
    });
    process.stdout.write(
      isServed
        ? `The running server will send ${counted(count, 'message')} again.\n`
        : `${counted(count, 'message')} will be sent again when a server runs: at present, none sends webhooks.\n`,
    );
    return exitCodes.done;
  });
}

/** A message of a webhook that was removed would wait for ever. */
async function refuseGone(id: number, project: OpenProject): Promise<void> {
  const { database } = project;
  const key = await database.read((connection) => webhookOfDelivery(id, new Rows(connection, database.dialect)));
  if (key === undefined) throw new StartError([`There is no message ${id}.`]);
  if (!(await allWebhooks(project)).some((webhook) => webhook.key === key))
    throw new StartError([`The webhook of message ${id} was removed.`]);
}

const listed = (text: string): readonly string[] => text.split(',').map((each) => each.trim());

const allWebhooks = async (project: OpenProject): Promise<readonly Webhook[]> => [
  ...configuredWebhooks(project.config.webhooks),
  ...(await storedIn(project)).webhooks,
];

const find = async (name: string, project: OpenProject): Promise<Webhook> => named(name, await allWebhooks(project));

function named(name: string, all: readonly Webhook[]): Webhook {
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = all.map((each) => each.name);
  throw new StartError([`There is no webhook ${JSON.stringify(name)}.${didYouMean(name, names)}`]);
}

function withTables(options: ProjectOptions, work: (project: OpenProject) => Promise<number>): Promise<number> {
  return withProject(options, async (project) => {
    await requireTables(project.database);
    return work(project);
  });
}

async function requireTables(database: Database): Promise<void> {
  if (!(await columnsByTable(database)).has(deliveriesTable))
    throw new StartError([`The database has no table "${deliveriesTable}". Run \`${lecternCommand('migrate apply')}\` to add it.`]);
}
