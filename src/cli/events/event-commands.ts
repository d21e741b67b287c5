/** The command line of events. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandAction, projectCommand } from '../command-action.ts';

export function eventCommands(program: Command, action: CommandAction): void {
  projectCommand(program, 'events', 'print the newest events of documents: what was changed, when, and by whom')
    .option('--limit <number>', 'how many', eventCount, 20)
    .option('--json', 'print them as JSON')
    .action(action(async () => (await import('./events-command.ts')).events));
  historyCommands(program, action);
  webhookCommands(program, action);
}

function historyCommands(program: Command, action: CommandAction): void {
  const history = program.command('history').description('former versions of documents');
  projectCommand(history, 'prune', 'remove the versions that are older than history.days').action(
    action(async () => (await import('./history-command.ts')).historyPrune),
  );
  projectCommand(history, 'forget <type> <documentId>', 'remove all former versions of a document').action(
    action(async () => (await import('./history-command.ts')).historyForget),
  );
}

function webhookCommands(program: Command, action: CommandAction): void {
  const webhook = program.command('webhook').description('webhooks, and the messages sent to them');
  projectCommand(webhook, 'add <name>', 'add a webhook; its signing secret is printed to stdout, only once')
    .requiredOption('--url <url>', 'where messages are sent by POST')
    .requiredOption(
      '--events <list>',
      'create, update, publish, unpublish, discard, delete, media.create, user.create, …, separated by commas',
    )
    .option('--types <list>', 'uids of content types, separated by commas; without it, all of them')
    .option('--header <header>', "a header of each message, such as 'Authorization: Bearer …'; repeatable", header)
    .option('--payload <kind>', 'entry: with the document; thin: ids and paths alone', 'entry')
    .option('--as <caller>', 'whose rights the document is read with: full-access, read-only or the type of a role', 'read-only')
    .option('--query <query>', 'what of the document is read, as in a GET', 'populate=*')
    .option('--no-secret', 'do not sign messages')
    .action(action(async () => (await import('./webhook-command.ts')).webhookAdd));
  projectCommand(webhook, 'list', 'list the webhooks')
    .option('--json', 'print them as JSON')
    .action(action(async () => (await import('./webhook-command.ts')).webhookList));
  projectCommand(webhook, 'remove <name>', 'remove a webhook that `add` added').action(
    action(async () => (await import('./webhook-command.ts')).webhookRemove),
  );
  projectCommand(webhook, 'test <name>', 'send a test message, and print the response').action(
    action(async () => (await import('./webhook-command.ts')).webhookTest),
  );
  projectCommand(webhook, 'deliveries', 'print the newest messages: state, status, time and response')
    .option('--webhook <name>', 'only messages of this webhook')
    .addOption(new Option('--state <state>', 'only messages in this state').choices(['waiting', 'delivered', 'failed']))
    .option('--limit <number>', 'how many', eventCount, 20)
    .option('--json', 'print them as JSON')
    .action(action(async () => (await import('./webhook-command.ts')).webhookDeliveries));
  projectCommand(webhook, 'retry <id|name>', 'send a message again, or all failed messages of a webhook').action(
    action(async () => (await import('./webhook-command.ts')).webhookRetry),
  );
}

type Header = readonly [name: string, value: string];

function header(text: string, previous: readonly Header[] = []): readonly Header[] {
  const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (name.trim() === '' || value.trim() === '') throw new InvalidArgumentError("It must be a name and a value, such as 'X-Site: one'.");
  return [...previous, [name.trim(), value.trim()]];
}

function eventCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 100_000) throw new InvalidArgumentError('It must be a number from 1 to 100000.');
  return count;
}
