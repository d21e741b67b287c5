/** `node load-writes.mjs`: runs a scenario with several writers for some seconds. Each writer begins a run as soon as its last one has ended.
 *  Prints one JSON line. Its orders are JSON on standard input: `{ base, readBase, scenario, writers, seconds, headers }`. The data that a scenario
 *  needs beforehand is read from `readBase`. */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { writeScenarios } from './write-scenarios.mjs';

const { base, readBase, scenario: name, writers, seconds, headers } = await json(process.stdin);
const scenario = writeScenarios.find((each) => each.name === name);
const agent = new http.Agent({ keepAlive: true });

const asker = (target) => {
  const { hostname, port } = new URL(target);
  return (method, path, data) =>
    new Promise((resolve, reject) => {
      const body = data === undefined ? undefined : JSON.stringify({ data });
      const typed = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
      const request = http.request(
        { agent, hostname, port, method, path: encodeURI(path), headers: { ...typed, ...headers } },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            if (response.statusCode < 300) resolve(text === '' ? undefined : JSON.parse(text));
            else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 500)}`));
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
};

const run = randomBytes(4).toString('hex');
const times = [];
const ask = asker(base);
const prepared = [];
for (let writer = 0; writer < writers; writer++) prepared.push(await scenario.prepare(asker(readBase), writer, `p-${run}-${writer}`));

const since = performance.now();
const end = since + 1000 * seconds;
await Promise.all(
  prepared.map(async (context, writer) => {
    for (let n = 0; performance.now() < end; n++) {
      const began = performance.now();
      await scenario.run(ask, context, n, `w-${run}-${writer}-${n}`);
      times.push(performance.now() - began);
    }
  }),
);
const duration = (performance.now() - since) / 1000;
times.sort((a, b) => a - b);
const percentile = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
process.stdout.write(
  JSON.stringify({ responses: times.length, perSecond: times.length / duration, p50: percentile(0.5), p99: percentile(0.99) }),
);
agent.destroy();
