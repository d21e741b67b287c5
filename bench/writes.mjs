/** `node bench/writes.mjs`: measures writes of the example's articles by one writer and by sixteen, alternating between the built server and other
 *  servers with the same content. Client and servers share this machine: compare ratios first. */
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inPostgres } from './postgres.mjs';
import { loadWrites, processorTimeOf, startHandWrittenWrites, startLectern } from './processes.mjs';
import { makeProject } from './project.mjs';
import { machineLine, printProgress, scenarioTable } from './report.mjs';
import { withCleanUps } from './with-clean-ups.mjs';
import { writeScenarios } from './write-scenarios.mjs';

const usage = `node bench/writes.mjs [options]

  --seconds N         length of a round (2)
  --rounds N          rounds of each scenario and server, alternating (3)
  --articles N        articles of the example that are there (10000)
  --only TEXT         only scenarios whose name holds this
  --postgres URL      on PostgreSQL: a server on which a database may be made and dropped
  --not-durable       without waiting for the disk (LECTERN_DATABASE_DURABLE=false)
  --cpu-profile DIR   write CPU profiles of the server and its threads there
  --against URL       another server of the same content, alternating with this one (a Strapi on a copy of the database)
  --against-token T   its API token
  --against-pid PID   its process, to know the processor time that it uses
`;

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const names = ['seconds', 'rounds', 'articles', 'only', 'postgres', 'cpu-profile', 'against', 'against-token', 'against-pid'];
const { values: options } = parseArgs({
  options: { help: flag, 'not-durable': flag, ...Object.fromEntries(names.map((name) => [name, text])) },
});
const seconds = Number(options.seconds ?? 2);
const rounds = Number(options.rounds ?? 3);

/** The statements of one run, and the bytes of its responses. */
async function look(scenario, base) {
  let statements = 0;
  let bytes = 0;
  const ask = async (method, path, data) => {
    const body = data === undefined ? {} : { body: JSON.stringify({ data }), headers: { 'Content-Type': 'application/json' } };
    const response = await fetch(base + path, { method, ...body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    statements += Number(/statements;desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '')?.[1] ?? 0);
    bytes += text.length;
    return text === '' ? undefined : JSON.parse(text);
  };
  const key = `look-${randomBytes(4).toString('hex')}`;
  const context = await scenario.prepare(ask, 0, key);
  statements = 0;
  bytes = 0;
  await scenario.run(ask, context, 0, `${key}-run`);
  return { statements: String(statements), bytes };
}

async function measure({ name, by }, writers, servers) {
  const sides = servers.filter(({ server }) => by.includes(server)).map((server) => ({ ...server, rounds: [] }));
  const round = (side, length) =>
    loadWrites({ base: side.base, readBase: side.readBase, scenario: name, writers, seconds: length, headers: side.headers });
  for (const side of sides) await round(side, 1);
  for (let number = 0; number < rounds; number++) {
    for (const side of sides) {
      const before = processorTimeOf(side.pid);
      const figures = await round(side, seconds);
      if (figures.responses === 0) throw new Error(`${name}: no response within ${seconds} s`);
      side.rounds.push({ ...figures, processor: (processorTimeOf(side.pid) - before) / figures.responses });
    }
  }
  return sides;
}

async function run(cleanUps) {
  const project = await makeProject({ articles: Number(options.articles ?? 10_000) }, printProgress);
  cleanUps.push(project.remove);
  const copy = join(project.dir, 'hand-written.db');
  cpSync(project.database, copy);
  const durable = !options['not-durable'];
  const env = options.postgres === undefined ? {} : await inPostgres(options.postgres, project, cleanUps);
  const lectern = await startLectern(project, options['cpu-profile'], { ...env, LECTERN_DATABASE_DURABLE: String(durable) });
  cleanUps.push(() => lectern.stop());
  const own = { server: 'lectern', base: lectern.base, readBase: lectern.base, pid: lectern.pid, headers: {} };
  const servers = [own];
  if (options.against !== undefined) {
    const base = options.against.replace(/\/$/, '');
    const headers = options['against-token'] === undefined ? {} : { Authorization: `Bearer ${options['against-token']}` };
    servers.push({ server: 'other', base, readBase: base, pid: options['against-pid'], headers });
  } else if (options.postgres === undefined) {
    const handWritten = await startHandWrittenWrites(copy, durable);
    cleanUps.push(() => handWritten.stop());
    servers.push({ server: 'hand-written', base: handWritten.base, readBase: lectern.base, pid: handWritten.pid, headers: {} });
  }
  const results = [];
  for (const scenario of writeScenarios.filter(({ name }) => name.includes(options.only ?? ''))) {
    const seen = await look(scenario, lectern.base);
    for (const writers of [1, 16]) {
      printProgress(`${scenario.name}, ${writers} …`);
      results.push({ label: `${scenario.name}: ${writers}`, ...seen, sides: await measure(scenario, writers, servers) });
    }
  }
  const engine = options.postgres === undefined ? 'SQLite' : 'PostgreSQL';
  console.log(`\n${engine}, ${durable ? 'durable' : 'not durable'}, ${machineLine()}, rounds of ${seconds} s\n`);
  console.log(scenarioTable(results));
}

if (options.help) console.log(usage);
else await withCleanUps(run);
