/** The command lines of a project as a whole: serving, checking, migrating, copying. */
import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { DatabaseConfig } from '../../config/config.ts';
import { type SchemaFileKind, schemaFileKinds } from '../../model/schema-file/schema-file-kinds.ts';
import { type CommandAction, dirOption, portNumber, repeatable } from '../command-action.ts';
import { archiveCommands } from '../transfer/archive-commands.ts';
import { databaseOfUrl } from '../transfer/database-of-url.ts';
import type { TransferCommandOptions } from '../transfer/transfer-command.ts';
import type { DoctorOptions } from './doctor.ts';
import type { ExplainOptions } from './explain-command.ts';
import type { ProjectOptions } from './load-project.ts';
import type { MigrateOptions } from './migrate.ts';
import type { OpenApiOptions } from './openapi-command.ts';

export function projectCommands(program: Command, action: CommandAction): void {
  program
    .command('start')
    .description('serve a project')
    .option(...dirOption)
    .option('--port <number>', 'port to listen on; 0 takes any free port', portNumber)
    .option('--host <address>', 'IP address or host name to listen on')
    .option('--workers <number>', 'processes that serve requests, on PostgreSQL; auto for one on each processor', workerCount)
    .action(action(async (options: ProjectOptions) => (await import('./start.ts')).start(options)));

  program
    .command('demo')
    .description('serve an example project from a temporary database')
    .option('--port <number>', 'port to listen on; 0 takes any free port', portNumber)
    .action(
      action(async (options: { port?: number }) => {
        await (await import('./demo.ts')).demo(options);
        return 0;
      }),
    );

  program
    .command('check')
    .description('look for mistakes in configuration, schema files and database, without serving or changing anything')
    .option(...dirOption)
    .action(action(async (options: { dir: string }) => (await import('./check.ts')).check(options)));

  program
    .command('doctor')
    .description(
      'list what is served the same, honoured, not served or to be decided in a Strapi project; exit code 1 when something is not served or has to be decided',
    )
    .option(...dirOption)
    .option('--json', 'print it as JSON')
    .action(action(async (options: DoctorOptions) => (await import('./doctor.ts')).doctor(options)));

  program
    .command('routes')
    .description('print the routes of a project, and the right that each of them needs')
    .option(...dirOption)
    .action(action(async (options: { dir: string }) => (await import('./routes-command.ts')).routes(options)));

  program
    .command('openapi')
    .description('print the OpenAPI document of a project: all of its API, or what roles and API tokens may use')
    .option(
      '--as <type>',
      'what a role (its type, such as public) or an API token (full-access, read-only) may use; repeatable',
      repeatable,
    )
    .option('--out <file>', 'write it to a file')
    .option(...dirOption)
    .action(action(async (options: OpenApiOptions) => (await import('./openapi-command.ts')).openapi(options)));

  program
    .command('explain <url>')
    .description('run one read, and print its stages, statements, plans, indexes and times')
    .option(
      '--as <caller>',
      'the caller whose rights the read has: the type of a role or of API tokens, or the name of an API token',
      'public',
    )
    .option('--json', 'print it as JSON')
    .option(...dirOption)
    .action(
      action(async (url: string, options: Omit<ExplainOptions, 'url'>) =>
        (await import('./explain-command.ts')).explain({ ...options, url }),
      ),
    );

  program
    .command('schema')
    .description('print the JSON Schema of schema files, with which editors complete and check them')
    .addArgument(new Argument('<kind>', 'kind of file').choices(schemaFileKinds))
    .action(
      action(async (kind: SchemaFileKind) => {
        const { jsonSchemaOf } = await import('../../model/schema-file/json-schema.ts');
        process.stdout.write(`${JSON.stringify(jsonSchemaOf(kind), undefined, 2)}\n`);
        return 0;
      }),
    );

  const migrate = program.command('migrate').description('make the database match the schema files');
  const migrateCommand = (name: string, description: string) =>
    migrate
      .command(name)
      .description(description)
      .option(...dirOption)
      .option(
        '--rename <old=new>',
        'rename an attribute, type or component: api::article.article.title=headline, or api::article.article=api::post.post; repeatable',
        renaming,
      )
      .option('--allow-destructive', 'set aside tables and columns that no schema file needs; they are renamed, never dropped');
  migrateCommand('plan', 'print what `apply` would do; exit code 3 when there are steps')
    .option('--json', 'print it as JSON')
    .action(action(async (options: MigrateOptions) => (await import('./migrate.ts')).migratePlan(options)));
  migrateCommand(
    'apply',
    'add the tables and columns that are missing, in one transaction; exit code 3 when the server cannot start yet',
  ).action(action(async (options: MigrateOptions) => (await import('./migrate.ts')).migrateApply(options)));

  program
    .command('backup <file>')
    .description('write the SQLite database and the uploaded files of a project to a new .tar.gz, while the server runs')
    .option(...dirOption)
    .action(action(async (file: string, { dir }: { dir: string }) => (await import('./backup.ts')).backup({ dir, file })));

  program
    .command('restore <file>')
    .description('replace the SQLite database with a backup and restore the uploaded files; the former database is kept')
    .option('--yes', 'do not ask before the database is replaced')
    .option(...dirOption)
    .action(
      action(async (file: string, options: { dir: string; yes?: boolean }) => (await import('./restore.ts')).restore({ ...options, file })),
    );

  program
    .command('seed <folder>')
    .description('write prepared content, in the format of docs/seed.md, into the database')
    .option('--add', 'add to types that have entries already')
    .option(...dirOption)
    .action(
      action(async (folder: string, options: { dir: string; add?: boolean }) => (await import('./seed.ts')).seed({ ...options, folder })),
    );

  archiveCommands(program, action);

  program
    .command('transfer')
    .description('copy the database of a project into an empty one of another engine')
    .requiredOption(
      '--to <url>',
      'the empty database: postgres:// or mysql://user:password@host:port/name, or the path of a SQLite file',
      databaseArgument,
    )
    .option('--from <url>', "the database to copy, written in the same way; the project's own if not given", databaseArgument)
    .option('--restart', 'remove what an interrupted transfer has written, and start again')
    .option(...dirOption)
    .action(action(async (options: TransferCommandOptions) => (await import('../transfer/transfer-command.ts')).transferCommand(options)));
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
      'Name a database: postgres://user:password@host:5432/name, mysql://user:password@host:3306/name, or the path of a SQLite file.',
    );
  }
  return database;
}
