import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { tokens } from '../../support/library/content.ts';
import { bookPath, idOf, useLibrary, type Who } from '../../support/library/library.ts';

/** The status that each kind of caller gets, by path. */
const matrix: readonly (readonly [path: string, Readonly<Record<Who, number>>])[] = [
  ['/api/books', { public: 200, reader: 200, full: 200, readonly: 200, custom: 200, editor: 200, expired: 401 }],
  [bookPath('lanterns'), { public: 200, reader: 200, full: 200, readonly: 200, custom: 200, editor: 200, expired: 401 }],
  ['/api/subjects', { public: 200, reader: 200, full: 200, readonly: 200, custom: 403, editor: 403, expired: 401 }],
  ['/api/writers', { public: 403, reader: 200, full: 200, readonly: 200, custom: 403, editor: 403, expired: 401 }],
  [`/api/cards/${idOf('card', 'a1')}`, { public: 403, reader: 403, full: 200, readonly: 200, custom: 403, editor: 403, expired: 401 }],
  ['/api/loans', { public: 403, reader: 403, full: 200, readonly: 200, custom: 200, editor: 403, expired: 401 }],
  [`/api/loans/${idOf('loan', 'zoe')}`, { public: 403, reader: 403, full: 200, readonly: 200, custom: 403, editor: 403, expired: 401 }],
  ['/api/shelves', { public: 403, reader: 403, full: 200, readonly: 200, custom: 403, editor: 403, expired: 401 }],
  ['/api/entrance', { public: 200, reader: 200, full: 200, readonly: 200, custom: 403, editor: 403, expired: 401 }],
  ['/api/users', { public: 403, reader: 403, full: 200, readonly: 200, custom: 403, editor: 403, expired: 401 }],
  ['/api/upload/files', { public: 403, reader: 403, full: 200, readonly: 200, custom: 403, editor: 403, expired: 401 }],
  ['/api/nothing', { public: 404, reader: 404, full: 404, readonly: 404, custom: 404, editor: 404, expired: 404 }],
];

describe.each(engines)('%s: access', (engine) => {
  const library = useLibrary(engine);

  it.each(matrix)('%s: the status for each kind of caller', async (path, statuses) => {
    for (const [who, status] of Object.entries(statuses) as [Who, number][]) {
      const response = await library.ask(who, path);
      expect(response.status, who).toBe(status);
      if (status >= 400) expect(response.json()).toMatchObject({ data: null, error: { status } });
    }
  });

  it('shows private attributes in no response', async () => {
    const paths = [
      '/api/books?populate=*',
      '/api/writers?populate=*',
      '/api/specimens',
      '/api/users?populate=*',
      '/api/remarks?populate=*',
      '/api/entrance?populate=*',
    ];
    for (const path of paths) {
      const { text } = await library.ask('full', path);
      expect(text).not.toMatch(/hush|private\.example|\$2[aby]\$|acquisitionNote|passcode|draftedBy/);
    }
  });

  // Other headers are in src/identity/bearer-token.test.ts.
  it.each([
    ['Basic dTpw', 200],
    [tokens.full.token, 200],
    ['Bearer nonsense', 401],
    [`Bearer ${tokens.full.token.slice(1)}`, 401],
    ['Bearer eyJhbGciOiJub25lIn0.eyJpZCI6MX0.', 401],
    [`Bearer ${'x'.repeat(7000)}`, 401],
  ])('Authorization: %s', async (header, status) => {
    expect((await library.server.get('/api/books', { Authorization: header })).status).toBe(status);
  });

  it('takes no token from the query string', async () => {
    const response = await library.ask('public', `/api/loans?access_token=${tokens.full.token}`);
    expect(response.status).toBe(403);
  });

  // What else a query may not reveal is asked by test/api/security/oracles.test.ts.
  it('does not tell what a file belongs to', () =>
    library.check({ it: '', path: '/api/books', query: 'filters[cover][related][id][$gt]=0', error: [400, 'related'] }));

  it('does not tell the number of drafts, from a type without drafts', () =>
    library.check({
      it: '',
      path: '/api/subjects',
      query: 'filters[name]=Science&fields=name&populate[books][count]=true',
      data: [{ name: 'Science', books: { count: 3 } }],
    }));

  it('says 403 before it looks at the query', () =>
    library.check({ it: '', path: '/api/loans', query: 'nope=1', error: [403, 'Forbidden'] }));
});
