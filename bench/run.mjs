/** `npm run bench`: measures reads of ten thousand articles, in turns with other servers of the same content, and with a bare Fastify route that sends the
 *  same bytes. Client and servers share this machine: compare ratios first. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, UsageError } from './options.mjs';
import { postgresVersion } from './postgres.mjs';
import { applyIndexes, preparations, saveDatabase } from './prepare.mjs';
import { startBareFastify, startHandWritten, startLectern, startWriter } from './processes.mjs';
import { machine, machineLine, overview, printProgress, rounded, scenarioTable } from './report.mjs';
import { runsOf } from './runs.mjs';
import { handWritten, makeScenarios } from './scenarios.mjs';
import { measureSlowQuery, slowQueryLine } from './slow-query.mjs';
import { measureMemory, measureStarts, memoryLine, startsLine } from './starts.mjs';
import { takeTurns } from './turns.mjs';
import { withCleanUps, withOwnCleanUps } from './with-clean-ups.mjs';

const responseTime = 20_000;

async function ask(base, path) {
  const response = await fetch(base + path, { signal: AbortSignal.timeout(responseTime) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${base}${decodeURIComponent(path)}: status ${response.status}: ${text.slice(0, 500)}`);
  const timing = response.headers.get('server-timing') ?? '';
  // A response from the cache takes no statement.
  const statements = /statements;desc="(\d+)"/.exec(timing)?.[1] ?? (timing.includes('desc=hit') ? '0' : '?');
  return { text, json: JSON.parse(text), statements };
}

/** Checks that responses are equal; otherwise the comparison would be meaningless. */
function checkEqual(name, own, other, { server, exactly = false }) {
  if (own.text === other.text) return;
  const difference = firstDifference(own.json, other.json);
  if (!exactly && difference === undefined) return;
  const message = `${name}: lectern and ${server} respond differently: ${difference ?? 'in the order of keys or in spaces'}`;
  if (exactly) throw new Error(message);
  printProgress(`Warning: ${message}`);
}

