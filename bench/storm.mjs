/** `node bench/storm.mjs`: the load of soak.mjs while processes are killed, the database is stopped and started, connections are cut and the disk is full, in an
 *  order that depends on the seed. After each fault and at the end, what is stored is compared with the acknowledged writes; at the end, what a webhook has
 *  got as well, the history, what was scheduled meanwhile, and searches. The exit code is 1 if a write or an event was lost, a document is half-written, or a row or file belongs to nothing. Run `npm run build`
 *  first. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomNumbers } from './content.mjs';
import { machineLine, printProgress } from './report.mjs';
import { check, checkMedia } from './soak/check.mjs';
import { openDatabaseOf, untilQuiet } from './soak/database.mjs';
import { checkDeliveries, startReceiver } from './soak/deliveries.mjs';
import { faultsOf, ownDisk, withOwnDisk } from './soak/faults.mjs';
import { figures, finish } from './soak/figures.mjs';
import { checkHistory, keptVersions } from './soak/former-versions.mjs';
import { makeImages } from './soak/images.mjs';
import { Load } from './soak/load.mjs';
import { Notices } from './soak/notices.mjs';
import { readOptions } from './soak/options.mjs';
import { makeProject, searchOfWorks } from './soak/project.mjs';
import { Records } from './soak/records.mjs';
import { Serving } from './soak/serving.mjs';
import { source } from './source.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/storm.mjs [options]

  --engine NAME       sqlite, postgres or mariadb (sqlite); a server of its own is started
  --seconds N         length, checks included (300)
  --connections N     clients, each with one request after another (64)
  --seed N            decides the order of requests and faults (1)
  --writes N          how many of a hundred requests are not reads (20)
  --documents N       documents that are read and changed (300)
  --workers N         processes that serve, on PostgreSQL (2)
  --only TEXT         only faults whose name contains this text
`;

/** The size of the disk that is filled. */
const diskMegabytes = 600;
/** Milliseconds of load before a fault, at least and at most, and after it. */
const calm = { least: 500, most: 2500, after: 700 };

/** Documents that are scheduled before each fault. */
const noticesAtOnce = 3;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function run(cleanUps) {
  const options = readOptions({ seconds: 300, workers: 2, writes: 20 }, { only: { type: 'string' } });
  if (options.help) return console.log(usage);
  const dir = mkdtempSync(join(tmpdir(), 'lectern-storm-'));
  cleanUps.push(() => rmSync(dir, { recursive: true, force: true }));
  const database = await openDatabaseOf(options.engine, dir, cleanUps);
  const relay = database.server === undefined ? undefined : await relayTo(database, cleanUps);
  const receiver = await startReceiver(cleanUps);
  const env = { ...database.env, ...receiver.env, ...(relay === undefined ? {} : { DATABASE_URL: relay.url }) };
  const config = { history: { versions: keptVersions }, search: searchOfWorks };
  const project = await makeProject(dir, env, options.workers, config);
  const notices = new Notices(project);
  const records = new Records(options.documents);
  let isFaulty = false;
  // The server may respond with 503 at any time; during a fault, it may also not respond, or respond with 507. Any other status is an error of the server.
  const isExpected = (status) => status === 503 || (isFaulty && [0, 507].includes(status));
  const load = new Load(project, records, await makeImages(), { ...options, search: true, isExpected });
  const serving = new Serving(project, (base) => {
    load.target = base;
  });
  cleanUps.push(() => serving.server.stop());
  const parts = { engine: options.engine, workers: options.workers, project, serving, database, relay, ownDisk: ownDisk() !== undefined };
  const faults = Object.entries(faultsOf(parts)).filter(([name]) => name.includes(options.only ?? ''));
  const random = randomNumbers(options.seed);
  const counts = new Map();
  const problems = [];
  await load.fill();
  printProgress(`${options.engine}, ${options.seconds} s with ${options.connections} connections, seed ${options.seed} …`);
  const began = performance.now();
  const checked = async (after) => {
    await serving.settle();
    await untilQuiet(options.engine, database);
    problems.push(...(await check(project, records, serving.server.base)).map((problem) => `after "${after}": ${problem}`));
  };
  let left = [];
  while ((performance.now() - began) / 1000 < options.seconds && problems.length === 0 && load.wrongCount === 0) {
    if (left.length === 0) left = shuffled(faults, random);
    const [name, fault] = left.pop();
    load.start();
    await notices.schedule(serving.server.base, noticesAtOnce, random);
    await pause(calm.least + random() * (calm.most - calm.least));
    isFaulty = true;
    printProgress(`${((performance.now() - began) / 1000).toFixed(0)} s: ${name}`);
    await fault(random);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    await pause(calm.after);
    await serving.settle();
    await load.stop();
    isFaulty = false;
    await checked(name);
  }
  const seconds = (performance.now() - began) / 1000;
  const history = await checkHistory(project, records, serving.server.base);
  problems.push(...history.problems, ...(await notices.check(serving.server.base)));
  const deliveries = await checkDeliveries(project, records, receiver);
  await serving.server.stop();
  const media = await checkMedia(project);
  console.log(`\n${options.engine}, seed ${options.seed}, ${machineLine()}`);
  for (const line of figures(load, records, seconds)) console.log(line);
  console.log(`faults: ${[...counts].map(([name, count]) => `${name} (${count})`).join(', ')}`);
  console.log(`${deliveries.count} events of documents, each delivered in the order of its document's writes`);
  console.log(`${notices.count} documents published at their time, ${history.count} former versions, ${load.searches} searches`);
  console.log(`media check deleted ${media.deleted} files and folders of interrupted uploads and deletions`);
  if (!parts.ownDisk) console.log('no disk was full: only the superuser may mount one for the storm');
  if (load.wrongCount > 0) console.error(serving.server.output.stderr.slice(0, 5000));
  finish([...problems, ...deliveries.problems, ...load.wrong, ...media.problems], load.wrongCount - load.wrong.length);
}

async function relayTo(database, cleanUps) {
  const { startRelay } = await source('../test/support/relay.ts');
  const url = new URL(database.env.DATABASE_URL);
  const relay = await startRelay({ host: url.hostname, port: Number(url.port), isRecorded: false });
  cleanUps.push(() => relay.close());
  url.port = String(relay.port);
  return { ...relay, url: url.href };
}

function shuffled(list, random) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(random() * left.length), 1)[0]);
}

const disk = ownDisk() === undefined ? mkdtempSync(join(tmpdir(), 'lectern-storm-disk-')) : undefined;
const status = disk === undefined ? undefined : withOwnDisk(disk, diskMegabytes);
if (disk !== undefined) rmSync(disk, { recursive: true, force: true });
if (status === undefined) await withCleanUps(run);
else process.exitCode = status;
