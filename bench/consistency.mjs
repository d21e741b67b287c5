/** `node bench/consistency.mjs`: clients write and read through random servers that share one database, in the manner of Jepsen. What each request did
 *  goes into a history, and a checker looks for lost updates, values that are there twice, a wrong order, and reads that are older than promised. The
 *  exit code is 1 if it finds something. Run `npm run build` first. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { arrangements, startKilling } from './consistency/arrangements.mjs';
import { checkHistory } from './consistency/check.mjs';
import { History, readHistory } from './consistency/history.mjs';
import { plantFault, plants } from './consistency/plant.mjs';
import { Client, Crew, makeItems, projectFiles, readDocument } from './consistency/workloads.mjs';
import { randomNumbers } from './content.mjs';
import { UsageError } from './options.mjs';
import { startLectern } from './processes.mjs';
import { machineLine, printProgress, rounded, table } from './report.mjs';
import { ask } from './soak/ask.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const names = Object.keys(arrangements);
const usage = `node bench/consistency.mjs [options]

  --on NAME        ${names.join(', ')} (sqlite); the databases are started for it:
                   galera: three MariaDB nodes, a server on each
                   postgres: a primary and two standbys, two servers that read from them
                   workers: PostgreSQL, one server with three processes
  --seconds N      length, without the start and the checks (120)
  --clients N      clients, each with one request after another (12)
  --seed N         decides what the clients do (1)
  --kill SECONDS   kills a node of galera or a standby of postgres this often, and starts it again
  --plant FAULT    takes something out of a copy of the program, to see that it is found: ${plants.join(', ')}
  --history FILE   keeps the history there; without it, a history is kept if something was found
  --check FILE     only checks a history
`;

/** Clients that work on the same documents. */
const crewSize = 4;
/** Milliseconds that a response may take. */
const patience = 20_000;
/** A request with an \`Idempotency-Key\` whose result is unknown is sent again, so many times, after as many milliseconds. */
const repeats = { most: 10, pause: 300 };
/** Milliseconds within which all servers have to be ready at the end. */
const readyTime = 60_000;
/** Anomalies that are printed. */
const printed = 20;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function readOptions() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      ...{ help: { type: 'boolean', default: false }, on: text, seconds: text, clients: text, seed: text },
      ...{ kill: text, plant: text, history: text, check: text },
    },
  });
  const number = (name, otherwise) => {
    const value = Number(values[name] ?? otherwise);
    if (!Number.isInteger(value) || value < 1) throw new UsageError(`--${name} must be a whole number from 1, not ${values[name]}`);
    return value;
  };
  const on = values.on ?? 'sqlite';
  if (!names.includes(on)) throw new UsageError(`--on must be ${names.join(', ')}, not ${on}`);
  if (values.kill !== undefined && !['galera', 'postgres'].includes(on)) throw new UsageError('--kill goes with --on galera or postgres');
  if (values.plant !== undefined && !plants.includes(values.plant))
    throw new UsageError(`--plant must be ${plants.join(' or ')}, not ${values.plant}`);
  const kill = values.kill === undefined ? undefined : number('kill');
  return { ...values, on, kill, seconds: number('seconds', 120), clients: number('clients', 12), seed: number('seed', 1) };
}

async function run(cleanUps) {
  const options = readOptions();
  if (options.help) return console.log(usage);
  if (options.check !== undefined) return report(options.check);
  const dir = mkdtempSync(join(tmpdir(), 'lectern-consistency-'));
  cleanUps.push(() => rmSync(dir, { recursive: true, force: true }));
  const command = options.plant === undefined ? undefined : plantFault(options.plant, options.on, dir);
  const arrangement = await arrangements[options.on](dir, cleanUps);
  const servers = await startServers(join(dir, 'project'), command, arrangement, cleanUps);
  const file = options.history ?? join(dir, 'history.jsonl');
  const staleness = arrangement.promised + arrangement.margin;
  const history = new History(file, { on: options.on, seed: options.seed, staleness });
  const crews = await drive(arrangement, servers, history, options);
  await pause(staleness);
  await readAll(crews, servers);
  await history.end();
  console.log(`\n${options.on}, seed ${options.seed}, ${options.seconds} s with ${options.clients} clients, ${machineLine()}`);
  if (report(file)) return;
  if (options.history === undefined) {
    const kept = join(tmpdir(), `lectern-consistency-${options.on}-${process.pid}.jsonl`);
    copyFileSync(file, kept);
    console.error(`The history: ${kept}`);
  }
  for (const { output, started } of servers) if (output.stderr.length > started) console.error(output.stderr.slice(started).slice(0, 2000));
}

