import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, bookPath, idOf, useLibrary } from '../../support/library/library.ts';
import { words } from '../../support/words.ts';

const title = 'Lanterns';

/** Population in the default profile; every form is recorded (test/compatibility/recordings/reads), and replayed on every engine with profile `strapi`.
 *  With `fields=title`, and every populated path narrowed by `fields` too, the whole response can be compared. */
const onLanterns: ApiCase[] = [
  {
    it: 'relations of relations, filtered and sorted',
    query: 'populate[subjects][fields]=name&populate[subjects][sort]=name:desc&populate[subjects][populate][parent][fields]=name',
    data: {
      title,
      subjects: [
        { name: 'Science', parent: null },
        { name: 'Optics', parent: { name: 'Physics' } },
      ],
    },
  },
  {
    it: 'lists in the order in which they were connected, counted, or without a target',
    query: 'populate[similar][fields]=title&populate[subjects][count]=true&populate[sequel][fields]=title',
    data: { title, subjects: { count: 2 }, sequel: null, similar: [{ title: 'tides' }, { title: 'Maps' }] },
  },
  {
    it: 'files in their order, and a component without its private attribute',
    query: 'populate[scans][fields]=name&populate[summary]=true&populate[editions]=false',
    data: { title, scans: [{ name: 'scan.png' }, { name: 'wave.png' }], summary: { headline: 'Light' } },
  },
  {
    it: 'what a dynamic zone holds, component by component',
    query:
      'populate[sections][on][print.picture][populate][file][fields]=name&populate[sections][on][print.pointer][populate][to][fields]=title',
    data: {
      title,
      sections: [
        { __component: 'print.picture', caption: 'A lamp', file: { name: 'lamp.png' } },
        { __component: 'print.pointer', label: 'See', to: { title: 'Maps' } },
      ],
    },
  },
];

/** The `find` permission on the target decides. Not reported as an error: rule 6 of the specification. */
const permissions: ApiCase[] = [
  { it: 'leaves out a relation to what the caller may not find', query: 'populate=writer', data: { title } },
  { it: 'gives it to those who may', as: 'reader', query: 'populate[writer][fields]=name', data: { title, writer: { name: 'Ada Quill' } } },
  {
    it: 'gives everything to the full-access token',
    as: 'full',
    query: 'populate[writer][fields]=name&populate[shelf][fields]=code',
    data: { title, writer: { name: 'Ada Quill' }, shelf: { code: 'N1' } },
  },
  {
    it: 'goes by the permissions of a custom token',
    as: 'custom',
    query: 'populate[subjects]=true&populate[similar][fields]=title',
    data: { title, similar: [{ title: 'tides' }, { title: 'Maps' }] },
  },
];

const remark = (key: string) => `/api/remarks/${idOf('remark', key)}`;
const polymorphic: ApiCase[] = [
  {
    it: 'without targets that the caller may not find',
    as: 'reader',
    path: remark('dusty'),
    query: 'fields=text&populate=about',
    data: { text: 'Dusty', about: null },
  },
  {
    it: 'only the published entries behind a type without drafts',
    as: 'reader',
    path: '/api/writers',
    query: 'sort=name&fields=name&populate[books][fields]=title',
    data: [
      { name: 'Ada Quill', books: [{ title: 'Lanterns' }, { title: 'Maps' }] },
      { name: 'Bea Ink', books: [{ title: 'tides' }] },
      { name: 'Cyd Page', books: [] },
    ],
  },
];

describe.each(engines)('%s: populate', (engine) => {
  const library = useLibrary(engine);
  const narrow = (apiCase: ApiCase) => (apiCase.path === undefined ? { ...apiCase, query: `fields=title&${apiCase.query}` } : apiCase);
  it.each(onLanterns)('$it', (apiCase) => library.check(narrow(apiCase), bookPath('lanterns')));
  describe('permissions', () => it.each(permissions)('$it', (apiCase) => library.check(narrow(apiCase), bookPath('lanterns'))));
  describe('polymorphic and one-to-one', () => it.each(polymorphic)('$it', (apiCase) => library.check(apiCase)));

  it('* populates everything that the caller may find, one level deep', async () => {
    const response = await library.ask('public', `${bookPath('lanterns')}?populate=*`);
    const { data } = JSON.parse(response.text);
    const populated = ['subjects', 'sequel', 'similar', 'cover', 'scans', 'summary', 'editions', 'localizations', 'sections'];
    const scalars = words`
      id documentId title slug blurb body genre pages createdAt updatedAt publishedAt locale
    `;
    expectKeys(data, [...scalars, ...populated]);
    expectKeys(data.subjects[0], ['id', 'documentId', 'name', 'rank', 'createdAt', 'updatedAt', 'publishedAt']);
    expectKeys(data.summary, ['id', 'headline']);
  });
});

function expectKeys(entry: object, keys: readonly string[]): void {
  expect(new Set(Object.keys(entry))).toEqual(new Set(keys));
}