/** The path of the first value that differs, with both values; undefined if there is none. */
function firstDifference(own, other, path = '') {
  if (own === null || other === null || typeof own !== 'object' || typeof other !== 'object') {
    return own === other || isSameTime(own, other) ? undefined : `${path} is ${JSON.stringify(own)} and ${JSON.stringify(other)}`;
  }
  for (const key of new Set([...Object.keys(own), ...Object.keys(other)])) {
    const difference = firstDifference(own[key], other[key], path === '' ? key : `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
}

/** Strapi on PostgreSQL sends times as the database prints them, without zeros at the end. */
function isSameTime(own, other) {
  const time = /^\d\d:\d\d:\d\d\.\d{3}$/;
  return typeof other === 'string' && time.test(own) && own === (other.includes('.') ? other : `${other}.`).padEnd(12, '0');
}

/** The number of statements for the first response, and for later ones, when totals and lists are remembered. */
async function statementsOf(base, { paths }, first) {
  const numbers = [first];
  for (let number = 1; number <= 10; number++) numbers.push((await ask(base, paths[number % paths.length])).statements);
  const sorted = [...new Set(numbers)].sort((a, b) => Number(b) - Number(a));
  return sorted.length === 1 ? sorted[0] : `${sorted[0]}, then ${sorted.at(-1)}`;
}

/** The rows of a run: each with its paths, what Lectern responds, and its number of statements. */
async function rowsOf(lectern, { names, only, articles }) {
  const first = new Map();
  const all = await makeScenarios(
    names,
    async (path) => {
      const response = await ask(lectern.base, path);
      if (!first.has(path)) first.set(path, response.statements);
      return response.json;
    },
    articles,
  );
  const isWanted = (name) => only.some((part) => name.includes(part));
  const rows = all.filter(({ name }) => isWanted(name));
  const rowNames = [...all.map(({ name }) => name), 'slow query', 'start'];
  if (!rowNames.some(isWanted)) throw new UsageError(`--only: no row has this in its name. The rows are ${rowNames.join('; ')}`);
  for (const row of rows) {
    row.response = await ask(lectern.base, row.path);
    row.statements = await statementsOf(lectern.base, row, first.get(row.path));
  }
  return { rows, cheap: all.filter(({ name }) => name === 'list of 25' || name.startsWith('one document')).map(({ path }) => path) };
}

/** Starts the bare Fastify with the responses of Lectern. Returns what each row requests of it. */
async function startBare(rows, { dir }, cleanUps) {
  const folder = join(dir, 'responses');
  mkdirSync(folder);
  for (const [index, { response }] of rows.entries()) writeFileSync(join(folder, String(index)), response.text);
  const server = await startBareFastify(
    folder,
    rows.map(({ path }) => path.split('?')[0]),
  );
  cleanUps.push(() => server.stop());
  return (row) => ({ server: 'bare Fastify', ...server, paths: row.paths.map((path) => `/${rows.indexOf(row)}${path}`) });
}

/** The other servers of a row. */
async function rivalsOf(rows, options, { project, lectern, writer, cleanUps }) {
  const bare = await startBare(rows, project, cleanUps);
  // The hand-written server knows only the tables of the example.
  const knowsTables = options.content === 'own' && options.engine === 'sqlite' && options.writes === 0;
  const own = knowsTables && options.against === undefined ? await startHandWritten(project.database) : undefined;
  if (own !== undefined) cleanUps.push(() => own.stop());
  return (row) => [
    ...(options.against === undefined
      ? []
      : [{ server: options.againstName, base: options.against, pid: options.againstPid, paths: row.paths }]),
    ...(own === undefined || !handWritten.includes(row.name) ? [] : [{ server: 'hand-written', ...own, paths: row.paths, exactly: true }]),
    ...(writer === undefined ? [] : [{ server: 'without writes', ...lectern, paths: row.paths }]),
    bare(row),
  ];
}

/** One run: a server with its settings, on a database of its own. */
async function performRun(options, prepare, cleanUps) {
  printProgress(`\n${options.title}`);
  const { project, env: database } = await prepare(options, cleanUps);
  if (options.indexes) await applyIndexes(project, database, options);
  const env = {
    ...database,
    ...(options.cache === 'off' ? { LECTERN_CACHE_BYTES: '0' } : {}),
    ...(options.rowCache === 'off' ? { LECTERN_CACHE_ROW_BYTES: '0' } : {}),
    ...(options.consistency === undefined ? {} : { LECTERN_CACHE_CONSISTENCY: options.consistency }),
  };
  const start = (cpuProfile) => startLectern(project, cpuProfile, env);
  printProgress('Starting …');
  const starts = options.starts ? await measureStarts(() => start(), `/api/${options.names.collection}`) : undefined;
  const lectern = await start(options.cpuProfile);
  cleanUps.push(() => lectern.stop());

  const { rows, cheap } = await rowsOf(lectern, options);
  const table = options.names.collection.replaceAll('-', '_');
  const writer = options.writes > 0 ? startWriter({ env, table, perSecond: options.writes }) : undefined;
  const rivals = await rivalsOf(rows, options, { project, lectern, writer, cleanUps });
  const results = [];
  for (const row of rows) {
    const { name, path, paths, response, statements } = row;
    printProgress(`${name} …`);
    const others = rivals(row);
    for (const other of others.filter(({ base }) => base !== lectern.base))
      checkEqual(name, response, await ask(other.base, other.paths[0]), other);
    const own = { server: 'lectern', ...lectern, paths, begin: writer?.resume, end: writer?.pause };
    const sides = await takeTurns([own, ...others], options);
    results.push({ name, path, bytes: Buffer.byteLength(response.text), statements, sides });
  }
  const memory = measureMemory(lectern.pid);
  const otherMemory = options.againstPid === undefined ? undefined : measureMemory(options.againstPid);
  const written = await writer?.stop();
  const canBeSlow = options.slowQuery && options.names.search !== undefined;
  if (canBeSlow) printProgress('slow query …');
  const slowQuery = canBeSlow ? await measureSlowQuery({ base: lectern.base, names: options.names, cheap, seconds: 5 }) : undefined;
  return { title: options.title, results, starts, memory, otherMemory, against: options.againstName, slowQuery, written };
}

function print({ title, results, starts, memory, otherMemory, against, slowQuery, written }) {
  console.log(`\n## ${title}\n`);
  if (results.length > 0) console.log(`${scenarioTable(results)}\n`);
  for (const { name, sides } of results) {
    for (const { server, rounds } of sides) {
      const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
      if (failed === 0) continue;
      console.log(`${name}: ${failed} requests to ${server} failed: ${rounds.find(({ firstFailure }) => firstFailure).firstFailure}`);
      process.exitCode = 1;
    }
  }
  if (slowQuery !== undefined) console.log(slowQueryLine(slowQuery));
  if (starts !== undefined) console.log(startsLine(starts));
  console.log(memoryLine(memory));
  if (otherMemory !== undefined) console.log(`${against}: ${memoryLine(otherMemory)}`);
  if (written !== undefined) console.log(`Commits a second: ${rounded(written.commits / written.seconds, 1)}`);
}

await withCleanUps(async (cleanUps) => {
  const options = readOptions(process.argv.slice(2));
  if (options.help !== undefined) return console.log(options.help);
  if (!existsSync(fileURLToPath(new URL('../dist/lectern.js', import.meta.url))))
    throw new UsageError('Lectern is not built: npm run build');
  if (options.save !== undefined) return saveDatabase(options, cleanUps);

  const about = {
    ...machine(),
    ...(options.engine === 'postgres' ? { postgres: await postgresVersion(options.postgres) } : {}),
    command: process.argv.slice(2).join(' '),
  };
  const prepare = preparations(cleanUps);
  const runs = [];
  console.log(
    `# ${options.engine}${about.postgres === undefined ? '' : ` ${about.postgres}`}, database: ${options.content ?? options.database}`,
  );
  console.log(`\n${machineLine()}, rounds of ${options.seconds} s, 16 connections`);
  for (const each of runsOf(options)) {
    const run = await withOwnCleanUps(cleanUps, (own) => performRun(each, prepare, own));
    print(run);
    runs.push(run);
    // After each run, so that a later one that fails costs no figures.
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ ...about, runs }, null, 2)}\n`);
  }
  if (runs.length > 1) console.log(`\n## All runs\n\n${overview(runs)}`);
});
