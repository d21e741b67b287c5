/** `node bench/abuse.mjs`: callers without a role attack a server. Meanwhile another caller sends cheap reads that the server has not met before,
 *  cheap writes and sign-ins. The result is its longest wait for each of them. The exit code is 1 if a wait is longer than `--most`, if a read is
 *  longer than the attack's `aim`, if a request of this caller fails, or if the server needs more memory than `--memory`. */

import { statSync } from 'node:fs';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { attacks } from './abuse-attacks.mjs';
import { makeAbusedProject, password, sizes, users } from './abuse-project.mjs';
import { inPostgres } from './postgres.mjs';
import { startLectern, treeMemory } from './processes.mjs';
import { machineLine, printProgress, table } from './report.mjs';
import { source } from './source.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const { Driver: BetterSqlite3 } = await source('dialects/sqlite-driver.ts');

const usage = `node bench/abuse.mjs [options]

  --postgres URL      on PostgreSQL: a server on which a database may be made and dropped
  --only TEXT         only attacks whose name holds this
  --most MS           the longest wait that is good (1000); some attacks have a lower one for reads
  --memory MB         the most memory of all processes that is good (1500)
`;

const textOption = { type: 'string' };
const { values: options } = parseArgs({
  options: { help: { type: 'boolean', default: false }, postgres: textOption, only: textOption, most: textOption, memory: textOption },
});
const most = Number(options.most ?? 1000);
const mostMemory = Number(options.memory ?? 1500);
const engine = options.postgres === undefined ? 'sqlite' : 'postgres';
const megabyte = 1024 * 1024;

async function run(cleanUps) {
  const project = await makeAbusedProject(printProgress);
  cleanUps.push(project.remove);
  const database = options.postgres === undefined ? {} : await inPostgres(options.postgres, project, cleanUps);
  const rows = [];
  for (const attack of attacks) {
    if (attack.engine !== undefined && attack.engine !== engine) continue;
    if (!attack.name.includes(options.only ?? '')) continue;
    printProgress(`${attack.name} …`);
    rows.push(await measure(attack, project, { ...project.env, ...database }));
  }
  console.log(`\n${engine}, ${machineLine()}`);
  console.log('Longest wait of another caller in ms, number of failed requests in parentheses\n');
  const head = ['attack', 'responses', 'took s', 'read', 'write', 'sign-in', 'aim of reads', 'memory MB', 'idle MB'];
  console.log(
    table(
      head,
      rows.map(({ cells }) => cells),
      2,
    ),
  );
  const bad = rows.filter(({ good }) => !good);
  console.log(
    `\n${rows.length - bad.length} of ${rows.length} within the aim of reads and ${most} ms, without failures, and within ${mostMemory} MB`,
  );
  if (bad.length > 0) process.exitCode = 1;
}

/** A new server for each attack, so that one attack cannot affect the next. */
async function measure(attack, project, env) {
  if (attack.journal !== undefined) setJournal(project.database, attack.journal);
  const server = await startLectern(project, undefined, env);
  const probes = startProbes(server.base, project.token);
  try {
    await probes.warm();
    const idle = treeMemory(server.pid);
    let highest = idle;
    const watch = setInterval(() => {
      highest = Math.max(highest, treeMemory(server.pid));
    }, 50);
    probes.start();
    const began = performance.now();
    const responses = await attack.run({
      ask: (request) => ask(server.base, request),
      signIn: (user, from) => signIn(server.base, user, from),
      database: project.database,
      size: () => (engine === 'sqlite' ? sizeOf(project.database) : undefined),
    });
    const took = (performance.now() - began) / 1000;
    const waits = await probes.stop();
    clearInterval(watch);
    const shown = ({ longest, failed }) => `${Math.round(longest)}${failed > 0 ? ` (${failed})` : ''}`;
    const aim = Math.min(attack.aim ?? most, most);
    const cells = [attack.name, responses, took.toFixed(1), ...['read', 'write', 'signIn'].map((name) => shown(waits[name])), String(aim)];
    const areShort = Object.values(waits).every(({ longest, failed }) => longest < most && failed === 0) && waits.read.longest < aim;
    const good = areShort && highest / megabyte < mostMemory;
    return { cells: [...cells, (highest / megabyte).toFixed(0), (idle / megabyte).toFixed(0)], good };
  } finally {
    await server.stop();
    if (attack.journal !== undefined) setJournal(project.database, 'wal');
  }
}

