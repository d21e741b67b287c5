import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, bookPath, idOf, useLibrary } from '../../support/library/library.ts';
import { words } from '../../support/words.ts';

const title = 'Lanterns';
const science = { name: 'Science' };
const optics = { name: 'Optics' };

/** With `fields=title`, and every populated path narrowed by `fields` too, the whole response can be compared. */
const onLanterns: ApiCase[] = [
  { it: 'nothing when nothing is said', query: '', data: { title } },
  {
    it: 'a relation, in the order in which it was connected',
    query: 'populate[subjects][fields]=name',
    data: { title, subjects: [optics, science] },
  },
  {
    it: 'a relation with a filter',
    query: 'populate[subjects][fields]=name&populate[subjects][filters][rank][$gt]=1',
    data: { title, subjects: [optics] },
  },
  {
    it: 'a relation with a sort',
    query: 'populate[subjects][fields]=name&populate[subjects][sort]=name:desc',
    data: { title, subjects: [science, optics] },
  },
  {
    it: 'a relation of a relation',
    query: 'populate[subjects][fields]=name&populate[subjects][populate][parent][fields]=name',
    data: {
      title,
      subjects: [
        { name: 'Optics', parent: { name: 'Physics' } },
        { name: 'Science', parent: null },
      ],
    },
  },
  {
    it: 'a one-way list, in its order',
    query: 'populate[similar][fields]=title',
    data: { title, similar: [{ title: 'tides' }, { title: 'Maps' }] },
  },
  { it: 'a to-one relation without a target', query: 'populate[sequel][fields]=title', data: { title, sequel: null } },
  { it: 'the number of related entries', query: 'populate[subjects][count]=true', data: { title, subjects: { count: 2 } } },
  {
    it: 'a media attribute',
    query: 'populate[cover][fields]=name,url',
    data: { title, cover: { name: 'lamp.png', url: '/uploads/lamp.png' } },
  },
  {
    it: 'a list of media, in its order',
    query: 'populate[scans][fields]=name',
    data: { title, scans: [{ name: 'scan.png' }, { name: 'wave.png' }] },
  },
  { it: 'a component, without its private attribute', query: 'populate=summary', data: { title, summary: { headline: 'Light' } } },
  {
    it: 'a repeatable component, in its order',
    query: 'populate=editions',
    data: {
      title,
      editions: [
        { year: 2001, publisher: 'Fjord' },
        { year: 1999, publisher: 'Harbour' },
      ],
    },
  },
  {
    it: 'a relation of a component',
    as: 'reader',
    query: 'populate[editions][fields]=year&populate[editions][populate][translator][fields]=name',
    data: {
      title,
      editions: [
        { year: 2001, translator: { name: 'Bea Ink' } },
        { year: 1999, translator: null },
      ],
    },
  },
  {
    it: 'a dynamic zone, first level only, in its order',
    query: 'populate=sections',
    data: {
      title,
      sections: [
        { __component: 'print.quotation', words: 'Let there be' },
        { __component: 'print.picture', caption: 'A lamp' },
        { __component: 'print.pointer', label: 'See' },
        { __component: 'print.quotation', words: 'The end' },
      ],
    },
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
  { it: 'yes and no', query: 'populate[summary]=true&populate[editions]=false', data: { title, summary: { headline: 'Light' } } },
  {
    it: 'localizations',
    query: 'populate[localizations][fields]=title,locale',
    data: { title, localizations: [{ title: 'Laternen', locale: 'de' }] },
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
    it: 'a relation to one of many types',
    as: 'full',
    path: remark('kind'),
    query: 'fields=text&populate[about][on][api::writer.writer][fields]=name',
    data: { text: 'Kind', about: { __type: 'api::writer.writer', name: 'Ada Quill' } },
  },
  {
    it: 'without targets that the caller may not find',
    as: 'reader',
    path: remark('dusty'),
    query: 'fields=text&populate=about',
    data: { text: 'Dusty', about: null },
  },
  {
    it: 'the inverse side',
    as: 'full',
    path: `/api/writers/${idOf('writer', 'ada')}`,
    query: 'fields=name&populate[remarks][fields]=text',
    data: { name: 'Ada Quill', remarks: [{ text: 'Kind' }] },
  },
  {
    it: 'a one-to-one relation from its inverse side',
    as: 'reader',
    path: '/api/cards',
    query: 'sort=number&populate[writer][fields]=name&fields=number',
    data: [
      { number: 'A-1', writer: { name: 'Ada Quill' } },
      { number: 'Z-9', writer: null },
    ],
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
