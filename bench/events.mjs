/** `node bench/events.mjs`: writes a second without events, with them, with a webhook that gets each of them, and with a hook that computes an attribute, in
 *  turns; and the time from the beginning of a write to the delivery of its event. Run `npm run build` first. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inPostgres } from './postgres.mjs';
import { loadWrites, processorTimeOf, startLectern } from './processes.mjs';
import { makeProject } from './project.mjs';
import { machineLine, median, printProgress, rounded, table, whole } from './report.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/events.mjs [options]

  --seconds N         length of a round (3)
  --rounds N          rounds of each server, in turns (5)
  --writers N         writers at the same time (16)
  --scenario NAME     a scenario of writes.mjs (create, scalars)
  --postgres URL      on PostgreSQL: a server on which databases may be made and dropped
`;

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: { help: { type: 'boolean', default: false }, seconds: text, rounds: text, writers: text, scenario: text, postgres: text },
});
const [seconds, rounds, writers] = [Number(options.seconds ?? 3), Number(options.rounds ?? 5), Number(options.writers ?? 16)];
const scenario = options.scenario ?? 'create, scalars';
/** Milliseconds for what is still on its way after a round. */
const settling = 2000;

/** Notes how old each event is when it arrives. */
async function startReceiver(cleanUps) {
  const ages = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end();
    ages.push(Date.now() - Date.parse(JSON.parse(Buffer.concat(chunks)).createdAt));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => server.closeAllConnections() ?? server.close());
  return { ages, url: `http://127.0.0.1:${server.address().port}` };
}

const withHook = 'with a hook';
const hook = `
  import { defineHooks, excerpt } from 'lectern';
  export default defineHooks('api::article.article', {
    before: { create: ({ data }) => ({ data: { readingMinutes: 1 + (data.body.length % 60) } }) },
    compute: { summary: excerpt({ from: 'body' }) },
  });
`;

/** With a database of its own, and with the hook if that is measured. */
function copyOf(project, name, index, cleanUps) {
  const dir = name === withHook ? mkdtempSync(join(tmpdir(), 'lectern-bench-hook-')) : project.dir;
  if (name === withHook) {
    cleanUps.push(() => rmSync(dir, { recursive: true, force: true }));
    cpSync(project.dir, dir, { recursive: true });
    mkdirSync(join(dir, 'lectern/hooks'), { recursive: true });
    writeFileSync(join(dir, 'lectern/hooks/article.ts'), hook);
  }
  const database = join(dir, `${index}.db`);
  cpSync(project.database, database);
  return { ...project, dir, database };
}

async function run(cleanUps) {
  const project = await makeProject({ articles: 1000 }, printProgress);
  cleanUps.push(project.remove);
  const receiver = await startReceiver(cleanUps);
  const webhook = { name: 'bench', url: receiver.url, events: ['create', 'update', 'publish', 'delete'], payload: 'thin' };
  const settings = {
    'without events': { LECTERN_EVENTS_KEEP: '0' },
    'with events': {},
    'with a webhook': { LECTERN_EVENTS_ALLOW_PRIVATE: '127.0.0.1', LECTERN_WEBHOOKS: JSON.stringify([webhook]) },
    [withHook]: {},
  };
  const sides = [];
  for (const [name, env] of Object.entries(settings)) {
    const copy = copyOf(project, name, sides.length, cleanUps);
    const database = options.postgres === undefined ? {} : await inPostgres(options.postgres, copy, cleanUps);
    const server = await startLectern(copy, undefined, { ...database, ...env });
    cleanUps.push(() => server.stop());
    sides.push({ name, server, rounds: [] });
  }
  for (let round = -1; round < rounds; round++) {
    for (const { name, server, rounds: measured } of sides) {
      printProgress(`${name}, round ${round + 1} of ${rounds} …`);
      const before = processorTimeOf(server.pid);
      const orders = { base: server.base, readBase: server.base, scenario, writers, seconds: round < 0 ? 1 : seconds, headers: {} };
      const figures = await loadWrites(orders);
      // What is sent after the round belongs to its writes.
      await new Promise((resolve) => setTimeout(resolve, settling));
      if (round >= 0) measured.push({ ...figures, processor: (processorTimeOf(server.pid) - before) / figures.responses });
      else receiver.ages.length = 0;
    }
  }
  const [without] = sides;
  const ratio = (side) => median(side.rounds.map(({ perSecond }, index) => perSecond / without.rounds[index].perSecond));
  const figure = (side, name) => median(side.rounds.map((round) => round[name]));
  console.log(`\n${options.postgres === undefined ? 'SQLite' : 'PostgreSQL'}, ${scenario}, ${writers} writers, ${machineLine()}\n`);
  console.log(
    table(
      ['', 'writes/s', 'of without events', 'p99 ms', 'CPU ms'],
      sides.map((side) => [
        side.name,
        whole(figure(side, 'perSecond')),
        rounded(ratio(side), 2),
        rounded(figure(side, 'p99')),
        rounded(figure(side, 'processor'), 2),
      ]),
    ),
  );
  const ages = receiver.ages.sort((a, b) => a - b);
  const at = (part) => ages[Math.min(ages.length - 1, Math.floor(ages.length * part))];
  console.log(
    `\n${ages.length} events arrived; from the beginning of the write: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${ages.at(-1)} ms`,
  );
}

if (options.help) console.log(usage);
else await withCleanUps(run);
