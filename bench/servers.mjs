/** `node bench/servers.mjs`: one, two and four Lectern servers on one database, behind HAProxy, each with a part of a processor. The machine has
 *  fewer processors than servers, so each server is slowed down until the machine could run all of them: then the requests of four servers, as a
 *  part of four times those of one, show what servers cost each other. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import mysql from 'mysql2/promise';
import { contents } from './contents.mjs';
import { UsageError } from './options.mjs';
import { postgresEnv, transferTo } from './postgres.mjs';
import { lecternPrints, loadPaths, startLectern, treeProcessorTime } from './processes.mjs';
import { limitProcessor } from './processor-share.mjs';
import { documentsOf, makeProject } from './project.mjs';
import { machine, machineLine, median, printProgress, short, spread, table, whole } from './report.mjs';
import { makeScenarios } from './scenarios.mjs';
import { source } from './source.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/servers.mjs [options]

  --engine NAME       postgres, or galera: three nodes, of which each server uses the next one (postgres)
  --servers A,B,C     numbers of servers, in turns (1,2,4)
  --share N           processors for each server (0.25), which needs root and cgroup v1; 0: as many as there are
  --connections N     connections for each server (16)
  --articles N        articles to make (10000)
  --only TEXT         only rows whose name holds this; may be given several times (slug, a type of ten rows)
  --seconds N         length of a round (5)
  --rounds N          rounds of each number (5)
  --json FILE         write all figures there
`;

const haproxyProgram = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find((path) => existsSync(path));
const root = fileURLToPath(new URL('..', import.meta.url));

/** At most so many seconds of load on each server before a row. */
const maxWarmUp = 4;

function readOptions() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        ['engine', 'servers', 'share', 'connections', 'articles', 'seconds', 'rounds', 'json'].map((name) => [name, text]),
      ),
      only: { type: 'string', multiple: true },
    },
  });
  const number = (name, fallback, least = 1) => {
    const value = Number(values[name] ?? fallback);
    if (!(value >= least)) throw new UsageError(`--${name} must be a number of at least ${least}`);
    return value;
  };
  const engine = values.engine ?? 'postgres';
  if (!(engine in databases)) throw new UsageError(`--engine must be ${Object.keys(databases).join(' or ')}`);
  const servers = (values.servers ?? '1,2,4').split(',').map(Number);
  if (!servers.every((count) => Number.isInteger(count) && count > 0))
    throw new UsageError('--servers must be whole numbers, such as 1,2,4');
  return {
    help: values.help,
    engine,
    servers,
    share: number('share', 0.25, 0),
    connections: number('connections', 16),
    articles: number('articles', 10_000),
    only: values.only ?? ['slug', 'a type of ten rows'],
    seconds: number('seconds', 5),
    rounds: number('rounds', 5),
    json: values.json,
  };
}

/** Each returns the environments of the nodes of a filled database, the processes of the database, and its name. */
const databases = {
  async postgres(project, cleanUps) {
    const { hasPostgresPrograms, startOwnPostgres } = await source('../test/support/own-postgres.ts');
    if (!hasPostgresPrograms) throw new UsageError('initdb of PostgreSQL is not installed');
    const server = await startOwnPostgres(['shared_buffers = 256MB']);
    cleanUps.push(() => server.remove());
    await transferTo(server.url, project);
    const pid = Number(readFileSync(join(server.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return { title: 'PostgreSQL', envs: [postgresEnv(server.url)], pids: [pid] };
  },
  async galera(project, cleanUps) {
    const { hasGalera, startGalera } = await source('../test/support/own-mariadb.ts');
    if (!hasGalera) throw new UsageError('mariadbd, galera-4 or rsync are not installed');
    const nodes = await startGalera(3);
    cleanUps.push(...nodes.map((node) => () => node.remove()));
    const [{ url }] = nodes;
    await lecternPrints(['transfer', '--dir', project.dir, '--from', project.database, '--to', url], {});
    return {
      title: 'MariaDB Galera, three nodes',
      envs: nodes.map((node) => ({ DATABASE_CLIENT: 'mysql', DATABASE_URL: node.url })),
      pids: await Promise.all(nodes.map((node) => processOf(node.url))),
    };
  },
};

async function processOf(url) {
  const connection = await mysql.createConnection({ uri: url });
  const [[{ folder, file }]] = await connection.query('SELECT @@datadir AS folder, @@pid_file AS file');
  connection.destroy();
  return Number(readFileSync(file.startsWith('/') ? file : join(folder, file), 'utf8'));
}

/** HAProxy with a port for each number of servers, which has so many of them behind it. */
async function startBalancer(numbers, servers, dir, cleanUps) {
  if (haproxyProgram === undefined) throw new UsageError('haproxy is not installed');
  const { freePort } = await source('../test/support/free-port.ts');
  const bases = new Map();
  const lines = [
    'global',
    '  maxconn 4000',
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 60s',
    '  timeout server 60s',
  ];
  for (const count of numbers) {
    const port = await freePort();
    bases.set(count, `http://127.0.0.1:${port}`);
    lines.push(`listen servers-${count}`, `  bind 127.0.0.1:${port}`, '  balance leastconn');
    for (const [index, { base }] of servers.slice(0, count).entries()) lines.push(`  server s${index} ${new URL(base).host}`);
  }
  const file = join(dir, 'haproxy.cfg');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const child = spawn(haproxyProgram, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  cleanUps.push(() => child.kill('SIGKILL'));
  for (const base of bases.values()) await untilReached(Number(new URL(base).port), child);
  return { pid: child.pid, bases };
}

async function untilReached(port, child) {
  for (const since = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const isReached = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => resolve(true) || socket.destroy());
      socket.on('error', () => resolve(false));
    });
    if (isReached) return;
    if (child.exitCode !== null || Date.now() - since > 10_000) throw new Error('HAProxy does not start');
  }
}

/** Processor time of a process and its descendants, of which one may just be ending. */
function timeOf(pid) {
  for (let tries = 0; tries < 10; tries++) {
    const time = treeProcessorTime(pid);
    if (time !== undefined) return time;
  }
  throw new Error('this system does not report the processor time of processes');
}

/** One round: requests a second, and milliseconds of processor time for each request of the servers, HAProxy and the database. */
async function runRound(count, { row, servers, balancer, database, options, from }) {
  const used = servers.slice(0, count);
  const pids = { servers: used.map(({ pid }) => pid), balancer: [balancer.pid], database: database.pids };
  const timesOf = () => Object.entries(pids).map(([name, each]) => [name, each.reduce((sum, pid) => sum + timeOf(pid), 0)]);
  const before = Object.fromEntries(timesOf());
  const began = performance.now();
  const { sent, failed, firstFailure, perSecond, p50, p99 } = await loadPaths({
    base: balancer.bases.get(count),
    paths: row.paths,
    from: from.value,
    seconds: options.seconds,
    connections: count * options.connections,
  });
  const milliseconds = performance.now() - began;
  from.value += sent;
  const spent = Object.fromEntries(timesOf().map(([name, time]) => [name, time - before[name]]));
  return {
    ...{ perSecond, p50, p99, failed, firstFailure },
    ...Object.fromEntries(Object.entries(spent).map(([name, time]) => [name, time / sent])),
    // 1: each server has used its whole part. Less with all servers than with one: the machine was too small, or busy with other work.
    use: spent.servers / (milliseconds * count * (options.share || 1)),
    databaseUse: spent.database / milliseconds,
  };
}

async function measureRow(row, context) {
  const { servers: numbers, rounds, share } = context.options;
  const from = { value: 0 };
  const measured = new Map(numbers.map((count) => [count, []]));
  // With all processors, as a quarter of one would take a minute to compile what is hot, and each server as long as the others.
  const seconds = Math.min(maxWarmUp, context.options.seconds);
  for (const { base } of context.servers) await loadPaths({ base, paths: row.paths, seconds, connections: context.options.connections });
  const ends = share === 0 ? [] : context.servers.map(({ pid }) => limitProcessor(pid, share));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const count of round % 2 === 0 ? numbers : numbers.toReversed()) {
        measured.get(count).push(await runRound(count, { ...context, row, from }));
      }
    }
  } finally {
    for (const end of ends) end();
  }
  return { name: row.name, numbers: numbers.map((count) => ({ servers: count, rounds: measured.get(count) })) };
}