function setJournal(file, mode) {
  const database = new BetterSqlite3(file);
  database.pragma(`journal_mode = ${mode}`);
  database.close();
}

const sizeOf = (file) => ['', '-wal'].reduce((sum, end) => sum + (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0), 0);

/** Starts the other caller, which sends cheap requests one after another, ten a second. */
function startProbes(base, token) {
  const headers = { Authorization: `Bearer ${token}` };
  let user = 0;
  let reads = 0;
  const kinds = {
    read: () => ask(base, { path: newRead(++reads), headers, from: '127.0.0.1', patience: 60_000 }),
    write: () =>
      ask(base, { method: 'POST', path: '/api/things', body: { data: { name: 'x' } }, headers, from: '127.0.0.1', patience: 60_000 }),
    signIn: () => {
      user = (user + 1) % users;
      // Attempts are counted by IP address.
      return ask(base, { ...signInRequest(user), from: `127.7.${user >> 7}.${1 + (user & 127)}`, patience: 60_000 });
    },
  };
  const waits = Object.fromEntries(Object.keys(kinds).map((name) => [name, { longest: 0, failed: 0 }]));
  let running = false;
  const loops = [];
  const probe = async (name, pause) => {
    while (running) {
      const began = performance.now();
      const { status } = await kinds[name]();
      const wait = waits[name];
      wait.longest = Math.max(wait.longest, performance.now() - began);
      if (status !== 200 && status !== 201) wait.failed++;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
  return {
    async warm() {
      for (const [name, request] of Object.entries(kinds)) {
        const { status, text } = await request();
        if (status !== 200 && status !== 201) throw new Error(`the ${name} of the other caller: ${status} ${text.slice(0, 300)}`);
      }
    },
    start() {
      running = true;
      loops.push(probe('read', 100), probe('write', 100), probe('signIn', 500));
    },
    async stop() {
      running = false;
      await Promise.all(loops);
      return waits;
    },
  };
}

/** A read of a few notes that the server has never been asked for: other conditions, fields and order, so that no cache helps, and no plan is known
 *  to be quick. */
function newRead(number) {
  const titles = Array.from({ length: 1 + (number % 7) }, (_, index) => {
    const title = `Note ${(number * 7919 + index * 104_729) % sizes.notes}`;
    return `filters[$or][${index}][title][$eq]=${encodeURIComponent(title)}`;
  });
  const fields = ['title', 'body', 'createdAt', 'updatedAt', 'publishedAt'].filter((_, index) => (number >> index) & 1);
  const sort = ['id', 'title:desc', 'createdAt', 'updatedAt:desc'][(number >> 5) % 4];
  return `/api/notes?${[...titles, `sort=${sort}`, ...fields.map((field, index) => `fields[${index}]=${field}`)].join('&')}`;
}

const signInRequest = (user) => ({
  method: 'POST',
  path: '/api/auth/local',
  body: { identifier: `user${user}`, password },
});

async function signIn(base, user, from) {
  const result = await ask(base, { ...signInRequest(user), from, patience: 60_000 });
  if (result.status !== 200) throw new Error(`signing in: ${result.status} ${result.text.slice(0, 300)}`);
  return JSON.parse(result.text);
}

/** Sends a request and returns the status and text of the response, with status 0 if there is none within `patience` milliseconds. `drop`: the text
 *  is discarded; `stall`: the response is not read; `hang`: the body is never sent. */
function ask(base, { method = 'GET', path, body, rawBody, headers = {}, from, patience, drop = false, stall = false, hang = false }) {
  const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = sent === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) };
  return new Promise((resolve) => {
    const request = http.request(
      base + path,
      { method, localAddress: from, agent: false, headers: { ...type, ...headers } },
      (response) => {
        let text = '';
        // Nothing more is read, and the timeout ends the request.
        if (stall) {
          setTimeout(() => resolve({ status: response.statusCode, text: '' }), patience);
          setTimeout(() => response.destroy(), patience);
          return;
        }
        response.setEncoding('utf8').on('data', (chunk) => {
          if (!drop) text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode, text }));
        response.on('error', () => resolve({ status: 0, text: 'broken off' }));
      },
    );
    request.setTimeout(patience, () => request.destroy(new Error('no response')));
    request.on('error', (error) => resolve({ status: 0, text: error.message }));
    if (!hang) request.end(sent);
    else request.flushHeaders();
  });
}

if (options.help) console.log(usage);
else await withCleanUps(run);
