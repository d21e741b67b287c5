/** The command `lectern`. Each command's module is loaded when it is called, so that none slows down the others. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { accessCommands } from './access/access-commands.ts';
import type { NewTokenOptions, TokenOptions } from './access/token-command.ts';
import { describeFailure } from './describe-failure.ts';
import { exitCodes } from './exit-codes.ts';
import { mediaCommands } from './media/media-commands.ts';
import type { MigrateOptions } from './project/migrate.ts';

/** Runs one command line and returns the exit code: 1 when the command failed, otherwise one of `exitCodes`. */
export async function run(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  /** Commands return their exit code; what they throw is told to the person who called. */
  const action =
    <Options>(command: (options: Options) => Promise<number>) =>
    async (options: Options) => {
      exitCode = await command(options).catch(async (error: unknown) => {
        const failure = await describeFailure(error);
        process.stderr.write(`${failure.text}\n`);
        return failure.exitCode;
      });
    };

  const program = new Command('lectern')
    .description('Serves the content types of a project as a REST API.')
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride()
    .showSuggestionAfterError();

  program
    .command('start')
    .description('serve a project')
    .option('--dir <folder>', 'folder of the project', '.')
    .option('--port <number>', 'port to listen on; 0 takes any free one', portNumber)
    .option('--host <address>', 'address to listen on')
    .action(action<{ dir: string; port?: number; host?: string }>(async (options) => (await import('./project/start.ts')).start(options)));

  program
    .command('demo')
    .description('serve an example project from a temporary database')
    .option('--port <number>', 'port to listen on; 0 takes any free one', portNumber)
    .action(
      action<{ port?: number }>(async (options) => {
        await (await import('./project/demo.ts')).demo(options);
        return 0;
      }),
    );

  program
    .command('check')
    .description('look for mistakes in configuration, schema files and database, without serving or changing anything')
    .option('--dir <folder>', 'folder of the project', '.')
    .action(action<{ dir: string }>(async (options) => (await import('./project/check.ts')).check(options)));

  program
    .command('routes')
    .description('print the routes of a project, and the right that each of them needs')
    .option('--dir <folder>', 'folder of the project', '.')
    .action(action<{ dir: string }>(async (options) => (await import('./project/routes-command.ts')).routes(options)));

  const migrate = program.command('migrate').description('bring the database up to the schema files');
  const migrateCommand = (name: string, description: string) =>
    migrate
      .command(name)
      .description(description)
      .option('--dir <folder>', 'folder of the project', '.')
      .option(
        '--rename <old=new>',
        'take something for the same under a new name: api::article.article.title=headline, or api::article.article=api::post.post; repeatable',
        (value: string, previous: readonly string[] = []) => [...previous, value],
      )
      .option('--allow-destructive', 'set aside what no schema file needs any more; it is renamed, never dropped');
  migrateCommand('plan', 'print what `apply` would do; exit code 3 when that is something')
    .option('--json', 'print it as JSON')
    .action(action<MigrateOptions>(async (options) => (await import('./project/migrate.ts')).migratePlan(options)));
  migrateCommand(
    'apply',
    'add the tables and columns that are missing, in one transaction; exit code 3 when the server cannot start yet',
  ).action(action<MigrateOptions>(async (options) => (await import('./project/migrate.ts')).migrateApply(options)));

  const token = program.command('token').description('API tokens: what programs send as `Authorization: Bearer …`');
  const tokenCommand = (name: string, description: string) =>
    token.command(name).description(description).option('--dir <folder>', 'folder of the project', '.');
  const repeatable = (value: string, previous: readonly string[] = []) => [...previous, value];
  tokenCommand('create', 'make a token; its secret alone is printed to stdout, this once')
    .requiredOption('--name <name>', 'what the token is known by')
    .requiredOption('--type <type>', 'full-access, read-only, or custom (what --action says)')
    .option('--action <action>', 'what a custom token may do, such as api::article.article.find; repeatable', repeatable)
    .option('--expires <when>', '12h, 30d, 2030-12-31 or never', 'never')
    .option('--description <text>', 'what it is for')
    .action(action<NewTokenOptions>(async (options) => (await import('./access/token-command.ts')).tokenCreate(options)));
  tokenCommand('list', 'print all tokens, without their secrets')
    .option('--json', 'print them as JSON')
    .action(action<{ dir: string; json?: boolean }>(async (options) => (await import('./access/token-command.ts')).tokenList(options)));
  const revoke = action<TokenOptions>(async (options) => (await import('./access/token-command.ts')).tokenRevoke(options));
  tokenCommand('revoke <id|name>', 'end a token, for good').action((reference: string, { dir }: { dir: string }) =>
    revoke({ dir, token: reference }),
  );
  const rotate = action<TokenOptions>(async (options) => (await import('./access/token-command.ts')).tokenRotate(options));
  tokenCommand('rotate <id|name>', 'give a token another secret; the old one ends').action((reference: string, { dir }: { dir: string }) =>
    rotate({ dir, token: reference }),
  );
  accessCommands(program, action);
  mediaCommands(program, action);

  const backupAction = action<{ dir: string; file: string }>(async (options) => (await import('./project/backup.ts')).backup(options));
  program
    .command('backup <file>')
    .description('write the SQLite database and the uploaded files of a project to a new .tar.gz, while the server runs')
    .option('--dir <folder>', 'folder of the project', '.')
    .action((file: string, { dir }: { dir: string }) => backupAction({ dir, file }));

  program
    .command('transfer')
    .description('copy the SQLite database of a project into an empty PostgreSQL database')
    .requiredOption('--to <url>', 'the empty database: postgres://user:password@host:port/name')
    .option('--from <file>', "SQLite file; the project's own if not given")
    .option('--dir <folder>', 'folder of the project', '.')
    .action(
      action<{ to: string; from?: string; dir: string }>(async (options) =>
        (await import('./transfer/transfer-command.ts')).transferCommand(options),
      ),
    );

  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already written its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    throw error;
  }
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return manifest.version;
}
