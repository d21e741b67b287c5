/** `node writer.mjs DATABASE TABLE WRITES`: changes the time of one row after another in separate transactions, WRITES times a second, like a program
 *  for editors. Prints its counts when it is stopped. */
import { Driver as BetterSqlite3 } from '../dist/dialects/sqlite-driver.js';

const [file, table, writes] = process.argv.slice(2);
const database = new BetterSqlite3(file, { fileMustExist: true, timeout: 5000 });
const name = `"${table.replaceAll('"', '""')}"`;
const ids = database.prepare(`SELECT id FROM ${name} ORDER BY id`).pluck().all();
const touch = database.prepare(`UPDATE ${name} SET updated_at = updated_at + 1 WHERE id = ?`);

const since = Date.now();
let commits = 0;
const seconds = () => (Date.now() - since) / 1000;
const timer = setInterval(
  () => {
    if (commits >= seconds() * Number(writes)) return;
    touch.run(ids[commits % ids.length]);
    commits++;
  },
  Math.max(1, 500 / Number(writes)),
);

process.on('SIGTERM', () => {
  clearInterval(timer);
  database.close();
  process.stdout.write(JSON.stringify({ commits, seconds: seconds() }));
});
