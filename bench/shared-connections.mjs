/** `node bench/shared-connections.mjs`: measures what quick reads on PostgreSQL save by sharing connections. Look-ups by a key alternate in one run, with a connection for
 *  each read and with shared ones; there is no HTTP, so this process does nothing else. */
import { parseArgs } from 'node:util';
import { createDatabase } from './postgres.mjs';
import { machineLine, median, spread } from './report.mjs';
import { source } from './source.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const usage = `node bench/shared-connections.mjs [options]

  --postgres URL      a server on which databases may be made and dropped (postgres://postgres@127.0.0.1:5432/postgres)
  --reads N           reads under way at any time (8)
  --seconds N         length of a round (2)
  --rounds N          rounds of each way, alternating (5)
`;

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: { help: { type: 'boolean' }, postgres: text, reads: text, seconds: text, rounds: text },
});
const seconds = Number(options.seconds ?? 2);
const server = options.postgres ?? 'postgres://postgres@127.0.0.1:5432/postgres';

const rows = 10_000;
const columns = Array.from({ length: 20 }, (_, number) => `c${number}`);
const table = `CREATE TABLE things AS SELECT n AS id, 'thing-' || n AS slug, ${columns.map((name) => `md5(n::text) AS ${name}`).join(', ')} FROM generate_series(1, ${rows}) AS s(n)`;
const statement = `SELECT id::text, slug, ${columns.join(', ')} FROM things WHERE slug = $1`;

const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function run(cleanUps) {
  const { openPostgresDatabase } = await source('dialects/postgres-connection.ts');
  const url = await createDatabase(server, cleanUps);
  const database = openPostgresDatabase({
    connection: { connectionString: url, max: 10 },
    schema: undefined,
    statementTime: 0,
    connectionTime: 10_000,
    databaseOrder: false,
    preparedStatements: true,
  });
  cleanUps.push(() => database.close());
  await database.write(async (connection) => {
    await connection.query(table, []);
    await connection.query('CREATE INDEX ON things (slug)', []);
  });

  let number = 0;
  const readOne = (isQuick) =>
    database.readAtOnce(
      (connection) => connection.each(statement, [`thing-${1 + ((number++ * 7919) % rows)}`], () => undefined),
      undefined,
      { isQuick },
    );
  const round = async (isQuick, length) => {
    const began = performance.now();
    const before = processorTime();
    let reads = 0;
    const caller = async () => {
      while (performance.now() < began + 1000 * length) {
        await readOne(isQuick);
        reads++;
      }
    };
    await Promise.all(Array.from({ length: Number(options.reads ?? 8) }, caller));
    return { perSecond: (1000 * reads) / (performance.now() - began), processor: (processorTime() - before) / reads };
  };
  const ways = [
    { name: 'a connection for each read', isQuick: false, rates: [], processor: [] },
    { name: 'shared connections', isQuick: true, rates: [], processor: [] },
  ];
  for (const { isQuick } of ways) await round(isQuick, 1);
  for (let count = 0; count < Number(options.rounds ?? 5); count++) {
    for (const way of ways) {
      const { perSecond, processor } = await round(way.isQuick, seconds);
      way.rates.push(perSecond);
      way.processor.push(processor);
    }
  }
  console.log(`\n${machineLine()}, rounds of ${seconds} s\n`);
  console.log('| | reads/s | processor time of this process, ms a read |');
  console.log('| --- | --- | --- |');
  for (const { name, rates, processor } of ways) console.log(`| ${name} | ${spread(rates)} | ${median(processor).toFixed(3)} |`);
}

if (options.help) console.log(usage);
else await withCleanUps(run);
