/** `npm run bench`: measures reads of ten thousand articles, in turns with other servers of the same content, and with a bare Fastify route that sends the
 *  same bytes. Client and servers share this machine: compare ratios first. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, UsageError } from './options.mjs';
import { postgresVersion } from './postgres.mjs';
import { applyIndexes, preparations, saveDatabase } from './prepare.mjs';
import { startBareFastify, startLectern } from './processes.mjs';
import { documentsOf } from './project.mjs';
import { machine, machineLine, overview, printProgress, scenarioTable } from './report.mjs';
import { runsOf } from './runs.mjs';
import { makeScenarios } from './scenarios.mjs';
import { measureSlowQuery, slowQueryLine } from './slow-query.mjs';
import { measureMemory, measureStarts, memoryLine, startsLine } from './starts.mjs';
import { takeTurns } from './turns.mjs';
import { withCleanUps, withOwnCleanUps } from './with-clean-ups.mjs';
import { createWriter } from './writer.mjs';

const responseTime = 20_000;
/** Mixed traffic begins as many rounds before it is measured: what a site is asked for most is in the cache by then. */
const mixWarmUp = 3;
const bareName = 'bare Fastify';

async function ask(base, path) {
  const response = await fetch(base + path, { signal: AbortSignal.timeout(responseTime) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${base}${decodeURIComponent(path)}: status ${response.status}: ${text.slice(0, 500)}`);
  const timing = response.headers.get('server-timing') ?? '';
  // A response from the cache takes no statement.
  const statements = /statements;desc="(\d+)"/.exec(timing)?.[1] ?? (timing.includes('desc=hit') ? '0' : '?');
  return { text, json: JSON.parse(text), statements };
}

/** Responses should be equal; otherwise the comparison would be meaningless. */
function warnOfDifferences(name, own, other, { server }) {
  const difference = own.text === other.text ? undefined : firstDifference(own.json, other.json);
  if (difference !== undefined) printProgress(`Warning: ${name}: lectern and ${server} respond differently: ${difference}`);
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
async function rowsOf(lectern, made, { names, only, cache }) {
  const first = new Map();
  const all = await makeScenarios(
    names,
    async (path) => {
      const response = await ask(lectern.base, path);
      if (!first.has(path)) first.set(path, response.statements);
      return response.json;
    },
    made,
  );
  const isWanted = (name) => only.some((part) => name.includes(part));
  const rows = all.filter(({ name }) => isWanted(name));
  const rowNames = [...all.map(({ name }) => name), 'slow query', 'start'];
  if (!rowNames.some(isWanted)) throw new UsageError(`--only: no row has this in its name. The rows are ${rowNames.join('; ')}`);
  for (const row of rows) {
    const { name, samples, paths } = row;
    row.label = paths.length > 1 ? name : `${name} (equal requests${cache === 'on' ? ', cached' : ''})`;
    row.responses = [];
    for (const path of samples) row.responses.push(await ask(lectern.base, path));
    // Several kinds of requests have no common number.
    if (samples.length > 1) continue;
    row.bytes = Buffer.byteLength(row.responses[0].text);
    row.statements = await statementsOf(lectern.base, row, first.get(samples[0]));
  }
  return {
    rows,
    cheap: all.filter(({ name }) => name === 'list of 25' || name.startsWith('one document')).flatMap(({ samples }) => samples),
  };
}

async function compareResponses(name, samples, responses, others) {
  for (const other of others) {
    for (const [index, response] of responses.entries()) {
      const path = other.server === bareName ? other.paths[0] : samples[index];
      warnOfDifferences(name, response, await ask(other.base, path), other);
    }
  }
}

/** Starts the bare Fastify with the responses of Lectern. Returns what each row requests of it. */
async function startBare(rows, { dir }, cleanUps) {
  const folder = join(dir, 'responses');
  mkdirSync(folder);
  for (const [index, { responses }] of rows.entries()) writeFileSync(join(folder, String(index)), responses[0].text);
  const server = await startBareFastify(
    folder,
    rows.map(({ samples }) => samples[0].split('?')[0]),
  );
  cleanUps.push(() => server.stop());
  return (row) => ({ server: bareName, ...server, paths: row.paths.map((path) => `/${rows.indexOf(row)}${path}`) });
}

/** The other servers of a row. */
async function rivalsOf(rows, { against, againstName, againstPid }, { project, cleanUps }) {
  // It has one response for each row.
  const bare = await startBare(
    rows.filter(({ samples }) => samples.length === 1),
    project,
    cleanUps,
  );
  return (row) => [
    ...(against === undefined ? [] : [{ server: againstName, base: against, pid: againstPid, paths: row.paths }]),
    ...(row.samples.length === 1 ? [bare(row)] : []),
  ];
}

/** Each server of the row gets the writes beside its own rounds. */
function withWriters(sides, { writes }, { names, documents }) {
  if (writes === undefined) return sides;
  return sides.map((side) => ({ ...side, ...createWriter(side.base, { documents, attribute: names.mix.counter, perSecond: writes }) }));
}

/** One run: a server with its settings, on a database of its own. */
async function performRun(options, prepare, cleanUps) {
  printProgress(`\n${options.title}`);
  const { project, env: database } = await prepare(options, cleanUps);
  if (options.indexes) await applyIndexes(project, database, options);
  const env = {
    ...database,
    ...(options.cache === 'off' ? { LECTERN_CACHE_BYTES: '0' } : {}),
    ...(options.consistency === undefined ? {} : { LECTERN_CACHE_CONSISTENCY: options.consistency }),
  };
  const start = (cpuProfile) => startLectern(project, cpuProfile, env);
  printProgress('Starting …');
  const starts = options.starts ? await measureStarts(() => start(), `/api/${options.names.collection}`) : undefined;
  const lectern = await start(options.cpuProfile);
  cleanUps.push(() => lectern.stop());

  const { names, articles, writes } = options;
  const documents = documentsOf(project.database, names);
  const { rows, cheap } = await rowsOf(lectern, { articles, documents, writes }, options);
  const rivals = await rivalsOf(rows, options, { project, cleanUps });
  const results = [];
  for (const row of rows) {
    const { name, label, samples, paths, responses, bytes, statements } = row;
    printProgress(`${name} …`);
    const others = rivals(row);
    // Writes have changed different articles on each of them.
    if (row.writes === undefined) await compareResponses(name, samples, responses, others);
    const servers = withWriters([{ server: 'lectern', ...lectern, paths }, ...others], row, { names, documents });
    const { seconds, rounds } = options;
    const sides = await takeTurns(servers, { seconds, rounds, ...(samples.length > 1 ? { warmUp: mixWarmUp * seconds } : {}) });
    results.push({ name, label, path: samples[0], bytes, statements, sides });
  }
  const memory = measureMemory(lectern.pid);
  const otherMemory = options.againstPid === undefined ? undefined : measureMemory(options.againstPid);
  const canBeSlow = options.slowQuery && names.search !== undefined;
  if (canBeSlow) printProgress('slow query …');
  const slowQuery = canBeSlow ? await measureSlowQuery({ base: lectern.base, names, cheap, seconds: 5 }) : undefined;
  return { title: options.title, results, starts, memory, otherMemory, against: options.againstName, slowQuery };
}

function print({ title, results, starts, memory, otherMemory, against, slowQuery }) {
  console.log(`\n## ${title}\n`);
  if (results.length > 0) console.log(`${scenarioTable(results)}\n`);
  for (const { name, sides } of results) {
    for (const { server, rounds, writes } of sides) {
      const failed = rounds.reduce((sum, round) => sum + round.failed, writes?.failed ?? 0);
      if (failed === 0) continue;
      const { firstFailure } = [...rounds, writes].find((each) => each?.firstFailure !== undefined);
      console.log(`${name}: ${failed} requests to ${server} failed: ${firstFailure}`);
      process.exitCode = 1;
    }
  }
  if (slowQuery !== undefined) console.log(slowQueryLine(slowQuery));
  if (starts !== undefined) console.log(startsLine(starts));
  console.log(memoryLine(memory));
  if (otherMemory !== undefined) console.log(`${against}: ${memoryLine(otherMemory)}`);
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
