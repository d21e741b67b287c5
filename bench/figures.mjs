/** `node bench/figures.mjs SQLITE.json POSTGRES.json`: writes the figures of two runs (`npm run bench -- --against URL --json FILE`) into the tables of README.md and
 *  docs/performance.md, between their marks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UsageError } from './options.mjs';
import { compare, median, short, spread, table, whole } from './report.mjs';

const usage = `node bench/figures.mjs SQLITE.json POSTGRES.json [--dir FOLDER]   the folder of README.md and docs/ (this checkout)`;

const marked = /(?<=<!-- figures -->\n).*(?=<!-- \/figures -->)/s;
const claimed = /(?<=answers )\d+ to \d+(?= times as many reads a second)/;

function read(file) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const [{ results, against }] = report.runs;
  const rows = results.map(({ label, sides: [own, ...others] }) => {
    const other = others.find(({ server }) => server === against);
    if (other === undefined) throw new UsageError(`${file}: ${label} was measured without another server (--against)`);
    return { label, own, other, ...compare(own, other) };
  });
  return { ...report, against, rows };
}

const requestsOf = ({ rounds }) => rounds.map(({ perSecond }) => perSecond);

/** All figures of one engine. */
function fullTable({ rows, against }) {
  return table(
    ['requests', 'Lectern: requests/s (min–max)', 'p99 ms', 'CPU ms', `${against}: requests/s`, 'ratio (min–max)', 'CPU ratio'],
    rows.map(({ label, own, requests, ratios, processor }) => [
      label,
      spread(requestsOf(own), whole),
      ...['p99', 'processor'].map((figure) => short(median(own.rounds.map((round) => round[figure])))),
      whole(requests),
      spread(ratios),
      short(processor),
    ]),
  );
}

/** Requests a second of both servers, on both engines. */
function shortTable(sqlite, postgres) {
  const cells = ({ own, requests, ratios }) => [whole(median(requestsOf(own))), whole(requests), short(median(ratios))];
  const rows = sqlite.rows.flatMap((row) => {
    const same = postgres.rows.find(({ label }) => label === row.label);
    return same === undefined ? [] : [[row.label, ...cells(row), ...cells(same)]];
  });
  const engines = ['SQLite', 'PostgreSQL'].flatMap((engine) => [`${engine}: Lectern`, sqlite.against, 'ratio']);
  return table(['requests', ...engines], rows);
}

const circumstances = ({ date, processors, model, node }, { postgres }) =>
  `Measured on ${date}: ${processors} × ${model}, which load generator, servers and PostgreSQL share, Node ${node}, PostgreSQL ${postgres}.`;
/** Without what names a place on the machine. */
const command = ({ command }) =>
  `\`npm run bench -- ${command.replaceAll(/ ?--(?:json|against(?:-\w+)?|postgres|cpu-profile) \S+/g, '').trim()} --against URL\``;

function replace(file, pattern, text) {
  const page = readFileSync(file, 'utf8');
  if (!pattern.test(page)) throw new UsageError(`${file} has no place for the figures: ${pattern}`);
  writeFileSync(
    file,
    page.replace(pattern, () => text),
  );
}

function run() {
  const { values, positionals } = parseArgs({ options: { dir: { type: 'string' } }, allowPositionals: true });
  if (positionals.length !== 2) throw new UsageError(usage);
  const [sqlite, postgres] = positionals.map(read);
  const dir = values.dir ?? fileURLToPath(new URL('..', import.meta.url));
  const said = circumstances(sqlite, postgres);
  replace(
    join(dir, 'docs/performance.md'),
    marked,
    `${said}\n\nSQLite, ${command(sqlite)}:\n\n${fullTable(sqlite)}\n\nPostgreSQL, ${command(postgres)}:\n\n${fullTable(postgres)}\n`,
  );
  replace(join(dir, 'README.md'), marked, `${shortTable(sqlite, postgres)}\n\n${said}\n`);
  // The other rows say little about a site.
  const claims = [...sqlite.rows, ...postgres.rows].filter(({ label }) => label.startsWith('mixed traffic'));
  const ratios = claims.map((row) => Number.parseFloat(short(median(row.ratios))));
  replace(join(dir, 'README.md'), claimed, `${Math.floor(Math.min(...ratios))} to ${Math.floor(Math.max(...ratios))}`);
}

try {
  run();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
