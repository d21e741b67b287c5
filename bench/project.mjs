/** Creates a temporary project with its own database: the example's with more articles, or a copy of another one. */
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contents } from './contents.mjs';
import { source } from './source.mjs';

const { Driver: BetterSqlite3 } = await source('dialects/sqlite-driver.ts');

const root = fileURLToPath(new URL('..', import.meta.url));
const day = 86_400_000;

/** `content` names one of contents.mjs; `database`, with the schemas in `dir`, is the copy of another SQLite file in its place.
 *  @returns {Promise<{dir: string, database: string, remove: () => void}>} */
export async function makeProject({ content = 'own', dir, database, articles }, printProgress) {
  const temporary = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
  const remove = () => rmSync(temporary, { recursive: true, force: true });
  try {
    const file = join(temporary, 'data.db');
    copySchemas(dir ?? contents[content].dir, temporary);
    // The database is copied, because the benchmark writes to it and a running Strapi may do so too.
    if (database === undefined) {
      cpSync(await seededDatabase(contents[content], articles, printProgress), file);
      openToWriters(file);
    } else await copyLiveDatabase(database, file);
    return { dir: temporary, database: file, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The documentIds of the articles that were made; empty for a database that the benchmark has not made. */
export function documentsOf(file, { slug }) {
  if (slug === undefined) return [];
  const database = new BetterSqlite3(file, { readonly: true });
  const select = database.prepare('SELECT document_id FROM articles WHERE slug LIKE ? AND published_at IS NOT NULL ORDER BY id');
  const documents = select.pluck().all(slug.value('%'));
  database.close();
  return documents;
}

/** Grants the public the right to write articles: the benchmark does not measure the identification of callers. */
function openToWriters(file) {
  const database = new BetterSqlite3(file);
  const role = database.prepare("SELECT id FROM up_roles WHERE type = 'public'").pluck().get();
  const permission = database.prepare(
    'INSERT INTO up_permissions (document_id, action, created_at, updated_at, published_at) VALUES (?, ?, 0, 0, 0)',
  );
  const link = database.prepare('INSERT INTO up_permissions_role_lnk (permission_id, role_id, permission_ord) VALUES (?, ?, 99)');
  for (const action of ['create', 'update', 'publish']) {
    const { lastInsertRowid } = permission.run(randomBytes(12).toString('hex'), `api::article.article.${action}`);
    link.run(lastInsertRowid, role);
  }
  database.close();
}

/** Copies the schema files and Lectern's own settings, but no `.env`, which may name another database. */
function copySchemas(from, to) {
  const source = join(from, 'src');
  if (!existsSync(source)) throw new Error(`${from} has no folder src: it is no project`);
  cpSync(source, join(to, 'src'), {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules' && (statSync(path).isDirectory() || path.endsWith('.json')),
  });
  for (const name of ['lectern.config.json', 'package.json']) {
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name));
  }
}

export async function copyLiveDatabase(from, to) {
  const handle = new BetterSqlite3(from, { readonly: true, fileMustExist: true });
  try {
    await handle.backup(to);
  } finally {
    handle.close();
  }
}

/** The path of a database that is seeded once for each state of the schemas and the seeding code, and cached in the system's temporary folder. */
async function seededDatabase({ sources, seed }, articles, printProgress) {
  const key = hash(sources, articles);
  const file = join(tmpdir(), `lectern-bench-${key}.db`);
  forgetOldOnes(file);
  if (existsSync(file)) {
    utimesSync(file, new Date(), new Date());
    return file;
  }
  printProgress(`Seeding ${articles.toLocaleString('en')} articles, once …`);
  const made = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await seed(made, articles);
    renameSync(made, file);
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(made + end, { force: true });
  }
  return file;
}

function hash(paths, articles) {
  const digest = createHash('sha256').update(String(articles));
  for (const file of paths.flatMap(filesBelow).sort()) {
    if (file.endsWith('.map') || file.endsWith('.png')) continue;
    digest.update(`\n${relative(root, file)}\n`).update(readFileSync(file));
  }
  return digest.digest('hex').slice(0, 16);
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}

function forgetOldOnes(current) {
  for (const name of readdirSync(tmpdir())) {
    const file = join(tmpdir(), name);
    if (!/^lectern-bench-[0-9a-f]{16}\.db/.test(name) || file === current) continue;
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > day) rmSync(file, { force: true });
  }
}