/** One after another: the first one makes the tables. */
async function startServers(dir, command, arrangement, cleanUps) {
  for (const [path, content] of Object.entries(projectFiles)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), JSON.stringify(content));
  }
  const servers = [];
  cleanUps.push(() => Promise.all(servers.map((server) => server.stop())));
  for (const env of arrangement.servers) {
    const server = await startLectern({ dir, command }, undefined, { ...serverEnv, LECTERN_PUBLIC_DIR: join(dir, 'public'), ...env });
    servers.push(Object.assign(server, { started: server.output.stderr.length }));
  }
  return servers;
}

const serverEnv = {
  JWT_SECRET: 'a-secret-that-all-servers-share',
  API_TOKEN_SALT: 'another-one',
  LECTERN_PROFILE: 'specification',
  LECTERN_LOG_LEVEL: 'error',
};

/** Sends requests for the given time, and then waits until everything is back. */
async function drive(arrangement, servers, history, { seed, seconds, clients, kill }) {
  const send = sendTo(servers);
  const items = await makeItems((request) => send(request, () => 0));
  const crews = crewsOf(clients, items, (process) => ({ send, history, random: randomNumbers(seed * 1000 + process) }));
  printProgress(`${servers.length} servers, ${clients} clients, ${seconds} s …`);
  const until = performance.now() + seconds * 1000;
  const random = randomNumbers(seed);
  const killing = kill === undefined ? undefined : startKilling(arrangement, { seconds: kill, random, history, progress: printProgress });
  await Promise.all(
    crews.map(async (crew) => {
      while (performance.now() < until) await crew.round();
    }),
  );
  await killing?.stop();
  await Promise.all(servers.map(untilReady));
  return crews;
}

function crewsOf(count, items, partsOf) {
  const clients = Array.from({ length: count }, (_, process) => new Client(process, partsOf(process)));
  return Array.from({ length: Math.ceil(count / crewSize) }, (_, index) => {
    return new Crew(index, clients.slice(index * crewSize, (index + 1) * crewSize), items);
  });
}

/** Sends each request to a server at random. */
function sendTo(servers) {
  const once = async (request, server) => {
    const { status, raw, headers } = await ask(servers[server].base, { ...request, patience });
    return {
      server,
      status,
      headers,
      ...(status === 0 ? { reason: raw.toString() } : { json: raw.length === 0 ? null : JSON.parse(raw.toString()) }),
    };
  };
  return async (request, random) => {
    for (let time = 1; ; time++) {
      const response = await once(request, request.server ?? Math.floor(random() * servers.length));
      const isKnown = response.status !== 0 && response.status !== 503;
      if (isKnown || !request.isRepeated || time === repeats.most) return { ...response, isRepeated: time > 1 };
      await pause(repeats.pause);
    }
  };
}

async function untilReady({ base, output }) {
  for (const since = performance.now(); ; await pause(100)) {
    const { status } = await ask(base, { path: '/_ready', patience });
    if (status === 200) return;
    if (performance.now() - since > readyTime)
      throw new Error(`a server is not ready ${readyTime / 1000} s after the end: status ${status}\n${output.stderr}`);
  }
}

/** Reads each document from each server, when nothing writes any more. */
async function readAll(crews, servers) {
  await Promise.all(
    crews.map(async (crew) => {
      const left = crew.keys.flatMap((document) => servers.map((_, server) => ({ document, server })));
      await Promise.all(
        crew.clients.map(async (client) => {
          for (let next = left.pop(); next !== undefined; next = left.pop())
            await readDocument(client, next.document, { server: next.server, last: true });
        }),
      );
    }),
  );
}

/** Prints what the checker found. Returns whether it found nothing. */
function report(file) {
  const { anomalies, figures } = checkHistory(readHistory(file));
  const rows = Object.entries(figures.workloads).map(([name, counts]) => [name, ...Object.values(counts).map((count) => rounded(count))]);
  console.log(table(['workload', 'reads', 'writes acknowledged', 'refused', 'unknown'], rows));
  console.log(
    `reads with a position: ${rounded(figures.withPosition)}; the oldest read lacked a write of ${rounded(figures.oldestAge)} ms before`,
  );
  if (figures.kills > 0) console.log(`killed ${figures.kills} times`);
  if (anomalies.length === 0) {
    console.log('No anomalies found.');
    return true;
  }
  const kinds = new Map();
  for (const { kind } of anomalies) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  console.error(`${anomalies.length} anomalies: ${[...kinds].map(([kind, count]) => `${kind} (${count})`).join(', ')}`);
  for (const { kind, workload, key, text } of anomalies.slice(0, printed)) console.error(`${kind}, ${workload} ${key}: ${text}`);
  process.exitCode = 1;
  return false;
}

await withCleanUps(run);
