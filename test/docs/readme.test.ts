/** README.md claims nothing that no test holds: its sentences name tests here, its figures are those of docs/performance.md. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const read = (file: string) => readFileSync(path(file), 'utf8');

const page = read('README.md');
/** What bench/figures.mjs writes. */
const figuresOf = (text: string) => /<!-- figures -->\n(.*)<!-- \/figures -->/s.exec(text)?.[1] ?? '';
const results = figuresOf(read('docs/performance.md'));

/** The cells of a table's rows, without its head. */
const rowsOf = (table: string) => {
  const [, , ...rows] = table.trim().split('\n');
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};
const tablesOf = (text: string) => text.match(/(?:^\|.*\n)+/gm) ?? [];

/** What README.md says, and the tests that fail when it is no longer so. */
const claims: readonly (readonly [claim: string, ...tests: (readonly [file: string, name: string])[]])[] = [
  [
    'reading with population, filters, sorting and pages',
    ['test/compatibility/reads.test.ts', '$mode'],
    ['test/api/reading/populate.test.ts', '* populates everything that the caller may find'],
  ],
  ['writing with relations, components, drafts and locales', ['test/compatibility/writes.test.ts', 'leaves the recorded rows']],
  [
    'files, with images in every size that a page needs',
    ['test/api/media/uploads.test.ts', 'with variants of an image'],
    ['test/api/media/variants.test.ts', 'a variant is created once for requests at the same time'],
  ],
  [
    "It speaks Strapi 5's Content API on Strapi 5's tables",
    ['test/compatibility/reads.test.ts', '$mode'],
    ['test/compatibility/writes.test.ts', 'leaves the recorded rows'],
  ],
  ["beside Strapi's admin panel", ['test/docs/editing.test.ts', 'on a database that Strapi has started on, is served as before']],
  [
    'every request has limits',
    ['test/api/reading/bad-input.test.ts', 'limits'],
    ['test/api/reading/bounded-reads.test.ts', 'of too much data are refused while it is read: %s'],
    ['test/api/writing/bodies.test.ts', 'that do not end'],
  ],
  ["no table of Strapi's is altered", ['test/migrations/command.test.ts', 'is not altered at the start']],
  [
    'links to the content, and to [`/explore`](docs/explore.md)',
    ['test/pages/page-files.test.ts', 'the home page leads to the pages'],
    ['test/pages/explore.test.ts', 'builds a query by clicking, and shows the JSON that its URL gives'],
  ],
  ['`npm pack` makes a package', ['test/package/packed.test.ts', 'serves its demo, with all its processes']],
  [
    '`check` looks for everything that would prevent the start',
    ['test/api/http/start.test.ts', 'gets all its errors at once, with file and position'],
  ],
  [
    "API tokens stay valid, and so do users' tokens as long as the project keeps its mode (`legacy-support` or `refresh`) and secrets",
    ['test/api/access/api-tokens.test.ts', 'stores what Strapi stores'],
    ['test/api/accounts/sessions.test.ts', 'is accepted if all its claims are right'],
    ['test/api/accounts/sessions.test.ts', 'a long-lived token as Strapi makes it is accepted in this mode alone'],
  ],
  [
    '`lectern compare` sends your own requests to both servers and prints what differs',
    ['test/compare/compare.test.ts', 'lines of any log are read, and differences are grouped by shape'],
    ['test/compare/compare.test.ts', 'the recorded reads have no other differences than the known ones'],
  ],
  [
    'Code for Strapi is not run: a route with custom code responds with 501',
    ['test/api/http/project-code.test.ts', 'nothing is written by a refused route'],
  ],
  ['[hooks](docs/hooks.md) and [endpoints](docs/endpoints.md)', ['test/docs/newsroom.test.ts', 'every block does what the page says']],
  ['or is forwarded to Strapi', ['test/api/http/forwarding.test.ts', 'which requests']],
  ['`lectern doctor` lists such code', ['test/doctor/doctor.test.ts', 'prints what is served, honoured, not served, and to be decided']],
  ['| GraphQL | with a plugin | **no** |', ['test/api/http/http.test.ts', '/graphql']],
  ['| drafts, locales | yes | as Strapi stores them |', ['test/compatibility/writes.test.ts', 'leaves the recorded rows']],
  [
    '| files, sizes of images | made at the upload | at the upload, and by URL |',
    ['test/api/media/uploads.test.ts', 'with variants of an image'],
    ['test/api/media/variants.test.ts', 'a variant is created once for requests at the same time'],
  ],
  ['the page `/docs` shows it', ['test/pages/docs.test.ts', 'shows what everybody may use, and loads nothing from elsewhere']],
  [
    '`/api/openapi.json` describes what its caller may use',
    ['test/openapi/rights.test.ts', 'shows a caller nothing of a type that the caller may not read'],
    ['test/openapi/validity.test.ts', 'has every route that is served, and no other'],
  ],
  ['`npx lectern types` prints the TypeScript types of a project', ['test/types/types-command.test.ts', 'prints the types']],
  ['by URL and command, with what the caller may use', ['test/openapi/validity.test.ts', 'is the same document as that of the command']],
  ['by action, row and field | by PostgreSQL', ['test/api/access/restrictions.test.ts', 'fields that are not among those of the right']],
];

describe('README.md', () => {
  it('has at most 120 lines', () => expect(page.split('\n').length).toBeLessThanOrEqual(121));

  it.each(claims.map(([claim, ...tests]) => ({ claim, tests })))('$claim: tests hold it', ({ claim, tests }) => {
    expect(page).toContain(claim);
    expect(tests).not.toEqual([]);
    for (const [file, name] of tests) {
      expect(existsSync(path(file)), file).toBe(true);
      expect(read(file), file).toContain(name);
    }
  });

  it('shows figures of docs/performance.md', () => {
    const [sqlite = [], postgres = []] = tablesOf(results).map(rowsOf);
    const figures = rowsOf(tablesOf(figuresOf(page))[0] ?? '');
    expect(figures.length).toBeGreaterThan(4);
    /** The scenario, the requests a second of both, and the ratio, without minima and maxima. */
    const measured = (rows: string[][], scenario = '') => {
      const row = rows.find(([name]) => name === scenario) ?? [];
      return [row[1], row[4], row[5]].map((cell) => cell?.replace(/ \(.*/, ''));
    };
    for (const [scenario, ...shown] of figures)
      expect([scenario, ...shown]).toEqual([scenario, ...measured(sqlite, scenario), ...measured(postgres, scenario)]);

    const ratios = [...sqlite, ...postgres].flatMap(([label = '', , , , , ratio = '']) =>
      label.startsWith('mixed traffic') ? [Number.parseFloat(ratio)] : [],
    );
    expect(page).toContain(`answers ${Math.floor(Math.min(...ratios))} to ${Math.floor(Math.max(...ratios))} times as many reads a second`);
  });

  it('says how they were measured, as docs/performance.md does', () => {
    const [said = ''] = /^Measured on .*$/m.exec(results) ?? [];
    expect(said).not.toBe('');
    expect(figuresOf(page)).toContain(said);
  });

  it('shows small pictures', () => {
    const pictures = [...page.matchAll(/docs\/pictures\/[\w.-]+/g)].map(String);
    expect(pictures.length).toBeGreaterThan(2);
    for (const picture of pictures) expect(statSync(path(picture)).size, picture).toBeLessThan(200_000);
  });
});
