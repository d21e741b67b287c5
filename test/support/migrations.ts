/** Databases that are migrated from one version of the schema files to another. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import type { Database } from '../../src/dialects/database.ts';
import { openMysqlDatabase } from '../../src/dialects/mysql-connection.ts';
import { openPostgresDatabase } from '../../src/dialects/postgres-connection.ts';
import { ServerHosts } from '../../src/dialects/server-hosts.ts';
import { openSqliteDatabase } from '../../src/dialects/sqlite-connection.ts';
import { migrateDatabase, planDatabase, prepareDatabase } from '../../src/migrations/prepare-database.ts';
import type { ContentModel } from '../../src/model/content-model.ts';
import { loadModel } from '../../src/model/load/load-model.ts';
import { createDatabase, type EngineName, speaksMysql, type TestDatabase } from './engines.ts';
import { type Attributes, schemaFiles } from './schema-files.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { writeFiles } from './write-files.ts';

/** Attributes of types by singular name, of components by uid. */
export type Schemas = Readonly<Record<string, Attributes>>;

/** Called in the body of a `describe`: makes a database as Lectern does for these schemas, and runs the statements. */
export function useMadeDatabases(engine: EngineName): (schemas: Schemas, ...statements: readonly string[]) => Promise<Database> {
  /** One for all tests with a schema for each, as a database takes longer to make than most tests to run. */
  let server: TestDatabase | undefined;
  let tests = 0;
  afterAll(() => server?.drop());

  async function emptyPostgres(): Promise<Database> {
    server ??= await createDatabase('postgres');
    const connectionString = server.url;
    const connect = (schema?: string) =>
      openPostgresDatabase({
        connection: { connectionString, max: 3 },
        schema,
        statementTime: 60_000,
        connectionTime: 10_000,
        databaseOrder: false,
        preparedStatements: true,
      });
    const schema = `test_${++tests}`;
    const administrator = connect();
    await run(administrator, `CREATE SCHEMA ${schema}`);
    await administrator.close();
    return connect(schema);
  }

  /** Each test has a database of its own, since its tables have no schema. */
  async function emptyMysql(): Promise<Database> {
    const made = await createDatabase(engine);
    const database = await openMysqlDatabase({
      hosts: new ServerHosts([{ name: engine, address: { uri: made.url ?? '' } }], 10_000),
      poolMin: 1,
      poolMax: 3,
      statementTime: 60_000,
      connectionTime: 10_000,
      databaseOrder: false,
      currentReads: 'writers',
    });
    onTestFinished(async () => {
      await database.close();
      await made.drop();
    });
    return database;
  }

  async function emptyDatabase(): Promise<Database> {
    if (speaksMysql(engine)) return emptyMysql();
    const database = engine === 'sqlite' ? openSqliteDatabase(join(temporaryFolder(), 'data.db'), { create: true }) : await emptyPostgres();
    onTestFinished(() => database.close());
    return database;
  }

  return async (schemas, ...statements) => {
    const database = await emptyDatabase();
    await prepareDatabase(database, modelOf(schemas), auto);
    await run(database, ...statements);
    return database;
  };
}

export function modelOf(schemas: Schemas): ContentModel {
  const isComponent = (name: string) => name.startsWith('part.');
  const all = Object.entries(schemas);
  const types = all.filter(([name]) => !isComponent(name)).map(([name, attributes]) => [name, { drafts: true, attributes }]);
  const components = all.filter(([name]) => isComponent(name)).map(([uid, attributes]) => [uid.replace('part.', ''), attributes]);
  return modelOfFiles(schemaFiles(Object.fromEntries(types), Object.fromEntries(components)));
}

export function modelOfFiles(files: ReturnType<typeof schemaFiles>): ContentModel {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'src/api'), { recursive: true });
  writeFiles(dir, files);
  const result = loadModel(dir, { customFields: {}, asStrapi: false });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.model;
}

export const run = (database: Database, ...texts: readonly string[]) =>
  database.write(async (connection) => {
    for (const text of texts) await connection.query(text, []);
  });
export const rows = (database: Database, text: string) => database.read((connection) => connection.query(text, []));
export const columnsOf = async (database: Database, table: string) => [
  ...((await database.tables()).find(({ name }) => name === table)?.columns.keys() ?? []),
];
export const tableNames = async (database: Database) => (await database.tables()).map(({ name }) => name);

export const now = new Date('2026-11-21T12:00:00Z');
export const auto = { migrate: 'auto' } as const;
export const choices = (renames: readonly string[] = [], allowDestructive = false) => ({ renames, allowDestructive });
export const plan = async (database: Database, model: ContentModel, ...chosen: Parameters<typeof choices>) => {
  const changes = await planDatabase(database, model, { choices: choices(...chosen), now });
  if ('ok' in changes) throw new Error(changes.problems.join('\n'));
  return changes;
};
export const apply = async (database: Database, model: ContentModel, ...chosen: Parameters<typeof choices>) => {
  const done = await migrateDatabase(database, model, choices(...chosen), now);
  if (!done.ok) throw new Error(done.problems.join('\n'));
  return done;
};

export const string = { type: 'string' };
export const text = { type: 'text' };
export const toMany = (target: string) => ({ type: 'relation', relation: 'manyToMany', target: `api::${target}.${target}` });
export const ownColumn = { type: 'relation', relation: 'oneToOne', target: 'plugin::users-permissions.user', useJoinTable: false };
