/** `node bench/upload.mjs`: streams a large file alternately to the server and to a hand-written one, and measures the time and the server's memory.
 *  Exit code 1 at 200 MB or more. */
import { randomBytes } from 'node:crypto';
import { cpSync, createReadStream, createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { descendantsOf, lecternPrints, memoryOf, startHandWrittenUpload, startLectern } from './processes.mjs';
import { machineLine, median } from './report.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/upload.mjs [options]

  --megabytes N       size of the file, of 1,000,000 bytes each (200)
  --rounds N          uploads to each server, alternating (5)
  --image FILE        upload this image instead: how much memory its processes take
`;

/** Megabytes of 1024 * 1024 bytes that the server may use. */
const mostMemory = 200;

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: { help: { type: 'boolean', default: false }, megabytes: text, rounds: text, image: text },
});
const megabytes = Number(options.megabytes ?? 200);
const rounds = Number(options.rounds ?? 5);

async function run(cleanUps) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-upload-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const file = options.image ?? join(folder, 'file.bin');
  if (options.image === undefined) await writeRandom(file, megabytes);
  const servers = [await lectern(folder, cleanUps), await handWritten(folder, cleanUps)];
  const [own] = servers;
  const atRest = memoryOf(own.pid);
  const memory = watchMemory(own.pid);
  // The first upload loads modules that only uploads need.
  for (const server of servers) await upload(server, file);
  for (let round = 0; round < rounds; round++) {
    // The order is reversed in every other round.
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) server.times.push(await upload(server, file));
  }
  const most = memory.stop();
  report(servers, most, atRest);
  if (most.server >= mostMemory) process.exitCode = 1;
}

async function writeRandom(file, size) {
  const target = createWriteStream(file);
  // Random bytes, so that no file system can compress the file.
  for (let written = 0; written < size; written++)
    if (!target.write(randomBytes(1_000_000))) await new Promise((go) => target.once('drain', go));
  target.end();
  await finished(target);
}

async function lectern(folder, cleanUps) {
  const dir = join(folder, 'project');
  cpSync(fileURLToPath(new URL('../examples/blog/src', import.meta.url)), join(dir, 'src'), { recursive: true });
  const env = { API_TOKEN_SALT: randomBytes(16).toString('hex'), LECTERN_PUBLIC_DIR: join(dir, 'public') };
  const database = join(dir, 'data.db');
  const server = await startLectern({ dir, database }, undefined, env);
  cleanUps.push(() => server.stop());
  const token = await lecternPrints(['token', 'create', '--dir', dir, '--name', 'bench', '--type', 'full-access'], {
    ...env,
    DATABASE_FILENAME: database,
  });
  return { ...server, name: 'lectern', headers: { Authorization: `Bearer ${token}` }, times: [] };
}

async function handWritten(folder, cleanUps) {
  const files = join(folder, 'hand-written');
  mkdirSync(files);
  const server = await startHandWrittenUpload(files);
  cleanUps.push(() => server.stop());
  return { ...server, name: 'hand-written', headers: {}, times: [] };
}

/** Uploads a file and returns the milliseconds until the response. Deleting the file afterwards is not measured. */
async function upload({ base, headers }, file) {
  const boundary = randomBytes(12).toString('hex');
  const name = file.replace(/^.*\//, '');
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const began = performance.now();
  const request = http.request(`${base}/api/upload`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  });
  const received = new Promise((resolve, reject) => request.on('response', resolve).on('error', reject));
  request.write(head);
  await Promise.all([
    pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), request, { end: false }).then(() =>
      request.end(`\r\n--${boundary}--\r\n`),
    ),
    received,
  ]);
  const response = await received;
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk;
  const took = performance.now() - began;
  if (response.statusCode !== 201) throw new Error(`the upload got ${response.statusCode}: ${body.slice(0, 500)}`);
  for (const { id } of JSON.parse(body)) await fetch(`${base}/api/upload/files/${id}`, { method: 'DELETE', headers });
  return took;
}

/** The peak memory of a process and its descendants. */
function watchMemory(pid) {
  const most = { server: 0, children: 0, together: 0 };
  const look = () => {
    const server = memoryOf(pid)?.now ?? 0;
    const children = descendantsOf(pid).reduce((sum, child) => sum + (memoryOf(child)?.now ?? 0), 0);
    most.children = Math.max(most.children, children);
    most.together = Math.max(most.together, server + children);
  };
  const timer = setInterval(look, 20);
  return {
    stop() {
      clearInterval(timer);
      // The system records the peak of a process, so no peak between two samples is missed.
      return { ...most, server: memoryOf(pid)?.most ?? Number.NaN };
    },
  };
}

function report(servers, most, atRest) {
  console.log(`\n${machineLine()}\n`);
  for (const { name, times } of servers) {
    const [least, middle, longest] = [Math.min(...times), median(times), Math.max(...times)].map((each) => (each / 1000).toFixed(2));
    const speed = options.image === undefined ? `, ${(megabytes / (median(times) / 1000)).toFixed(0)} MB/s` : '';
    console.log(`${name}: ${middle} s (${least}–${longest})${speed}`);
  }
  const [own, other] = servers.map(({ times }) => times);
  console.log(`ratio, the hand-written one's time by ours: ${median(own.map((time, round) => other[round] / time)).toFixed(2)}`);
  const shown = (figure) => `${figure.toFixed(0)} MB`;
  console.log(
    `memory of the server: ${shown(most.server)} at most, ${shown(atRest?.now ?? Number.NaN)} before; of its processes for images: ${shown(most.children)}; together ${shown(most.together)}`,
  );
}

if (options.help) console.log(usage);
else await withCleanUps(run);
