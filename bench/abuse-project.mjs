/** The project that `abuse.mjs` attacks: types that the attacks need, many rows, users, and rights for all callers. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import bcrypt from 'bcrypt';
import { lecternPrints, startLectern } from './processes.mjs';
import { source } from './source.mjs';

const { Driver: BetterSqlite3 } = await source('dialects/sqlite-driver.ts');

const string = { type: 'string' };
const text = { type: 'text' };
const relation = (kind, target) => ({ type: 'relation', relation: kind, target: `api::${target}.${target}` });
const parts = (name) => ({ type: 'component', component: `part.${name}`, repeatable: true });

const types = {
  thing: { name: string },
  note: { title: string, body: text, tags: relation('manyToMany', 'tag'), files: { type: 'media', multiple: true } },
  giant: { body: text },
  page: { title: string, body: text },
  tag: { name: string, pages: relation('manyToMany', 'page') },
  kit: { title: string, parts: parts('plain'), codes: parts('code') },
  vault: Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`secret${index}`, { type: 'password' }])),
};
const components = { plain: { label: string }, code: { code: { type: 'string', unique: true } } };

export const users = 400;
export const password = 'Abuse-bench-1';

/** How many rows of each kind there are. */
export const sizes = { notes: 30_000, giants: 3, pages: 400, tags: 25 };

/** @returns {Promise<{dir: string, database: string, token: string, env: object, remove: () => void}>} */
export async function makeAbusedProject(printProgress) {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-abuse-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    for (const [name, attributes] of Object.entries(types)) {
      write(join(dir, `src/api/${name}/content-types/${name}/schema.json`), {
        kind: 'collectionType',
        collectionName: `${name}s`,
        info: { singularName: name, pluralName: `${name}s`, displayName: name },
        options: { draftAndPublish: false },
        attributes,
      });
    }
    for (const [name, attributes] of Object.entries(components)) {
      write(join(dir, `src/components/part/${name}.json`), {
        collectionName: `components_part_${name}s`,
        info: { displayName: name },
        attributes,
      });
    }
    const database = join(dir, 'data.db');
    const env = {
      JWT_SECRET: randomBytes(32).toString('hex'),
      API_TOKEN_SALT: randomBytes(16).toString('hex'),
      LECTERN_PROFILE: 'specification',
      LECTERN_AUTH_HTTP_ONLY: 'false',
      LECTERN_PUBLIC_DIR: join(dir, 'public'),
    };
    printProgress('Seeding …');
    // The first start creates the tables.
    const server = await startLectern({ dir, database }, undefined, env);
    await server.stop();
    await fill(database);
    const token = await lecternPrints(['token', 'create', '--dir', dir, '--name', 'bench', '--type', 'full-access'], {
      ...env,
      DATABASE_CLIENT: 'sqlite',
      DATABASE_FILENAME: database,
    });
    return { dir, database, token, env, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function write(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

async function fill(file) {
  const database = new BetterSqlite3(file);
  const insert = (table, row) => {
    const names = Object.keys(row);
    const marks = names.map(() => '?').join(', ');
    return Number(
      database.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`).run(...Object.values(row)).lastInsertRowid,
    );
  };
  const document = () => ({ document_id: randomBytes(12).toString('hex'), created_at: 0, updated_at: 0, published_at: 0 });
  const hash = await bcrypt.hash(password, 10);
  database.transaction(() => {
    const role = (type) => database.prepare('SELECT id FROM up_roles WHERE type = ?').pluck().get(type);
    const allow = (type, action) =>
      insert('up_permissions_role_lnk', {
        permission_id: insert('up_permissions', { ...document(), action }),
        role_id: role(type),
        permission_ord: 1,
      });
    for (const name of Object.keys(types)) {
      for (const action of ['find', 'findOne', 'create', 'update']) allow('public', `api::${name}.${name}.${action}`);
    }
    allow('authenticated', 'plugin::users-permissions.role.findOne');
    for (let index = 0; index < users; index++) {
      const name = `user${index}`;
      const user = insert('up_users', {
        ...document(),
        username: name,
        email: `${name}@example.org`,
        provider: 'local',
        password: hash,
        confirmed: 1,
        blocked: 0,
      });
      insert('up_users_role_lnk', { user_id: user, role_id: role('authenticated'), user_ord: index });
    }
    const sentence = 'The quick brown fox jumps over the lazy dog. '.repeat(8);
    for (let index = 0; index < sizes.notes; index++) insert('notes', { ...document(), title: `Note ${index}`, body: sentence });
    for (let index = 0; index < sizes.giants; index++) insert('giants', { ...document(), body: 'a'.repeat(1_000_000) });
    insert('things', { ...document(), name: 'thing' });
    const body = 'x'.repeat(500_000);
    const pages = Array.from({ length: sizes.pages }, (_, index) => insert('pages', { ...document(), title: `Page ${index}`, body }));
    for (let index = 0; index < sizes.tags; index++) {
      const tag = insert('tags', { ...document(), name: `Tag ${index}` });
      for (const [order, page] of pages.entries()) insert('tags_pages_lnk', { tag_id: tag, page_id: page, page_ord: order });
    }
    const big = insert('files', {
      ...document(),
      name: 'secret-file.txt',
      url: '/uploads/secret-file.txt',
      mime: 'text/plain',
      ext: '.txt',
      size: 1,
      provider: 'local',
      hash: 'secret-file',
    });
    if (big !== 1) throw new Error('the library is not empty');
  })();
  database.close();
}
