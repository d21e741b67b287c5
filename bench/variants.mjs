/** `node bench/variants.mjs`: requests a stored image and cached variants of it, alternating on one server. Both are files on the disk, so this
 *  measures the cost of finding a variant. Client and server share this machine: compare ratios. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { load, startLectern } from './processes.mjs';
import { makeProject } from './project.mjs';
import { machineLine, median, printProgress } from './report.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/variants.mjs [options]

  --seconds N         length of a round (2)
  --rounds N          rounds of each URL, alternating (5)
  --cpu-profile DIR   write CPU profiles of the server and its threads there
`;

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: { help: { type: 'boolean', default: false }, seconds: text, rounds: text, 'cpu-profile': text },
});
const seconds = Number(options.seconds ?? 2);
const rounds = Number(options.rounds ?? 5);

const noise = { type: 'gaussian', mean: 128, sigma: 20 };
const create = { width: 640, height: 480, channels: 3, background: '#888', noise };
/** The stored file comes first: the others are compared with it. */
const urls = ['', '?width=640', '?width=400&format=webp&quality=75'].map((query) => `/uploads/photo_0123456789.jpg${query}`);

async function run(cleanUps) {
  const project = await makeProject({ articles: 100 }, printProgress);
  cleanUps.push(project.remove);
  const folder = join(project.dir, 'public/uploads');
  mkdirSync(folder, { recursive: true });
  await sharp({ create }).jpeg({ quality: 60 }).toFile(join(folder, 'photo_0123456789.jpg'));
  const server = await startLectern(project, options['cpu-profile']);
  cleanUps.push(() => server.stop());

  const results = urls.map((url) => ({ url, first: 0, bytes: 0, perSecond: [], p99: [], failed: 0 }));
  for (const result of results) {
    const since = performance.now();
    result.bytes = (await (await fetch(server.base + result.url)).arrayBuffer()).byteLength;
    result.first = performance.now() - since;
  }
  for (let round = 0; round < rounds; round++) {
    // The order is reversed in every other round.
    for (const result of round % 2 === 0 ? results : results.toReversed()) {
      const { perSecond, p99, failed } = await load(server.base + result.url, seconds);
      result.perSecond.push(perSecond);
      result.p99.push(p99);
      result.failed += failed;
    }
  }
  report(results);
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

function report(results) {
  const plain = median(results[0].perSecond);
  const rows = results.map(({ url, first, bytes, perSecond, p99, failed }) => {
    const responses = median(perSecond);
    const numbers = [bytes, first.toFixed(0), responses.toFixed(0), (responses / plain).toFixed(2), median(p99).toFixed(2), failed];
    return `| \`${url}\` | ${numbers.join(' | ')} |`;
  });
  process.stdout.write(
    [
      `${machineLine()}; ${rounds} rounds of ${seconds} s`,
      '',
      '| URL | bytes | first, ms | responses/s | of the file | p99, ms | failed |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...rows,
      '',
    ].join('\n'),
  );
}

if (options.help) process.stdout.write(usage);
else await withCleanUps(run);
