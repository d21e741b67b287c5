import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Database } from '../dialects/database.ts';
import { openSqliteDatabase } from '../dialects/sqlite-connection.ts';
import type { ContentModel } from '../model/content-model.ts';
import { loadModel } from '../model/load/load-model.ts';
import { migrateDatabase, prepareDatabase } from './prepare-database.ts';

const recordedProject = fileURLToPath(new URL('../../test/compatibility/recordings/reads/project', import.meta.url));

function emptyDatabase(): Database {
  const database = openSqliteDatabase(join(temporaryFolder(), 'data.db'), { create: true });
  onTestFinished(() => database.close());
  return database;
}

function model(dir: string): ContentModel {
  const result = loadModel(dir, { customFields: {}, asStrapi: false });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.model;
}

function noteModel(attributes: object): ContentModel {
  const dir = temporaryFolder();
  const file = join(dir, 'src/api/note/content-types/note/schema.json');
  mkdirSync(dirname(file), { recursive: true });
  const schema = {
    info: { singularName: 'note', pluralName: 'notes' },
    collectionName: 'notes',
    options: { draftAndPublish: true },
    attributes,
  };
  writeFileSync(file, JSON.stringify(schema));
  return model(dir);
}

const run = (database: Database, text: string) => database.write((connection) => connection.query(text, []));
const rows = (database: Database, text: string) => database.read((connection) => connection.query(text, []));
const auto = { migrate: 'auto' } as const;
const never = { migrate: 'never' } as const;

describe('an empty database', () => {
  it('gets all tables and the rows of a new project', async () => {
    const database = emptyDatabase();
    expect(await prepareDatabase(database, model(recordedProject), auto)).toMatchObject({ ok: true, outcome: 'created', origin: 'nobody' });
    expect(
      await rows(
        database,
        'SELECT r.type, p.action, l.permission_ord FROM up_permissions p JOIN up_permissions_role_lnk l ON l.permission_id = p.id JOIN up_roles r ON r.id = l.role_id ORDER BY r.id, l.permission_ord',
      ),
    ).toEqual([
      ['authenticated', 'plugin::users-permissions.auth.logout', 1],
      ['authenticated', 'plugin::users-permissions.auth.getSessions', 2],
      ['authenticated', 'plugin::users-permissions.auth.revokeSession', 3],
      ['authenticated', 'plugin::users-permissions.user.me', 4],
      ['authenticated', 'plugin::users-permissions.auth.changePassword', 5],
      ['public', 'plugin::users-permissions.auth.callback', 1],
      ['public', 'plugin::users-permissions.auth.connect', 2],
      ['public', 'plugin::users-permissions.auth.forgotPassword', 3],
      ['public', 'plugin::users-permissions.auth.resetPassword', 4],
      ['public', 'plugin::users-permissions.auth.register', 5],
      ['public', 'plugin::users-permissions.auth.emailConfirmation', 6],
      ['public', 'plugin::users-permissions.auth.sendEmailConfirmation', 7],
      ['public', 'plugin::users-permissions.auth.refresh', 8],
    ]);
    expect(await rows(database, 'SELECT name, code FROM i18n_locale')).toEqual([['English (en)', 'en']]);
    expect(await rows(database, "SELECT value, type FROM strapi_core_store_settings WHERE key = 'plugin_i18n_default_locale'")).toEqual([
      ['"en"', 'string'],
    ]);
    expect(await rows(database, 'SELECT count(*) FROM up_roles WHERE published_at IS NOT NULL AND length(document_id) = 24')).toEqual([
      [2],
    ]);
  });

  it('is complete afterwards: a second start changes nothing', async () => {
    const database = emptyDatabase();
    await prepareDatabase(database, model(recordedProject), auto);
    expect(await prepareDatabase(database, model(recordedProject), auto)).toEqual({
      ok: true,
      outcome: 'unchanged',
      origin: 'lectern',
      statements: [],
      rows: [],
      changedTypes: [],
      openDecisions: '',
      hasOpenChanges: false,
    });
  });

  it('is left alone with migrate: never', async () => {
    const database = emptyDatabase();
    expect(await prepareDatabase(database, noteModel({}), never)).toMatchObject({ ok: false, origin: 'nobody' });
    expect(await database.tables()).toEqual([]);
  });

  it('may be created by two processes at once', async () => {
    const database = emptyDatabase();
    const notes = noteModel({});
    const outcomes = await Promise.all([prepareDatabase(database, notes, auto), prepareDatabase(database, notes, auto)]);
    expect(outcomes.map((each) => each.ok && each.outcome).sort()).toEqual(['created', 'unchanged']);
    expect(await rows(database, 'SELECT count(*) FROM up_roles')).toEqual([[2]]);
  });

  it('may be shared with another program', async () => {
    const database = emptyDatabase();
    await run(database, 'CREATE TABLE invoices (id integer)');
    expect(await prepareDatabase(database, noteModel({}), auto)).toMatchObject({ ok: true, outcome: 'created' });
  });
});

