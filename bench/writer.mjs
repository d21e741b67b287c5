/** `node writer.mjs JSON`: changes the time of one row after another in separate transactions, like a program for editors. The JSON is
 *  `{ env, table, perSecond }`, with the database in `env`. Lines on standard input make it `pause` and `resume`, beginning paused; at their end it
 *  prints what it did. */
import { createInterface } from 'node:readline';
import pg from 'pg';
import { source } from './source.mjs';

const { env, table, perSecond } = JSON.parse(process.argv[2]);
const name = `"${table.replaceAll('"', '""')}"`;

async function openPostgres(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`SELECT id FROM ${name} ORDER BY id`);
  const touch = `UPDATE ${name} SET updated_at = updated_at + interval '1 millisecond' WHERE id = $1`;
  return {
    ids: rows.map(({ id }) => id),
    touch: (id) => client.query({ name: 'touch', text: touch, values: [id] }),
    close: () => client.end(),
  };
}

async function openSqlite(file) {
  const { Driver: BetterSqlite3 } = await source('dialects/sqlite-driver.ts');
  const database = new BetterSqlite3(file, { fileMustExist: true, timeout: 5000 });
  const statement = database.prepare(`UPDATE ${name} SET updated_at = updated_at + 1 WHERE id = ?`);
  return {
    ids: database.prepare(`SELECT id FROM ${name} ORDER BY id`).pluck().all(),
    touch: async (id) => statement.run(id),
    close: async () => database.close(),
  };
}

const { ids, touch, close } = await (env.DATABASE_URL === undefined ? openSqlite(env.DATABASE_FILENAME) : openPostgres(env.DATABASE_URL));

let commits = 0;
/** Milliseconds of earlier times without a pause, and the beginning of this one. */
let earlier = 0;
let since;
const elapsed = () => (earlier + (since === undefined ? 0 : Date.now() - since)) / 1000;
let busy = false;
const timer = setInterval(
  async () => {
    if (busy || since === undefined || commits >= elapsed() * perSecond) return;
    busy = true;
    await touch(ids[commits % ids.length]);
    commits++;
    busy = false;
  },
  Math.max(1, 500 / perSecond),
);

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'resume') since ??= Date.now();
  if (line === 'pause' && since !== undefined) {
    earlier += Date.now() - since;
    since = undefined;
  }
}
clearInterval(timer);
while (busy) await new Promise((resolve) => setTimeout(resolve, 5));
const figures = { commits, seconds: elapsed() };
await close();
process.stdout.write(JSON.stringify(figures));
