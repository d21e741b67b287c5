/** `node bench/parse.mjs`: measures what a query costs before its statements run: all stages from `parse` to `compile`, and the look-up of a plan that an
 *  earlier query of the same shape has left. The two alternate in one run; each query has new values. */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Inside of node_modules, so that the packages are found. */
const built = `${root}node_modules/.cache/lectern-bench-parse`;
const modules = {
  'load-config': 'config/load-config.ts',
  postgres: 'dialects/postgres.ts',
  sqlite: 'dialects/sqlite.ts',
  'load-model': 'model/load/load-model.ts',
  'authorise-read': 'pipeline/authorise/authorise-read.ts',
  'compile-read': 'pipeline/compile/compile-read.ts',
  'given-values': 'pipeline/parse/given-values.ts',
  'parse-read': 'pipeline/parse/parse-read.ts',
  'query-shape': 'pipeline/parse/query-shape.ts',
  'plan-read': 'pipeline/plan/plan-read.ts',
  'plan-cache': 'pipeline/plan-cache.ts',
  'restriction-filters': 'pipeline/restrict/restriction-filters.ts',
  'unlisted-components': 'pipeline/unlisted-components.ts',
  rights: 'rights/rights.ts',
};

/** The stages are no entries of the build, so they are built here, as modules of their own. */
async function buildStages() {
  const input = Object.fromEntries(Object.entries(modules).map(([name, file]) => [name, `${root}src/${file}`]));
  const bundle = await rolldown({ input, cwd: root, platform: 'node', external: [/^[^./]/], logLevel: 'silent' });
  await bundle.write({ dir: built, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'chunk-[hash].mjs' });
  await bundle.close();
  const loaded = await Promise.all(Object.keys(modules).map((name) => import(`${built}/${name}.mjs`)));
  rmSync(built, { recursive: true });
  return Object.assign({}, ...loaded);
}

const stages = await buildStages();
const { loadConfig, postgres, sqlite, loadModel, authoriseRead, compileRead, GivenValues, parseRead, shapeOf, planRead } = stages;
const { PlanCache, restrictionFilters, UnlistedComponents, fullRights } = stages;

const dir = fileURLToPath(new URL('../examples/blog', import.meta.url));
const { model } = loadModel(dir, { customFields: {}, asStrapi: true });
const { config } = loadConfig({ dir, environment: { LECTERN_PROFILE: 'strapi' }, overrides: {} });
const locales = { byDefault: 'en', codes: ['en'], key: 'en' };
const unlisted = new UnlistedComponents(model);
const type = model.contentTypes.get('api::article.article');
const filterOf = restrictionFilters(model);

const queries = {
  'a slug, two populated paths': (n) => `filters[slug][$eq]=article-${n}&populate[0]=category&populate[1]=author`,
  'the same, with encoded brackets': (n) => `filters%5Bslug%5D%5B%24eq%5D=article-${n}&populate%5B0%5D=category&populate%5B1%5D=author`,
  'a pattern, a range, a page, sorted': (n) =>
    `filters[title][$contains]=word${n}&filters[id][$gt]=${n}&sort=title&pagination[page]=${n % 50}&pagination[pageSize]=10&populate=category`,
  'twenty values of $in': (n) => Array.from({ length: 20 }, (_, i) => `filters[id][$in][${i}]=${n + i}`).join('&'),
};

function compile(query, dialect) {
  const call = { type, target: { kind: 'list' }, query: query.text, actor: { kind: 'public', rights: fullRights }, envelope: 'flat' };
  const given = GivenValues.of(query, config);
  const request = parseRead(call, { model, config, locales, unlisted, given });
  const permitted = authoriseRead(request, { rights: fullRights, policies: config.policies, filterOf });
  const plan = planRead(permitted, config.policies);
  const parts = { dialect, model, status: permitted.status, withIsUrlSigned: false, rowLimit: config.limits.rows };
  return { compiled: compileRead(plan, parts), fit: given.fit(plan.pagination) };
}

const rounds = 20;
const perRound = 500;
const found = { unlisted: undefined };

async function microseconds(work) {
  const started = process.hrtime.bigint();
  for (let count = 0; count < perRound; count++) await work();
  return Number(process.hrtime.bigint() - started) / 1000 / perRound;
}
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

for (const dialect of [sqlite, postgres]) {
  console.log(`\n${dialect.name}: microseconds of a query with new values, median of ${rounds} rounds`);
  for (const [name, queryOf] of Object.entries(queries)) {
    const cache = new PlanCache({ plans: 2000, characters: 16_000_000 }, unlisted);
    let n = 1000;
    let plans = 0;
    const figures = { full: [], found: [] };
    for (let round = 0; round < rounds; round++) {
      figures.full.push(await microseconds(() => compile(shapeOf(queryOf(n++), config.limits), dialect)));
      figures.found.push(
        await microseconds(() => {
          const query = shapeOf(queryOf(n++), config.limits);
          const compileOnce = () => {
            plans++;
            return compile(query, dialect);
          };
          return cache.run({ key: 'article', query, compile: compileOnce, run: async () => found });
        }),
      );
    }
    const row = [`parse … compile ${median(figures.full).toFixed(0)}`, `known shape ${median(figures.found).toFixed(1)}`];
    console.log(`  ${name.padEnd(36)} ${row.join('   ')}   (${plans} ${plans === 1 ? 'plan' : 'plans'} made)`);
  }
}
