/** A bad query gets a 4xx that names the parameter; the body has one shape, and no response reveals how the server is built. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { type ApiCase, bodyOf, bookPath, useLibrary, useOwnLibrary } from '../../support/library/library.ts';

const cases: ApiCase[] = [
  { it: 'an unknown parameter', query: 'nope=1', error: [400, 'nope'] },
  { it: 'an unknown parameter without a value', query: 'nope', error: [400, 'nope'] },
  { it: 'the parameter of the previous generation', query: 'publicationState=preview', error: [400, 'publicationState'] },
  { it: 'an unknown parameter on one document', path: bookPath('lanterns'), query: 'nope=1', error: [400, 'nope'] },
  { it: 'an unknown parameter on a single type', path: '/api/rules', query: 'nope=1', error: [400, 'nope'] },
  { it: 'a document that does not exist', path: '/api/books/abcdefghijklmnopqrstuvwx', error: [404, 'Not Found'] },
  { it: 'a row id in place of the documentId', path: '/api/books/1', error: [404, 'Not Found'] },
  {
    it: 'a documentId in another letter case',
    path: bookPath('lanterns').toUpperCase().replace('/API/BOOKS', '/api/books'),
    error: [404, 'Not Found'],
  },
  { it: 'a single type that was never filled', path: '/api/attic', error: [404, 'Not Found'] },
  { it: 'a single type by its plural name', path: '/api/entrances', error: [404, 'Not Found'] },
  { it: 'a type by its singular name', path: '/api/book', error: [404, 'Not Found'] },
  { it: 'a component', path: '/api/print.summary', error: [404, 'Not Found'] },
  { it: 'nothing below /api', path: '/api', error: [404, 'Not Found'] },
  { it: 'two slashes', path: '//api/books', error: [404, 'Not Found'] },
  { it: 'more below a document', path: `${bookPath('lanterns')}/more`, error: [404, 'Not Found'] },
  { it: 'a path that cannot be decoded', path: '/api/books/%ZZ', error: [400, 'decode'] },
  { it: 'a path with broken UTF-8', path: '/api/books/%E0%A4%A', error: [400, 'decode'] },
  { it: 'a NUL in the path', path: '/api/books/%00', error: [400, 'Malicious'] },
];

const ignored: ApiCase[] = [
  { it: 'an empty query', query: '', finds: ['Maps'] },
  { it: 'ampersands alone', query: '&&&', finds: ['Maps'] },
  { it: 'a value without a name', query: '=x', finds: ['Maps'] },
];

describe.each(anyEngine)('%s: errors', (engine) => {
  const library = useLibrary(engine);
  it.each(cases)('refuses $it', (apiCase) => library.check(apiCase, '/api/books'));
  it.each(ignored)('ignores $it', (apiCase) => library.check({ ...apiCase, query: `${apiCase.query}&filters[title]=Maps` }, '/api/books'));

  it('has the recorded shape', async () => {
    const response = await library.ask('public', '/api/books?filters[writer][name]=x');
    expect(response.headers).not.toHaveProperty('x-error-code');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(bodyOf(response)).toEqual({
      data: null,
      error: {
        status: 400,
        name: 'ValidationError',
        code: 'query.invalid-key',
        message: 'Invalid key writer',
        details: { key: 'writer', path: 'writer', source: 'query', param: 'filters' },
      },
    });
  });

  it('has no path in the details when the attribute does not exist', async () => {
    expect(bodyOf(await library.ask('public', '/api/books?sort=nope'))).toMatchObject({
      error: { code: 'query.invalid-key', details: { key: 'nope', path: null, param: 'sort' } },
    });
    expect(bodyOf(await library.ask('public', '/api/books/abcdefghijklmnopqrstuvwx'))).toMatchObject({
      error: { code: 'document.not-found' },
    });
  });
});

describe.each(anyEngine)('%s: codes of errors, in profile strapi', (engine) => {
  const library = useOwnLibrary(engine, { LECTERN_PROFILE: 'strapi' });
  it.each([
    ['a query', '/api/books?sort=nope', 'query.invalid-key'],
    ['a document', '/api/books/abcdefghijklmnopqrstuvwx', 'document.not-found'],
    ['a path', '/api/nothing', 'route.not-found'],
  ])('are in a header, and the body is that of Strapi: %s', async (_, path, code) => {
    const response = await library.ask('public', path);
    expect(bodyOf(response)).toMatchObject({ error: { status: response.status } });
    expect(bodyOf(response)).not.toHaveProperty('error.code');
    expect(response.headers['x-error-code']).toBe(code);
  });
});
