/** Attacks that succeeded once: each got a wrong response, or cost without bound, before it was fixed. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, useLibrary } from '../../support/library/library.ts';

const longText = 'a'.repeat(16_001);

const refused: ApiCase[] = [
  {
    it: 'a pattern that an engine cannot match',
    query: `filters[title][$contains]=${longText}`,
    error: [400, 'filters[title][$contains]'],
  },
  { it: 'a search that an engine cannot match', query: `_q=${longText}`, error: [400, 'limits.patternBytes'] },
  {
    it: 'a chain of names that fans out at each',
    query: `populate=${Array.from({ length: 40 }, () => 'sections.to').join('.')}`,
    error: [400, 'limits.populateDepth'],
  },
  {
    it: 'alternatives of one operator, each a condition',
    query: Array.from({ length: 3 }, (_, group) =>
      Array.from({ length: 90 }, (_, at) => `filters[$or][${group}][title][$containsi][${at}]=x${at}`).join('&'),
    ).join('&'),
    error: [400, 'limits.conditions'],
  },
  { it: 'a name that every object has, as a filter', query: 'filters[constructor][name]=x', error: [400, 'constructor'] },
  { it: 'a name that every object has, as an operator', query: 'filters[title][toString]=x', error: [400, 'toString'] },
  { it: 'the prototype itself', query: 'filters[__proto__][title]=x', error: [400, '__proto__'] },
  { it: 'the prototype itself, as a parameter', query: '__proto__[x]=1', error: [400, '__proto__'] },
];

const answered: ApiCase[] = [
  { it: 'a NUL in a pattern does not cut it short', query: 'filters[title][$contains]=%00x', finds: [] },
  { it: 'a NUL in a search does not cut it short', query: '_q=%00x', finds: [] },
];

describe.each(engines)('%s: attacks', (engine) => {
  const library = useLibrary(engine);
  it.each(refused)('refuses $it', (apiCase) => library.check(apiCase, '/api/books'));
  it.each(answered)('$it', (apiCase) => library.check(apiCase, '/api/books'));

  it('sorts through many relations to many without multiplying them', async () => {
    const path = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 'subjects' : 'books')).join('.');
    expect((await library.ask('public', `/api/books?sort=${path}.title`)).status).toBe(200);
  });

  it('does not reveal through a type without drafts which books have unpublished changes', async () => {
    const plain = await library.ask('public', '/api/subjects?populate[books][fields]=title&sort=name');
    const filtered = await library.ask('public', '/api/subjects?populate[books][fields]=title&sort=name&publicationFilter=modified');
    expect(plain.status).toBe(200);
    expect(plain.text).toContain('"books"');
    expect(filtered.status).toBe(200);
    expect(filtered.text).not.toContain('"books"');
  });

  it('does not confuse cached lists whose values differ only in where they end', async () => {
    const find = async (first: string, second: string) => {
      const query = `filters[$or][0][name]=${first}&filters[$or][1][name]=${second}&fields=name`;
      return (await library.ask('public', `/api/subjects?${query}`)).text;
    };
    const before = await find('Science', 'Maps%0Astring%20Nope');
    for (let asked = 0; asked < 8; asked++) await find('Science%0Astring%20Maps', 'Nope');
    expect(await find('Science', 'Maps%0Astring%20Nope')).toEqual(before);
  });

  it('does not expand the body of a login', async () => {
    const body = `{"identifier":${'['.repeat(3000)}${']'.repeat(3000)},"password":"x"}`;
    const response = await library.ask('public', {
      method: 'POST',
      path: '/api/auth/local',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(response.status).toBe(400);
    expect(response.text.length).toBeLessThan(1000);
  });
});
