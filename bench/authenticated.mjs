/** `node bench/authenticated.mjs`: measures the cost of identifying a caller by sending the same reads alternately without credentials, with an API
 *  token and as a user. Client and server share this machine: compare ratios. */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { inPostgres } from './postgres.mjs';
import { lecternPrints, load, processorTimeOf, startLectern } from './processes.mjs';
import { makeProject } from './project.mjs';
import { machineLine, median, printProgress, scenarioTable } from './report.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/authenticated.mjs [options]

  --seconds N         length of a round (2)
  --rounds N          rounds of each caller, alternating (5)
  --requests N        requests of each caller, one after the other, alternating (3000)
  --articles N        articles of the example that are there (10000)
  --postgres URL      on PostgreSQL: a server on which a database may be made and dropped
  --rate-limit        with a limit on calls that nobody reaches
  --redis URL         which is counted in this Redis
  --cpu-profile DIR   write CPU profiles of the server and its threads there
`;

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const { values: options } = parseArgs({
  options: {
    help: flag,
    'rate-limit': flag,
    seconds: text,
    rounds: text,
    requests: text,
    articles: text,
    postgres: text,
    redis: text,
    'cpu-profile': text,
  },
});
const seconds = Number(options.seconds ?? 2);
const rounds = Number(options.rounds ?? 5);
const requests = Number(options.requests ?? 3000);

const user = { username: 'reader', email: 'reader@example.org', password: randomBytes(8).toString('hex') };
const reads = [
  ['list of 25', '/api/articles'],
  ['list of 1', '/api/articles?pagination[pageSize]=1&fields=title'],
];

async function run(cleanUps) {
  const project = await makeProject({ articles: Number(options.articles ?? 10_000) }, printProgress);
  cleanUps.push(project.remove);
  const env = {
    JWT_SECRET: randomBytes(32).toString('hex'),
    API_TOKEN_SALT: randomBytes(16).toString('hex'),
    DATABASE_CLIENT: 'sqlite',
    DATABASE_FILENAME: project.database,
    ...(options.postgres === undefined ? {} : await inPostgres(options.postgres, project, cleanUps)),
    ...(options['rate-limit'] || options.redis !== undefined ? { LECTERN_RATE_LIMIT_MAX: '1000000000' } : {}),
    ...(options.redis === undefined ? {} : { LECTERN_RATE_LIMIT_REDIS: options.redis }),
  };
  const token = await lecternPrints(['token', 'create', '--dir', project.dir, '--name', 'bench', '--type', 'read-only'], env);
  const lectern = await startLectern(project, options['cpu-profile'], env);
  cleanUps.push(() => lectern.stop());
  const callers = [
    { server: 'public', headers: {} },
    { server: 'API token', headers: { Authorization: `Bearer ${token}` } },
    { server: 'user', headers: { Authorization: `Bearer ${await signIn(lectern.base)}` } },
  ];
  const results = [];
  const comparisons = [];
  for (const [name, path] of reads) {
    printProgress(`${name} …`);
    comparisons.push(...(await alternate(name, lectern.base + path, callers)));
    results.push(...(await measure(name, lectern, path, callers)));
  }
  console.log(`\n${options.postgres === undefined ? 'SQLite' : 'PostgreSQL'}, ${machineLine()}, rounds of ${seconds} s\n`);
  console.log('One connection, callers alternating, request by request: medians\n');
  for (const { name, server, milliseconds, ratio } of comparisons) {
    console.log(`  ${name}, ${server}: ${milliseconds.toFixed(3)} ms, ${ratio.toFixed(2)} × as fast as the public`);
  }
  console.log(`\n16 connections, callers alternating, round by round\n\n${scenarioTable(results)}`);
}

/** Other programs on the machine affect all callers alike, so this shows smaller differences than rounds of load. */
async function alternate(name, url, callers) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times = callers.map(() => []);
  for (let request = 0; request < requests; request++) {
    for (const [index, { headers }] of callers.entries()) times[index].push(await timed(url, headers, agent));
  }
  agent.destroy();
  // The first requests only warm up the server.
  const medians = times.map((each) => median(each.slice(Math.floor(requests / 10))));
  return callers.map(({ server }, index) => ({ name, server, milliseconds: medians[index], ratio: medians[0] / medians[index] }));
}

function timed(url, headers, agent) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(performance.now() - began));
    });
    request.on('error', reject);
  });
}

async function signIn(base) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${base}/api/auth/local/register`, { method: 'POST', headers, body: JSON.stringify(user) });
  const body = await response.json();
  if (response.status !== 200) throw new Error(`registering: status ${response.status}: ${JSON.stringify(body)}`);
  return body.jwt;
}

async function ask(url, headers) {
  const response = await fetch(url, { headers });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url}: status ${response.status}: ${body.slice(0, 500)}`);
  return { body, statements: /statements;desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '')?.[1] ?? '' };
}

/** Compares each caller with the public. */
async function measure(name, { base, pid }, path, callers) {
  const url = base + path;
  const sides = callers.map((caller) => ({ ...caller, rounds: [] }));
  const [first, ...others] = await Promise.all(sides.map(({ headers }) => ask(url, headers)));
  if (others.some(({ body }) => body !== first.body)) throw new Error(`${name}: the callers get different responses`);
  for (const { headers } of sides) await load(url, 1, headers);
  for (let round = 0; round < rounds; round++) {
    // The order is reversed in every other round, so that other programs do not always affect the same caller.
    for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
      const before = processorTimeOf(pid);
      const figures = await load(url, seconds, side.headers);
      if (figures.failed > 0 || figures.responses === 0) throw new Error(`${name}: ${figures.failed} of ${figures.responses} failed`);
      side.rounds.push({ ...figures, processor: (processorTimeOf(pid) - before) / figures.responses });
    }
  }
  const { statements } = await ask(url, {});
  const [open, ...known] = sides;
  return known.map((side) => ({
    name: `${name}: ${side.server}`,
    bytes: Buffer.byteLength(first.body),
    statements,
    sides: [side, open],
  }));
}

if (options.help) console.log(usage);
else await withCleanUps(run);