function tableOf({ numbers }) {
  const [first] = numbers;
  const head = ['servers', 'requests/s (min–max)', 'of linear (min–max)', 'p50 ms', 'p99 ms'];
  const cpu = ['CPU ms: server', 'database', 'HAProxy', 'part used', 'processors of the database'];
  const rows = numbers.map(({ servers, rounds }) => {
    const figure = (name) => rounds.map((round) => round[name]);
    const linear = rounds.map(({ perSecond }, index) => (perSecond * first.servers) / (servers * first.rounds[index].perSecond));
    return [
      String(servers),
      spread(figure('perSecond'), whole),
      spread(linear),
      ...['p50', 'p99', 'servers', 'database', 'balancer', 'use', 'databaseUse'].map((name) => short(median(figure(name)))),
    ];
  });
  return table([...head, ...cpu], rows);
}

await withCleanUps(async (cleanUps) => {
  const options = readOptions();
  if (options.help) return console.log(usage);
  if (!existsSync(join(root, 'dist/lectern.js'))) throw new UsageError('Lectern is not built: npm run build');
  const { names } = contents.own;
  const project = await makeProject({ articles: options.articles }, printProgress);
  cleanUps.push(project.remove);
  printProgress(`Starting the database, and ${Math.max(...options.servers)} servers …`);
  const database = await databases[options.engine](project, cleanUps);
  const servers = [];
  for (let index = 0; index < Math.max(...options.servers); index++) {
    const server = await startLectern(project, undefined, {
      LECTERN_CACHE_BYTES: '0',
      LECTERN_WORKERS: '1',
      ...database.envs[index % database.envs.length],
    });
    cleanUps.push(() => server.stop());
    servers.push(server);
  }
  const balancer = await startBalancer(options.servers, servers, project.dir, cleanUps);
  const ask = async (path) => (await fetch(servers[0].base + path)).json();
  const all = await makeScenarios(names, ask, { articles: options.articles, documents: documentsOf(project.database, names), writes: 1 });
  const rows = all.filter(({ name }) => options.only.some((part) => name.includes(part)));
  if (rows.length === 0)
    throw new UsageError(`--only: no row has this in its name. The rows are ${all.map(({ name }) => name).join('; ')}`);

  console.log(
    `# ${database.title}\n\n${machineLine()}, each server with ${options.share || 'any'} of a processor and ${options.connections} connections,`,
  );
  console.log(`without the response cache, rounds of ${options.seconds} s\n`);
  const results = [];
  for (const row of rows) {
    printProgress(`${row.name} …`);
    const result = await measureRow(row, { servers, balancer, database, options });
    results.push(result);
    console.log(`## ${row.name}\n\n${tableOf(result)}\n`);
    const failures = result.numbers.flatMap(({ rounds }) => rounds).filter(({ failed }) => failed > 0);
    if (failures.length > 0) {
      console.log(`${failures.reduce((sum, { failed }) => sum + failed, 0)} requests failed: ${failures[0].firstFailure}\n`);
      process.exitCode = 1;
    }
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ ...machine(), options, results }, null, 2)}\n`);
  }
});
