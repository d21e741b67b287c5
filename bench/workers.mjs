/** `node bench/workers.mjs`: one process that serves beside two, in turns, each on a PostgreSQL database of its own with the same content. Server, database and
 *  load share the processors of one machine, so that two processes would get no more of them than one: each process that serves is given the same part of a
 *  processor, which leaves enough for everything else. Needs root and Linux, with the control group `cpu` (version 1 or 2). */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inPostgres } from './postgres.mjs';
import { loadPaths, startLectern } from './processes.mjs';
import { makeProject } from './project.mjs';
import { machineLine, median, printProgress, spread } from './report.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/workers.mjs [options]

  --postgres URL      a server on which databases may be made and dropped (postgres://postgres@127.0.0.1:5432/postgres)
  --articles N        articles of the example (10000)
  --part N            the part of a processor that each process gets (0.25)
  --seconds N         length of a round (4)
  --rounds N          rounds of each server, alternating (4)
`;

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: { help: { type: 'boolean' }, postgres: text, articles: text, part: text, seconds: text, rounds: text },
});
const server = options.postgres ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const articles = Number(options.articles ?? 10_000);
const part = Number(options.part ?? 0.25);
const seconds = Number(options.seconds ?? 4);

const list = '/api/articles?populate[0]=category&populate[1]=author&pagination[pageSize]=10';
const scenarios = {
  'lists, another page each time': Array.from({ length: 900 }, (_, at) => `${list}&pagination[page]=${at + 1}`),
  'documents by their slug, another each time': Array.from(
    { length: articles },
    (_, at) => `/api/articles?filters[slug][$eq]=big-${(at * 7919) % articles}&populate=category`,
  ),
};

/** Microseconds: the period of the limit. */
const period = 20_000;

/** Puts a process into a group of its own that gets this part of a processor. */
function limit(pid, cleanUps) {
  const isFirst = existsSync('/sys/fs/cgroup/cpu/cpu.cfs_quota_us');
  const group = join(isFirst ? '/sys/fs/cgroup/cpu' : '/sys/fs/cgroup', `lectern-bench-${pid}`);
  mkdirSync(group);
  cleanUps.push(() => rmdirSync(group));
  const quota = Math.round(part * period);
  if (isFirst) {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(period));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota));
  } else writeFileSync(join(group, 'cpu.max'), `${quota} ${period}`);
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
}

/** With one process, the server itself serves; with several, its children do. */
function servingProcesses(pid, workers) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return workers === 1 ? [pid] : children;
}

async function run(cleanUps) {
  const project = await makeProject({ articles }, printProgress);
  cleanUps.push(project.remove);
  const sides = [];
  for (const workers of [1, 2]) {
    const env = await inPostgres(server, project, cleanUps);
    const lectern = await startLectern(project, undefined, { ...env, LECTERN_WORKERS: String(workers), LECTERN_CACHE_BYTES: '0' });
    // After the processes have ended, their groups can be removed.
    const groups = [];
    cleanUps.push(async () => {
      await lectern.stop();
      for (const remove of groups) remove();
    });
    const read = (paths, length, from) => loadPaths({ base: lectern.base, paths, from, seconds: length, connections: 32 });
    for (const paths of Object.values(scenarios)) await read(paths, 2, 0);
    const pids = servingProcesses(lectern.pid, workers);
    if (pids.length !== workers) throw new Error(`${pids.length} processes serve in place of ${workers}`);
    for (const pid of pids) limit(pid, groups);
    sides.push({ workers, read, from: 0 });
  }
  const rows = [];
  for (const [name, paths] of Object.entries(scenarios)) {
    printProgress(`${name} …`);
    const rounds = { 1: [], 2: [] };
    for (let round = 0; round < Number(options.rounds ?? 4); round++) {
      for (const side of sides) {
        const { perSecond, sent } = await side.read(paths, seconds, side.from);
        side.from += sent;
        rounds[side.workers].push(perSecond);
      }
    }
    const ratios = rounds[2].map((perSecond, at) => perSecond / rounds[1][at]);
    rows.push(
      `| ${name} | ${spread(rounds[1])} | ${spread(rounds[2])} | ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}) |`,
    );
  }
  console.log(`\n${machineLine()}, rounds of ${seconds} s, requests per second; each process gets ${part} of a processor\n`);
  console.log('| reads | one process (min–max) | two processes | ratio |');
  console.log('| --- | ---: | ---: | ---: |');
  for (const row of rows) console.log(row);
}

if (options.help) console.log(usage);
else await withCleanUps(run);
