/** Thousands of queries that nobody would write: none may fail unexpectedly, each gets a JSON response, and the server keeps running. A failing query is
 *  shrunk to a short one and printed with the seed; `LECTERN_TEST_FUZZ_SEED` repeats a run, `LECTERN_TEST_FUZZ_RUNS` and `npm run test:long` make it longer. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { bookPath, useLibrary, type Who } from '../../support/library/library.ts';
import { fuzzRuns } from '../../support/long.ts';
import { comparisons } from '../../support/query-words.ts';
import { words } from '../../support/words.ts';

const operators = [...comparisons, '$and', '$or', '$not', '$foo', '$', '$jsonSupersetOf'];
const attributes = words`
  id documentId title slug genre pages createdAt publishedAt locale writer subjects shelf sequel similar cover scans summary editions
  sections localizations createdBy acquisitionNote passcode label str whole big flt dec flag day clock moment stamp doc blocks hidden
  name rank parent children books origin year translator related about attached
`;
const parameters = [
  ...words`
    filters populate fields sort pagination locale status publicationFilter hasPublishedVersion _q page start count ordering nope
  `,
  '',
];
const keywords = words`
  fields filters sort populate on count page pageSize start limit withCount print.quotation print.picture api::writer.writer true asc
  desc *
`;
const garbage = [
  ...words`
    __proto__ constructor prototype toString hasOwnProperty 0 1 99 101 -1 1e9 null undefined %00 %ED%A0%80 %ZZ % %FF é 😀 " ; -- . .. , *
    $where [ ] ][ [[ %5B %5D
  `,
  ...['', ' ', "'", '\\'],
];
const values = [
  ...words`
    1 0 -1 1.5 1e999 -1e999 NaN 99999999999999999999999 0x10 true false null abc Maps A %25 _ %00 a%00b %ED%A0%80 %ZZ % * 2024-01-01
    2024-02-30 0000-00-00 999999-12-31 12:00:00 25:61:61 2024-01-01T00:00:00Z 275760-09-13T00:00:00.001Z -271821-04-20T00:00:00Z
    1709210096789 8640000000000001 en de xx draft published title title:desc subjects.name subjects.parent.name:desc writer.name
    summary.origin sections title,slug 😀 {"a":1} [1,2] 1,2
  `,
  ...['', "' OR '1'='1"],
];

const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...attributes) },
  { weight: 5, arbitrary: fc.constantFrom(...operators) },
  { weight: 3, arbitrary: fc.constantFrom(...keywords) },
  { weight: 2, arbitrary: fc.nat({ max: 120 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom(...garbage) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map(encoded) },
);
const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...values) },
  { weight: 2, arbitrary: fc.constantFrom(...attributes) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map(encoded) },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.bigInt().map(String) },
  { weight: 1, arbitrary: fc.date({ noInvalidDate: true }).map((date) => encoded(date.toISOString())) },
);

/** `filters[a][b]=c`, in the shapes that queries have. */
const path = fc.array(key, { maxLength: 7 }).map((keys) => keys.map((name) => `[${name}]`).join(''));
const plausibleFilter = fc
  .tuple(
    fc.array(fc.constantFrom(...attributes, '$and][0', '$or][1', '$not'), { maxLength: 3 }),
    fc.constantFrom(...attributes),
    fc.constantFrom(...operators),
    value,
  )
  .map(
    ([steps, attribute, operator, operand]) => `filters${[...steps, attribute, operator].map((step) => `[${step}]`).join('')}=${operand}`,
  );
const plausiblePopulate = fc
  .tuple(fc.array(fc.constantFrom(...attributes), { minLength: 1, maxLength: 4 }), fc.constantFrom(...keywords), value)
  .map(([steps, keyword, operand]) => `populate${steps.map((step) => `[${step}]`).join('[populate]')}[${keyword}]=${operand}`);
const dotted = fc.array(fc.constantFrom(...attributes), { minLength: 1, maxLength: 4 }).map((steps) => steps.join('.'));
const plausibleSort = fc
  .array(
    fc.tuple(dotted, fc.constantFrom('', ':asc', ':desc')).map((parts) => parts.join('')),
    { minLength: 1, maxLength: 3 },
  )
  .map((terms) => `sort=${terms.join()}`);
