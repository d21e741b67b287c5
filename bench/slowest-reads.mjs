/** `node bench/slowest-reads.mjs`: runs the recorded reads on a database with many articles, and prints those whose statements take longest.
 *  Only the database's own time is counted: on PostgreSQL that of EXPLAIN ANALYZE, on SQLite the
 *  processor time of its statements, which other programs on the machine disturb less. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { contents } from './contents.mjs';
import { inPostgres } from './postgres.mjs';
import { applyIndexes } from './prepare.mjs';
import { makeProject } from './project.mjs';
import { machineLine, printProgress, short, table } from './report.mjs';
import { source } from './source.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/slowest-reads.mjs [options]

  --engine NAME     sqlite or postgres (sqlite)
  --postgres URL    the server (postgres://postgres@127.0.0.1:5432/postgres)
  --articles N      articles to make (100000)
  --indexes         with the indexes that Lectern proposes
  --analyze         SQLite: with statistics, as after ANALYZE
  --shown N         reads to print (10)
  --only TEXT       only paths that hold this text; may be given several times
  --against DIR     another checkout, in turns: its times and the ratio
  --explain         print the slowest statement of each, and how the database runs it
`;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const { values: options } = parseArgs({
  options: {
    help: flag,
    engine: text,
    postgres: text,
    articles: text,
    indexes: flag,
    analyze: flag,
    shown: text,
    only: { type: 'string', multiple: true },
    against: text,
    explain: flag,
  },
});
const engine = options.engine ?? 'sqlite';
const articles = Number(options.articles ?? 100_000);
const shown = Number(options.shown ?? 10);
const server = options.postgres ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const recordings = fileURLToPath(new URL('../test/compatibility/recordings/reads', import.meta.url));
/** All reads are run once on a database with at most this many articles. */
const fewArticles = 10_000;
/** The slowest of them are measured with all articles: this many times as many as are printed. */
const candidates = 2;
/** Each of these is run this many times, and its fastest run counts. */
const runs = 3;

/** The paths of all recorded reads that had a result, once each. */
function recordedPaths() {
  const paths = new Set();
  for (const folder of ['reads', 'reads-lenient']) {
    for (const name of readdirSync(join(recordings, folder))) {
      if (!name.endsWith('.json')) continue;
      for (const { request, response } of JSON.parse(readFileSync(join(recordings, folder, name), 'utf8')))
        if (request.method === 'GET' && response.status === 200) paths.add(request.path);
    }
  }
  const only = options.only ?? [''];
  return [...paths].filter((path) => only.some((part) => decoded(path).includes(part)));
}

/** Some of the recorded paths are malformed on purpose. */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A database with so many articles. */
async function makeDatabase(count, cleanUps) {
  const project = await makeProject({ content: 'strapi', articles: count }, printProgress);
  cleanUps.push(project.remove);
  const sqlite = { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: project.database };
  const env = engine === 'sqlite' ? sqlite : await inPostgres(server, project, cleanUps);
  if (options.indexes) await applyIndexes(project, env, { names: contents.strapi.names, articles: count });
  return { dir: project.dir, env };
}

async function run(cleanUps) {
  const sides = [await source('../bench/read-stages.mjs')];
  if (options.against !== undefined) {
    const other = await import(pathToFileURL(join(options.against, 'bench/source.mjs')).href);
    sides.push(await other.source('../bench/read-stages.mjs'));
  }
  const open = async (openReads, { dir, env }) => {
    const reads = await openReads(dir, env);
    cleanUps.push(reads.close);
    if (options.analyze) await reads.database.write((connection) => connection.query('ANALYZE', []));
    return reads;
  };

  const small = await open(sides[0].openReads, await makeDatabase(Math.min(articles, fewArticles), cleanUps));
  const measured = [];
  for (const path of recordedPaths()) {
    const first = await timeOf(small, path);
    if (first !== undefined) measured.push({ path, first: first.total });
  }
  measured.sort((a, b) => b.first - a.first);
  printProgress(`${measured.length} reads were run; the slowest are run again on ${articles} articles`);

  const database = await makeDatabase(articles, cleanUps);
  const opened = [];
  for (const { openReads } of sides) opened.push(await open(openReads, database));
  const slowest = measured.slice(0, shown * candidates);
  for (const each of slowest) {
    each.best = opened.map(() => undefined);
    for (let turn = 0; turn < runs; turn++) {
      for (const [index, side] of opened.entries()) {
        const taken = await timeOf(side, each.path);
        if (taken !== undefined && !(taken.total >= each.best[index]?.total)) each.best[index] = taken;
      }
    }
  }
  const refused = slowest.filter(({ best }) => best.includes(undefined));
  const answered = slowest.filter(({ best }) => !best.includes(undefined)).sort((a, b) => b.best[0].total - a.best[0].total);
  console.log(`\n${machineLine()}, ${engine}, ${articles} articles; ${measured.length} reads\n`);
  const head = ['read', 'ms', 'slowest statement, ms', ...(opened.length > 1 ? ['other, ms', 'ratio'] : [])];
  const rows = answered
    .slice(0, shown)
    .map(({ path, best: [own, other] }) => [
      decoded(path).replaceAll('|', '\\|'),
      short(own.total),
      short(own.slowest.milliseconds),
      ...(other === undefined ? [] : [short(other.total), short(other.total / own.total)]),
    ]);
  console.log(table(head, rows));
  for (const { path } of refused) console.log(`\nBeyond a limit: ${decoded(path)}`);
  if (options.explain) {
    for (const { path, best } of answered.slice(0, shown)) {
      for (const [index, { slowest: statement }] of best.entries()) {
        console.log(
          `\n--- ${decoded(path)}${index === 0 ? '' : ', other checkout'}: ${short(statement.milliseconds)} ms\n${statement.text}`,
        );
        console.log((await planOf(opened[index].database, statement)).join('\n'));
      }
    }
  }
}

/** The total time of a read's statements, and the slowest of them; undefined if the read is refused. */
async function timeOf({ run, database }, path) {
  let statements;
  try {
    statements = await run(path);
  } catch {
    return undefined;
  }
  if (engine === 'postgres') {
    for (const statement of statements) statement.milliseconds = await executionTime(database, statement);
  }
  const total = statements.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return { total, slowest: statements.reduce((most, each) => (each.milliseconds > most.milliseconds ? each : most)) };
}

async function executionTime(database, { text, values }) {
  const [[found]] = await database.read((connection) => connection.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values));
  return found[0]['Execution Time'];
}

async function planOf(database, { text, values }) {
  const how = engine === 'postgres' ? 'EXPLAIN (ANALYZE, COSTS OFF)' : 'EXPLAIN QUERY PLAN';
  const rows = await database.read((connection) => connection.query(`${how} ${text}`, values));
  return rows.map((row) => String(row.at(-1)));
}

if (options.help) console.log(usage);
else await withCleanUps(run);
