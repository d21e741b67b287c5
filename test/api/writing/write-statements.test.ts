/** A write takes as many statements as it has tables to read and change, never more for more rows; and what is unchanged is not written. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { statementsOf } from '../../support/http.ts';
import { components, related, writesTo } from '../../support/library/books.ts';
import { bodyOf, idOf, useOwnLibrary } from '../../support/library/library.ts';

type Data = Readonly<Record<string, unknown>>;
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

describe.each(engines)('%s: statements of a write', (engine) => {
  const library = useOwnLibrary(engine);
  const { write, book } = writesTo(library);
  const count = async (method: string, path: string, data?: Data) => statementsOf(await write(method, path, data));

  const populate =
    'populate[summary][populate]=origin&populate[editions][populate]=translator&populate[sections][populate]=*&populate[subjects]=true';
  /** The row ids of a version's components, at any depth. */
  async function componentRows(path: string, status: string): Promise<unknown> {
    const { data } = (await library.ask('full', `${path}?status=${status}&${populate}`)).json() as { data: { [key: string]: Json } };
    const ids = (value: Json | undefined): unknown => {
      if (Array.isArray(value)) return value.map(ids);
      if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
      return [value.id, ids(value.origin)];
    };
    return [ids(data.summary), ids(data.editions), ids(data.sections)];
  }
  const rows = async (path: string) => [await componentRows(path, 'draft'), await componentRows(path, 'published')];

  const scalars = { title: 'Changed', slug: null, blurb: 'changed too', body: null, genre: 'essay', pages: 3 };
  describe.each([
    ['PATCH', { title: 'Changed', blurb: 'changed too' }],
    ['PUT', scalars],
  ])('%s of scalars', (method, data) => {
    it('of a published document takes as many for 5 as for 50 components, and does not change their rows', async () => {
      const taken: number[] = [];
      for (const length of [5, 50]) {
        const path = await book({ ...components(length), ...related });
        const before = await rows(path);
        taken.push(await count(method, `${path}?status=published`, data));
        expect(await rows(path)).toEqual(before);
        expect(bodyOf(await library.ask('full', path)).data).toMatchObject(data);
      }
      expect(taken[1]).toBe(taken[0]);
    });

    it('of a draft reads no component at all', async () => {
      const plain = await book({}, 'draft');
      const full = await book({ ...components(50), ...related }, 'draft');
      const taken = await count(method, `${full}?status=draft`, data);
      expect(taken).toBe(await count(method, `${plain}?status=draft`, data));
      // Its rows, its values, the change, its event, the response; and where several can write at once, the lock.
      expect(taken).toBeLessThanOrEqual(5 + lockStatements(1));
    });
  });
  const event = 1;
  /** Locks, on engines that let several write at once. */
  const lockStatements = (number: number) => (engine === 'sqlite' ? 0 : number);

  it('publishing for the first time takes the same for 3 and 30 components', async () => {
    const taken: number[] = [];
    for (const length of [3, 30])
      taken.push(await count('POST', `${await book({ ...components(length), ...related }, 'draft')}/actions/publish`));
    expect(taken[1]).toBe(taken[0]);
  });

  it('publishing an unchanged document again writes only the times', async () => {
    const path = await book({ ...components(30), ...related });
    const before = await rows(path);
    const first = await count('POST', `${path}/actions/publish`);
    expect(await rows(path)).toEqual(before);
    expect(await count('PATCH', `${path}?status=published`, {})).toBe(first);
  });

  it('changing one of 50 components writes that one', async () => {
    const path = await book(components(50));
    const [draft] = (await rows(path)) as [[unknown, [number][], unknown]];
    const editions = draft[1].map(([id], index) => (index === 7 ? { id, year: 4711 } : { id }));
    const taken = await count('PATCH', `${path}?status=draft`, { editions });
    const short = await book(components(2));
    const [shortDraft] = (await rows(short)) as [[unknown, [number][], unknown]];
    const few = shortDraft[1].map(([id], index) => (index === 1 ? { id, year: 4711 } : { id }));
    expect(await count('PATCH', `${short}?status=draft`, { editions: few })).toBe(taken);
    expect((await rows(path))[0]).toEqual(draft);
  });

  it('connecting one of 60 relations takes as many as connecting the first', async () => {
    const subjects: string[] = [];
    for (let index = 0; index < 61; index++) {
      const { data } = bodyOf(await write('POST', '/api/subjects', { name: `subject ${index}` })) as {
        readonly data: { readonly documentId: string };
      };
      subjects.push(data.documentId);
    }
    const last = { subjects: { connect: subjects.slice(-1) } };
    for (const status of ['draft', 'published']) {
      const many = await book({ subjects: subjects.slice(0, 60) });
      const few = await book({ subjects: subjects.slice(0, 1) });
      const taken = await count('PATCH', `${many}?status=${status}`, last);
      expect(await count('PATCH', `${few}?status=${status}`, last)).toBe(taken);
      // And disconnecting it.
      const gone = { subjects: { disconnect: subjects.slice(-1) } };
      expect(await count('PATCH', `${many}?status=${status}`, gone)).toBe(await count('PATCH', `${few}?status=${status}`, gone));
    }
  });

  it('removing a target from its owner does not change the links of the others', async () => {
    const shelf = idOf('shelf', 'south');
    const books: string[] = [];
    for (let index = 0; index < 5; index++) books.push(await book({ shelf }));
    const [first = '', ...others] = books;
    const alone = await book({ shelf: idOf('shelf', 'north') });
    const removed = await count('PATCH', `${first}?status=draft`, { shelf: null });
    expect(await count('PATCH', `${alone}?status=draft`, { shelf: null })).toBe(removed);
    const { data } = bodyOf(await library.ask('full', `/api/shelves/${shelf}?populate[books][fields]=slug&status=draft`)) as {
      readonly data: { readonly books: readonly { readonly documentId: string }[] };
    };
    expect(data.books.map(({ documentId }) => `/api/books/${documentId}`).slice(-others.length)).toEqual(others);
  });

  it.each([
    ['a row', '/api/subjects', { name: 'n', rank: 1 }, 2, 0],
    ['a row with a unique value', '/api/cards', { number: 'only one' }, 3, 1],
    // With a look-up for the slug that is made of the title.
    ['a draft', '/api/books?status=draft', { title: 'n' }, 3, 1],
    ['a draft with a slug', '/api/books?status=draft', { title: 'n', slug: 'drafted' }, 2, 0],
    // The unique slug; one statement for both rows; the response.
    ['a draft and its published version', '/api/books?status=published', { title: 'n', slug: 'statements' }, 3, 1],
  ])('creating %s', async (_what, path, data, expected, locks) => {
    expect(await count('POST', path, data)).toBe(expected + event + lockStatements(locks));
  });

  it('creating with 3 relations and 2 components', async () => {
    const data = { ...related, summary: { headline: 'h' }, editions: [{ year: 1 }] };
    // Three lists of targets; the row, two components and what joins them; three link tables, two of them with the positions of both sides; the response.
    expect(await count('POST', '/api/books?status=draft', { title: 'n', slug: 'many', ...data })).toBe(3 + 4 + 3 + 2 + event + 1);
    // The unique slug besides. Nobody links to what is new.
    expect(await count('POST', '/api/books?status=published', { title: 'n', slug: 'many', ...data })).toBe(
      3 + 4 + 3 + 2 + event + 1 + 1 + lockStatements(1),
    );
  });

  it('deleting takes the same for 2 and 50 components', async () => {
    const few = await count('DELETE', await book({ ...components(2), ...related }));
    expect(await count('DELETE', await book({ ...components(50), ...related }))).toBe(few);
    // Without components: the rows, what joins them to components, the delete itself, its event, what awaits the document and what it awaits, its schedules, its places in releases, and one for each
    // place in the schema that may name a row by type and id: files, a link table and a column.
    expect(await count('DELETE', await book({}))).toBeLessThanOrEqual(11 + lockStatements(1));
  });
});