describe('a database that Lectern made', () => {
  const before = { title: { type: 'string' } };
  const after = {
    ...before,
    body: { type: 'richtext' },
    owner: { type: 'relation', relation: 'oneToOne', target: 'plugin::users-permissions.user', useJoinTable: false },
    similar: { type: 'relation', relation: 'manyToMany', target: 'api::note.note' },
  };

  it('gets what new attributes need', async () => {
    const database = emptyDatabase();
    await prepareDatabase(database, noteModel(before), auto);
    const result = await prepareDatabase(database, noteModel(after), auto);
    expect(result).toMatchObject({ ok: true, outcome: 'extended' });
    const notes = (await database.tables()).find((table) => table.name === 'notes');
    expect([...(notes?.columns.keys() ?? [])].slice(-2)).toEqual(['body', 'owner_id']);
    expect(notes?.indexes).toContain('notes_owner_id_fk');
    expect((await database.tables()).map((table) => table.name)).toContain('notes_similar_lnk');
    expect(await prepareDatabase(database, noteModel(after), auto)).toMatchObject({ outcome: 'unchanged' });
  });

  it('keeps columns and tables that no attribute needs any more', async () => {
    const database = emptyDatabase();
    await prepareDatabase(database, noteModel(after), auto);
    expect(await prepareDatabase(database, noteModel(before), auto)).toMatchObject({ outcome: 'unchanged' });
    expect((await database.tables()).map((table) => table.name)).toContain('notes_similar_lnk');
  });

  it('is only reported on with migrate: never', async () => {
    const database = emptyDatabase();
    await prepareDatabase(database, noteModel(before), auto);
    expect(await prepareDatabase(database, noteModel(after), never)).toEqual({
      ok: false,
      origin: 'lectern',
      problems: [
        'The database has no table "notes_similar_lnk" for the attribute "similar" of api::note.note (src/api/note/content-types/note/schema.json). Run `lectern migrate apply` to add it.',
        'The table "notes" has no column "body" for the attribute "body" of api::note.note (src/api/note/content-types/note/schema.json). Run `lectern migrate apply` to add it.',
        'The table "notes" has no column "owner_id" for the attribute "owner" of api::note.note (src/api/note/content-types/note/schema.json). Run `lectern migrate apply` to add it.',
      ],
      startRepairs: true,
      openDecisions: '',
      hasOpenChanges: false,
    });
  });
});

describe('a database that Strapi made', () => {
  async function strapiDatabase(): Promise<Database> {
    const database = emptyDatabase();
    await prepareDatabase(database, noteModel({ title: { type: 'string' } }), auto);
    await run(database, 'CREATE TABLE strapi_database_schema (id integer)');
    return database;
  }

  it('is never changed at the start, but missing tables are reported', async () => {
    const database = await strapiDatabase();
    const before = await database.tables();
    expect(await prepareDatabase(database, noteModel({ body: { type: 'text' } }), auto)).toEqual({
      ok: false,
      origin: 'strapi',
      problems: [
        'The table "notes" has no column "body" for the attribute "body" of api::note.note (src/api/note/content-types/note/schema.json). Start Strapi once with these schemas, or run `lectern migrate apply` to add it.',
      ],
      startRepairs: false,
      openDecisions: '',
      hasOpenChanges: false,
    });
    expect(await database.tables()).toEqual(before);
  });

  it('serves without the tables that only its admin panel uses, and without our own indexes', async () => {
    const database = await strapiDatabase();
    await run(database, 'DROP TABLE admin_permissions_api_token_lnk');
    await run(database, 'DROP INDEX lectern_notes_published');
    expect(await prepareDatabase(database, noteModel({ title: { type: 'string' } }), auto)).toMatchObject({
      ok: true,
      outcome: 'unchanged',
    });
  });

  it('gets the missing tables when a person asks for it', async () => {
    const database = await strapiDatabase();
    expect(await migrateDatabase(database, noteModel({ body: { type: 'text' } }))).toMatchObject({
      ok: true,
      outcome: 'changed',
      origin: 'strapi',
      changes: { work: [expect.stringContaining('ADD COLUMN')] },
    });
  });
});

it('refuses a database in which another program has tables of the same names', async () => {
  const database = emptyDatabase();
  await run(database, 'CREATE TABLE notes (id integer)');
  expect(await prepareDatabase(database, noteModel({}), auto)).toMatchObject({
    ok: false,
    origin: 'foreign',
    problems: [expect.stringContaining('"notes"')],
  });
});
