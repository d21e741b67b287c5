/** What observing costs: the processor time of the server for a request with everything off, with metrics, and with metrics, spans (without an SDK) and the log
 *  of slow requests. Processor time, since other programs on the machine change it less than the rate; short and in turns, so that only the ratios mean something. Linux only. Run `npm run build` first.
 *
 *  `node bench/observe.mjs [seconds of each turn]` */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const seconds = Number(process.argv[2] ?? 0.5);
const rounds = 9;
const connections = 16;
const command = fileURLToPath(new URL('../bin/lectern.js', import.meta.url));
const dir = join(mkdtempSync(join(tmpdir(), 'lectern-observe-')), 'blog');
const quiet = { ...process.env, LECTERN_LOG_LEVEL: 'warn' };
const metrics = { LECTERN_METRICS_PORT: '0' };
const variants = {
  off: {},
  metrics,
  everything: { ...metrics, LECTERN_TRACING: 'true', LECTERN_LOG_SLOW: '1000' },
};
/** A response from the cache, and one that is read each time. */
const requests = { cached: () => '/api/articles', read: (count) => `/api/articles?filters[title][$eq]=${count}` };

function run(args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args], { env, stdio: 'ignore' });
    child.on('error', reject).on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]}: exit code ${code}`))));
  });
}

function start(env) {
  const child = spawn(process.execPath, [command, 'start', '--dir', dir, '--port', '0', '--host', '127.0.0.1'], {
    env: { ...quiet, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    child.on('exit', () => reject(new Error('the server did not start')));
    child.stdout.on('data', (text) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(text)) ?? [];
      if (url !== undefined) resolve({ url, pid: child.pid, stop: () => new Promise((ended) => child.on('exit', ended) && child.kill()) });
    });
  });
}

/** Microseconds; the system counts in hundredths of a second. */
function processorTime(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10_000;
}

async function timeOfRequest({ url, pid }, pathOf) {
  const before = processorTime(pid);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1000;
  let count = 0;
  const client = async () => {
    while (performance.now() < end) {
      await new Promise((resolve, reject) => {
        const request = get(url + pathOf(count), { agent }, (response) => response.resume().on('end', resolve));
        request.on('error', reject);
      });
      count++;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return (processorTime(pid) - before) / count;
}

await run(['init', dir, '--template', 'blog'], quiet);
const servers = {};
for (const [name, env] of Object.entries(variants)) servers[name] = await start(env);
for (const [kind, pathOf] of Object.entries(requests)) {
  const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of Object.keys(variants)) {
      const measured = await timeOfRequest(servers[name], pathOf);
      // The first round warms up.
      if (round > 0) times[name].push(measured);
    }
  }
  const medians = Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, all.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]]),
  );
  for (const name of Object.keys(variants))
    console.log(`${kind.padEnd(7)} ${name.padEnd(11)} ${Math.round(medians[name])} µs, ${(medians[name] / medians.off).toFixed(2)} of off`);
}
await Promise.all(Object.values(servers).map(({ stop }) => stop()));
rmSync(join(dir, '..'), { recursive: true, force: true });