const plausibleNames = fc
  .tuple(fc.constantFrom('populate', 'fields'), fc.array(dotted, { minLength: 1, maxLength: 3 }))
  .map(([parameter, names]) => `${parameter}=${names.join()}`);
/** Mostly right, so that whole queries get as far as the database. */
const known = fc.constantFrom(
  ...words`
    sort=title sort=subjects.name:desc,title sort=subjects.parent.name sort=summary.origin.year:desc sort=cover.name
    populate=* populate=subjects.parent,sections populate[sections][on][print.pointer][populate]=*
    filters[subjects][parent][name][$contains]=s filters[$or][0][pages][$gt]=100&filters[$or][1][editions][year]=1999
    filters[$not][subjects][name]=Science filters[title][$notIn][]=Maps locale=* pagination[pageSize]=2 _q=a fields=title
  `,
);
const long = fc.oneof(
  fc.nat({ max: 200 }).map((depth) => `filters${'[$not]'.repeat(depth)}[title]=x`),
  fc.nat({ max: 300 }).map((count) => Array.from({ length: count }, (_, at) => `filters[pages][$in][${at}]=${at}`).join('&')),
  fc.nat({ max: 30 }).map((count) => `populate=${Array.from({ length: count }, () => 'subjects.books').join('.')}`),
);
const assignment = fc
  .tuple(fc.constantFrom(...parameters), path, fc.option(value))
  .map(([parameter, keys, operand]) => `${parameter}${keys}${operand === null ? '' : `=${operand}`}`);
const wild = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: known },
    { weight: 4, arbitrary: plausibleFilter },
    { weight: 2, arbitrary: plausibleSort },
    { weight: 2, arbitrary: plausibleNames },
    { weight: 3, arbitrary: plausiblePopulate },
    { weight: 4, arbitrary: assignment },
    { weight: 1, arbitrary: long },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map(encoded) },
  ),
  { minLength: 1, maxLength: 4 },
);
const query = fc
  .oneof({ weight: 3, arbitrary: wild }, { weight: 1, arbitrary: fc.array(known, { minLength: 1, maxLength: 3 }) })
  .map((parts) => sendable(parts.join('&')));

/** Percent-encoded where possible; lone surrogates, which cannot be, as the bytes that a careless client would send. */
function encoded(text: string): string {
  return [...text]
    .map((character) => (/[\ud800-\udfff]/.test(character) && character.length === 1 ? '%ED%A0%80' : encodeURIComponent(character)))
    .join('');
}

/** Characters that no HTTP client sends in a request line. */
const sendable = (text: string) => text.replaceAll(/[^!-~]/gu, encoded);

const targets = ['/api/books', bookPath('lanterns'), '/api/specimens', '/api/subjects', '/api/writers', '/api/remarks', '/api/entrance'];
const callers: readonly Who[] = ['public', 'full', 'custom'];
const seed = process.env.LECTERN_TEST_FUZZ_SEED;

describe.each(engines)('%s: generated queries', (engine) => {
  const modes = [
    ['strict parameters', {}],
    ['lenient parameters, profile strapi', { LECTERN_PROFILE: 'strapi', LECTERN_API_STRICT_PARAMS: 'false' }],
  ] as const;
  // How a query is read does not depend on the engine.
  describe.each(modes.slice(0, anyEngine.includes(engine) ? 2 : 1))('%s', (_mode, env) => {
    const library = useLibrary(engine, env);
    afterAll(() => {
      expect(library.server.alive()).toBe(true);
    });

    const statuses = new Map<number, number>();
    it(`${fuzzRuns} of them: never a 5xx, always JSON`, { timeout: 600_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...callers), fc.constantFrom(...targets), query, async (who, target, text) => {
          const response = await library.ask(who, `${target}?${text}`);
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
          expect([200, 400, 401, 403, 404, 414]).toContain(response.status);
          const body = response.json();
          if (response.status >= 400)
            expect(body).toMatchObject({ data: null, error: { status: response.status, message: expect.any(String) } });
          expect(response.text).not.toMatch(/hush|private\.example|\$2[aby]\$/);
        }),
        { numRuns: fuzzRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) },
      );
      // Queries that are all refused would say nothing about the database.
      expect(statuses.get(200)).toBeGreaterThan(fuzzRuns / 100);
    });
  });
});
