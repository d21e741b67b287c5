/** `node bench/search.mjs`: full-text search in 100,000 articles, each in a draft and a published version, whose words are as unequally frequent as in
 *  texts: the time to build the index, and of the first page of searches, one at a time. Run `npm run build` first. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { randomNumbers } from './content.mjs';
import { inPostgres } from './postgres.mjs';
import { lecternPrints, startLectern } from './processes.mjs';
import { machineLine, printProgress, rounded, table } from './report.mjs';
import { source } from './source.mjs';
import { withCleanUps } from './with-clean-ups.mjs';

const { Driver: BetterSqlite3 } = await source('dialects/sqlite-driver.ts');

const usage = `node bench/search.mjs [options]

  --articles N        articles (100000)
  --searches N        searches of each kind (40)
  --postgres URL      on PostgreSQL too: a server on which databases may be made and dropped
`;

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: { help: { type: 'boolean', default: false }, articles: text, searches: text, postgres: text },
});
const [articles, searches] = [Number(options.articles ?? 100_000), Number(options.searches ?? 40)];

const random = randomNumbers(11);
const vocabulary = Array.from({ length: 30_000 }, (_, index) => {
  let word = '';
  for (let rest = index + 17; rest > 0; rest = Math.floor(rest / 12)) word += 'bcdfglmnprst'[rest % 12] + 'aeiou'[(rest * 7) % 5];
  return word;
});
/** By Zipf's law. */
const word = () => vocabulary[Math.min(vocabulary.length - 1, Math.floor(vocabulary.length ** random()) - 1)];
const words = (count) => Array.from({ length: count }, word).join(' ');
const pick = (list) => list[Math.floor(random() * list.length)];

const schema = {
  kind: 'collectionType',
  collectionName: 'articles',
  info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string' }, summary: { type: 'text' }, body: { type: 'richtext' } },
};

async function makeProject(cleanUps) {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-bench-search-'));
  cleanUps.push(() => rmSync(dir, { recursive: true, force: true }));
  const folder = join(dir, 'src/api/article/content-types/article');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema));
  writeFileSync(join(dir, 'package.json'), '{}');
  writeFileSync(
    join(dir, 'lectern.config.json'),
    JSON.stringify({ search: { 'api::article.article': { title: 4, summary: 2, body: 1 } } }),
  );
  const project = { dir, database: join(dir, 'data.db') };
  const env = { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: project.database };
  await lecternPrints(['migrate', 'apply', '--dir', dir], env);
  await lecternPrints(['role', 'allow', 'public', 'article', 'find', '--dir', dir], env);
  return { project, env, texts: writeArticles(project.database) };
}

function writeArticles(file) {
  printProgress(`Writing ${articles.toLocaleString('en')} articles …`);
  const database = new BetterSqlite3(file);
  const insert = database.prepare(
    'INSERT INTO articles (document_id, title, summary, body, created_at, updated_at, published_at) VALUES (?, ?, ?, ?, 0, 0, ?)',
  );
  const texts = [];
  database.transaction(() => {
    for (let index = 0; index < articles; index++) {
      const article = [words(6), words(20), words(150)];
      for (const published of [null, 1]) insert.run(`article${String(index).padStart(17, '0')}`, ...article, published);
      if (index % Math.ceil(articles / 1000) === 0) texts.push(article);
    }
  })();
  database.close();
  return texts;
}

/** Each kind of search makes its text of an article, so that there is at least one to be found. */
const kinds = {
  'ten words': ([title, summary, body]) =>
    [...title.split(' ').slice(0, 2), pick(summary.split(' ')), ...body.split(' ').slice(0, 7)].join(' '),
  'three words': ([title, summary, body]) => [title, summary, body].map((each) => pick(each.split(' '))).join(' '),
  'one word': ([, , body]) => pick(body.split(' ').filter((each) => vocabulary.indexOf(each) > 100)),
  'the most frequent word': () => vocabulary[0],
  'three letters': ([title]) => title.slice(0, 3),
};

async function measure(name, { project, env, texts }, rows) {
  printProgress(`${name}: building the index …`);
  const began = performance.now();
  await lecternPrints(['search', 'build', '--dir', project.dir], env);
  const built = (performance.now() - began) / 1000;
  const server = await startLectern(project, undefined, env);
  for (const [kind, textOf] of Object.entries(kinds)) {
    const [times, totals] = [[], []];
    for (let index = -3; index < searches; index++) {
      // Another text each time, so that nothing is cached.
      const search = `filters[$search]=${encodeURIComponent(textOf(pick(texts)))}&filters[id][$gt]=${index + 3}`;
      const since = performance.now();
      const response = await fetch(`${server.base}/api/articles?${search}&sort=$rank&fields=title&pagination[pageSize]=10`);
      const { meta } = await response.json();
      if (index < 0) continue;
      times.push(performance.now() - since);
      totals.push(meta.pagination.total);
    }
    times.sort((a, b) => a - b);
    const middle = totals.sort((a, b) => a - b)[Math.floor(searches / 2)];
    const at = (part) => rounded(times[Math.min(searches - 1, Math.floor(searches * part))], 1);
    rows.push([name, kind, rounded(built, 1), String(middle), at(0.5), at(0.95)]);
  }
  await server.stop();
}

async function run(cleanUps) {
  const made = await makeProject(cleanUps);
  const rows = [];
  if (options.postgres !== undefined) {
    printProgress('Copying the articles to PostgreSQL …');
    const env = await inPostgres(options.postgres, made.project, cleanUps);
    await measure('PostgreSQL', { ...made, env }, rows);
  }
  await measure('SQLite', made, rows);
  console.log(`\n${articles.toLocaleString('en')} articles in two versions, ${machineLine()}\n`);
  console.log(table(['', 'search', 'build s', 'entries', 'p50 ms', 'p95 ms'], rows, 2));
}

if (options.help) console.log(usage);
else await withCleanUps(run);
