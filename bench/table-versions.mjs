/** `node bench/table-versions.mjs`: what `database.tableVersions` costs a write, and what it saves reads while another type is written twenty times a second.
 *  Two servers with the same content take turns, one with the setting and one without; each has a database of its own on the same PostgreSQL server, so no
 *  server is under load while the other one is measured. */
import { parseArgs } from 'node:util';
import { inPostgres } from './postgres.mjs';
import { loadPaths, loadWrites, processorTimeOf, startLectern, startWriter } from './processes.mjs';
import { makeProject, openToWriters } from './project.mjs';
import { machineLine, median, printProgress, spread } from './report.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/table-versions.mjs [options]

  --postgres URL      a server on which databases may be made and dropped (postgres://postgres@127.0.0.1:5432/postgres)
  --articles N        articles of the example (10000)
  --seconds N         length of a round (3)
  --rounds N          rounds of each server, alternating (5)
`;

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: { help: { type: 'boolean' }, postgres: text, articles: text, seconds: text, rounds: text },
});
const seconds = Number(options.seconds ?? 3);
const server = options.postgres ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Fifty pages, each of which is asked for again and again. */
const pages = Array.from({ length: 50 }, (_, at) => `/api/articles?populate=category&pagination[page]=${at + 1}`);

async function run(cleanUps) {
  const project = await makeProject({ articles: Number(options.articles ?? 10_000) }, printProgress);
  cleanUps.push(project.remove);
  openToWriters(project.database);
  const sides = [];
  for (const isOn of [false, true]) {
    const env = await inPostgres(server, project, cleanUps);
    const lectern = await startLectern(project, undefined, { ...env, LECTERN_DATABASE_TABLE_VERSIONS: String(isOn) });
    cleanUps.push(() => lectern.stop());
    // The time of a tag changes; no article is asked for with its tags.
    const writer = startWriter({ env, table: 'tags', perSecond: 20 });
    cleanUps.push(() => writer.stop());
    sides.push({ ...lectern, isOn, writer, quiet: [], busy: [], processor: [], writes: [] });
  }
  const read = (base, length) => loadPaths({ base, paths: pages, seconds: length, connections: 16 });
  for (const { base } of sides) await read(base, 2);
  for (let round = 0; round < Number(options.rounds ?? 5); round++) {
    printProgress(`round ${round + 1} …`);
    for (const side of sides) {
      side.quiet.push((await read(side.base, seconds)).perSecond);
      side.writer.resume();
      const before = processorTimeOf(side.pid);
      const { perSecond, responses } = await read(side.base, seconds);
      side.processor.push((processorTimeOf(side.pid) - before) / responses);
      side.busy.push(perSecond);
      side.writer.pause();
      const orders = { base: side.base, readBase: side.base, scenario: 'create, scalars', writers: 1, seconds, headers: {} };
      side.writes.push((await loadWrites(orders)).perSecond);
    }
  }
  console.log(`\n${machineLine()}, rounds of ${seconds} s, requests per second\n`);
  console.log(
    '| database.tableVersions | reads | reads beside 20 writes/s to another type | processor of these, ms | writes, one writer |',
  );
  console.log('| --- | --- | --- | --- | --- |');
  for (const { isOn, quiet, busy, processor, writes } of sides)
    console.log(`| ${isOn ? 'on' : 'off'} | ${spread(quiet)} | ${spread(busy)} | ${median(processor).toFixed(2)} | ${spread(writes)} |`);
}

if (options.help) console.log(usage);
else await withCleanUps(run);
