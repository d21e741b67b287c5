/** `node bench/soak.mjs`: reads, writes, uploads and sign-ins for minutes. Every response is compared with the writes that were acknowledged before its request,
 *  and so is, at the end, everything that is stored. The exit code is 1 after an error, a stale or half-written response, a lost write, a row or file that belongs
 *  to nothing, or if memory grows. Run `npm run build` first. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineLine, printProgress, rounded } from './report.mjs';
import { check, checkMedia } from './soak/check.mjs';
import { openDatabaseOf } from './soak/database.mjs';
import { figures, finish } from './soak/figures.mjs';
import { makeImages } from './soak/images.mjs';
import { Load } from './soak/load.mjs';
import { watchMemory } from './soak/memory.mjs';
import { readOptions } from './soak/options.mjs';
import { makeProject, searchOfWorks } from './soak/project.mjs';
import { Records } from './soak/records.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/soak.mjs [options]

  --engine NAME       sqlite, postgres or mariadb (sqlite); a server of its own is started
  --seconds N         length (600)
  --connections N     clients, each with one request after another (64)
  --seed N            decides the order of requests (1)
  --writes N          how many of a hundred requests are not reads (5)
  --documents N       documents that are read and changed (300)
  --workers N         processes that serve, on PostgreSQL (1)
  --search            two in five reads are full-text searches
  --allow-busy        a 503 is not an error, since the machine may be too busy for the load
`;

async function run(cleanUps) {
  const options = readOptions(
    { seconds: 600, workers: 1, writes: 5 },
    { 'allow-busy': { type: 'boolean', default: false }, search: { type: 'boolean', default: false } },
  );
  if (options.help) return console.log(usage);
  const dir = mkdtempSync(join(tmpdir(), 'lectern-soak-'));
  cleanUps.push(() => rmSync(dir, { recursive: true, force: true }));
  const database = await openDatabaseOf(options.engine, dir, cleanUps);
  const project = await makeProject(dir, database.env, options.workers, options.search ? { search: searchOfWorks } : undefined);
  const { server } = project;
  cleanUps.push(() => server.stop());
  const records = new Records(options.documents);
  const load = new Load(project, records, await makeImages(), {
    ...options,
    isExpected: (status) => options['allow-busy'] && status === 503,
  });
  load.target = server.base;
  await load.fill();
  printProgress(`${options.engine}, ${options.seconds} s with ${options.connections} connections, seed ${options.seed} …`);
  const memory = watchMemory(server, options.seconds);
  const began = performance.now();
  load.start();
  await new Promise((resolve) => setTimeout(resolve, options.seconds * 1000));
  const used = memory.stop();
  await load.stop();
  const lines = figures(load, records, (performance.now() - began) / 1000);
  const problems = [...load.wrong, ...used.problems, ...(await check(project, records, server.base))];
  await server.stop();
  const media = await checkMedia(project);
  console.log(`\n${options.engine}, seed ${options.seed}, ${machineLine()}`);
  if (options.search) console.log(`searches: ${rounded(load.searches)}`);
  for (const line of [...lines, ...used.lines]) console.log(line);
  finish([...problems, ...media.problems], Math.max(0, load.wrongCount - load.wrong.length));
}

await withCleanUps(run);
