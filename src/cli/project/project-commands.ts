/** The command lines of a project as a whole: serving, checking, migrating, copying. */
import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { DatabaseConfig } from '../../config/config.ts';
import { schemaFileKinds } from '../../model/schema-file/schema-file-kinds.ts';
import { listOfHosts } from '../../text/server-urls.ts';
import { type CommandAction, portNumber, projectCommand, repeatable } from '../command-action.ts';
import { archiveCommands } from '../transfer/archive-commands.ts';
import { databaseOfUrl } from '../transfer/database-of-url.ts';

export function projectCommands(program: Command, action: CommandAction): void {
  projectCommand(program, 'start', 'serve a project')
    .option('--port <number>', 'port to listen on; 0 takes any free port', portNumber)
    .option('--host <address>', 'IP address or host name to listen on')
    .option('--workers <number>', 'processes that serve requests, on PostgreSQL; auto for one on each processor', workerCount)
    .action(action(async () => (await import('./start.ts')).start));

  program
    .command('demo')
    .description('serve an example project from a temporary database')
    .option('--port <number>', 'port to listen on; 0 takes any free port', portNumber)
    .action(action(async () => (await import('./demo.ts')).demo));

  projectCommand(program, 'check', 'look for mistakes in configuration, schema files and database, without serving or changing anything')
    .option(
      '--database [url]',
      "try what Lectern needs on the database of a URL, without a project; without a URL, on the project's own. Creates a table, and removes it",
      databaseArgument,
    )
    .action(action(async () => (await import('./check.ts')).check));

  projectCommand(
    program,
    'doctor',
    'list what is served the same, honoured, not served or to be decided in a Strapi project; exit code 1 when something is not served or has to be decided',
  )
    .option('--json', 'print it as JSON')
    .option('--sketches', 'also print the beginnings of the files that replace code of the project')
    .action(action(async () => (await import('./doctor.ts')).doctor));

  projectCommand(program, 'routes', 'print the routes of a project, and the right that each of them needs').action(
    action(async () => (await import('./routes-command.ts')).routes),
  );

  program
    .command('mcp')
    .description(
      'connect an assistant that starts programs to `/api/_mcp` of a running server: standard input and output are the protocol; the API token is read from LECTERN_API_TOKEN',
    )
    .option('--url <url>', 'URL of the API', 'http://127.0.0.1:1337/api')
    .action(action(async () => (await import('./mcp-command.ts')).mcp));

  projectCommand(program, 'openapi', 'print the OpenAPI document of a project: all of its API, or what roles and API tokens may use')
    .option(
      '--as <type>',
      'what a role (its type, such as public) or an API token (full-access, read-only) may use; repeatable',
      repeatable,
    )
    .option('--out <file>', 'write it to a file')
    .action(action(async () => (await import('./openapi-command.ts')).openapi));

  projectCommand(program, 'explain <url>', 'run one read, and print its stages, statements, plans, indexes and times')
    .option(
      '--as <caller>',
      'the caller whose rights the read has: the type of a role or of API tokens, or the name of an API token',
      'public',
    )
    .option('--json', 'print it as JSON')
    .action(action(async () => (await import('./explain-command.ts')).explain));

  program
    .command('schema')
    .description('print the JSON Schema of schema files, with which editors complete and check them')
    .addArgument(new Argument('<kind>', 'kind of file').choices(schemaFileKinds))
    .action(
      action(async () => {
        const { jsonSchemaOf } = await import('../../model/schema-file/json-schema.ts');
        return async (kind: Parameters<typeof jsonSchemaOf>[0]) => {
          process.stdout.write(`${JSON.stringify(jsonSchemaOf(kind), undefined, 2)}\n`);
          return 0;
        };
      }),
    );

  const migrate = program.command('migrate').description('make the database match the schema files');
  const migrateCommand = (name: string, description: string) =>
    projectCommand(migrate, name, description)
      .option(
        '--rename <old=new>',
        'rename an attribute, type or component: api::article.article.title=headline, or api::article.article=api::post.post; repeatable',
        renaming,
      )
      .option('--allow-destructive', 'set aside tables and columns that no schema file needs; they are renamed, never dropped');
  migrateCommand('plan', 'print what `apply` would do; exit code 3 when there are steps')
    .option('--json', 'print it as JSON')
    .action(action(async () => (await import('./migrate.ts')).migratePlan));
  migrateCommand(
    'apply',
    'add the tables and columns that are missing, in one transaction; exit code 3 when the server cannot start yet',
  ).action(action(async () => (await import('./migrate.ts')).migrateApply));

  projectCommand(
    program,
    'backup <file>',
    'write the SQLite database and the uploaded files of a project to a new .tar.gz, while the server runs',
  ).action(action(async () => (await import('./backup.ts')).backup));

  projectCommand(
    program,
    'restore <file>',
    'replace the SQLite database with a backup and restore the uploaded files; the former database is kept',
  )
    .option('--yes', 'do not ask before the database is replaced')
    .action(action(async () => (await import('./restore.ts')).restore));

  projectCommand(program, 'seed <folder>', 'write prepared content, in the format of docs/seed.md, into the database')
    .option('--add', 'add to types that have entries already')
    .action(action(async () => (await import('./seed.ts')).seed));

  archiveCommands(program, action);

  projectCommand(program, 'transfer', 'copy the database of a project into an empty one of another engine')
    .requiredOption(
      '--to <url>',
      'the empty database: postgres:// or mysql://user:password@host:port/name, or the path of a SQLite file',
      databaseArgument,
    )
    .option('--from <url>', "the database to copy, written in the same way; the project's own if not given", databaseArgument)
    .option('--restart', 'remove what an interrupted transfer has written, and start again')
    .action(action(async () => (await import('../transfer/transfer-command.ts')).transferCommand));
}

function renaming(text: string, previous?: readonly string[]): readonly string[] {
  if (!/^[^=\s]+=[^=\s]+$/.test(text)) throw new InvalidArgumentError('Write old=new.');
  return repeatable(text, previous);
}

function workerCount(text: string): number | 'auto' {
  if (text === 'auto') return text;
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > 256)
    throw new InvalidArgumentError('It must be auto or a whole number from 1 to 256.');
  return Number(text);
}

function databaseArgument(text: string): DatabaseConfig {
  const database = databaseOfUrl(text);
  if (database === undefined) {
    throw new InvalidArgumentError(
      `Name a database: postgres://user:password@host:5432/name, mysql://user:password@host:3306/name, or the path of a SQLite file; ${listOfHosts}.`,
    );
  }
  return database;
}
