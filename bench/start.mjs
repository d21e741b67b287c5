/** `node bench/start.mjs`: measures cold starts, from the command to the first response, and the memory that a server uses before and after load.
 *  `--against DIR` takes turns with another built checkout of Lectern. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { descendantsOf, loadPaths, memoryOf, startLectern } from './processes.mjs';
import { makeProject } from './project.mjs';
import { machineLine, median, printProgress, table } from './report.mjs';
import { measureStart } from './starts.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/start.mjs [options]

  --rounds N          starts of each server, in turns (11)
  --seconds N         length of the load of each of six reads, after which memory is measured (2); 0 leaves the loads out
  --readers N         LECTERN_DATABASE_READERS (2)
  --cache BYTES       LECTERN_CACHE_BYTES (0)
  --articles N        articles of the example to make (10000)
  --against DIR       another built checkout of Lectern; may be given several times
`;

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean' },
    rounds: text,
    seconds: text,
    readers: text,
    cache: text,
    articles: text,
    against: { type: 'string', multiple: true },
  },
});
const rounds = Number(options.rounds ?? 11);
const seconds = Number(options.seconds ?? 2);
const readers = options.readers ?? '2';
const cache = options.cache ?? '0';
const here = fileURLToPath(new URL('..', import.meta.url));

const list = '/api/articles';

async function run(cleanUps) {
  const project = await makeProject({ articles: Number(options.articles ?? 10_000) }, printProgress);
  cleanUps.push(project.remove);
  const servers = [here, ...(options.against ?? [])].map((folder, index) => ({
    name: index === 0 ? 'this checkout' : folder,
    project: { ...project, command: join(folder, 'bin/lectern.js') },
    starts: [],
  }));
  for (const { project } of servers) if (!existsSync(project.command)) throw new Error(`${project.command} is missing`);

  // The first start of each reads files that the system has not cached.
  for (const server of servers) await measureStart(() => start(server), list);
  for (let round = 0; round < rounds; round++) {
    // The order is reversed in every other round.
    for (const server of round % 2 === 0 ? servers : servers.toReversed())
      server.starts.push(await measureStart(() => start(server), list));
  }
  if (seconds > 0) for (const server of servers) server.loaded = await measureLoad(server);
  report(servers);
}

const start = ({ project }) => startLectern(project, undefined, { LECTERN_DATABASE_READERS: readers, LECTERN_CACHE_BYTES: cache });

/** Six reads, from a plain list to a late page. */
const reads = (documentId) => [
  list,
  `${list}?populate[0]=category&populate[1]=tags&populate[2]=cover&populate[3]=seo`,
  `${list}?populate=*`,
  `${list}/${documentId}?populate=*`,
  `${list}?filters[category][slug]=bread&sort=publishedAt:desc`,
  `${list}?pagination[page]=300`,
];

/** The memory of the server after each read was sent for some seconds, with 16 connections. */
async function measureLoad(side) {
  const server = await start(side);
  try {
    const [{ documentId }] = (await (await fetch(server.base + list)).json()).data;
    for (const path of reads(documentId)) await loadPaths({ base: server.base, paths: [path], seconds });
    const children = descendantsOf(server.pid);
    return {
      ...memoryOf(server.pid),
      own: unshared(server.pid),
      children: children.length,
      childrenOwn: children.reduce((sum, pid) => sum + unshared(pid), 0),
    };
  } finally {
    await server.stop();
  }
}

/** Megabytes that no other process shares. */
function unshared(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].reduce((sum, [, size]) => sum + Number(size), 0) / 1024;
}

function report(servers) {
  console.log(`\n${machineLine()}, ${readers} readers, response cache of ${cache} bytes\n`);
  const figures = (values, digits = 0) =>
    `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;
  const of = (server, name) => server.starts.map((each) => each[name]);
  console.log(
    table(
      ['server', 'JavaScript files in dist', 'listens after ms', 'first response after ms', 'CPU ms', 'MB then'],
      servers.map((server) => [
        server.name,
        String(readdirSync(join(server.project.command, '../../dist'), { recursive: true }).filter((name) => name.endsWith('.js')).length),
        figures(of(server, 'listening')),
        figures(of(server, 'milliseconds')),
        figures(of(server, 'processor')),
        figures(of(server, 'memory')),
      ]),
    ),
  );
  if (seconds === 0) return;
  console.log(`\nMemory after ${seconds} s of each scenario, MB:\n`);
  console.log(
    table(
      ['server', 'processes', 'resident', 'most', 'not shared', 'not shared, of its processes'],
      servers.map(({ name, loaded }) => [
        name,
        String(1 + loaded.children),
        ...[loaded.now, loaded.most, loaded.own, loaded.childrenOwn].map((size) => size.toFixed(0)),
      ]),
    ),
  );
}

if (options.help) console.log(usage);
else await withCleanUps(run);
