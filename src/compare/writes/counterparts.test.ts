import { describe, expect, it } from 'vitest';
import type { Answer } from '../ask.ts';
import { differencesIn } from '../differences.ts';
import { Counterparts } from './counterparts.ts';

const answer = (body: unknown, headers: Record<string, string> = {}): Answer => answerOf(JSON.stringify(body), headers);
const answerOf = (text: string, headers: Record<string, string> = {}): Answer => ({
  kind: 'answer',
  status: 200,
  headers,
  body: Buffer.from(text),
  milliseconds: 1,
});

/** `a` → 24 times a. */
const id = (letter: string) => letter.repeat(24);
const [before, one, other] = ['2026-01-01T00:00:00.000Z', '2026-11-23T12:00:01.000Z', '2026-11-23T12:00:02.500Z'];
const begin = { theirs: Date.parse('2026-11-23T12:00:00Z'), ours: Date.parse('2026-11-23T12:00:01Z') };

/** The differences of the last pair, after the others were seen. */
function differencesOf(...pairs: readonly (readonly [unknown, unknown])[]): readonly string[] {
  const counterparts = new Counterparts(begin);
  counterparts.share(`{"path":"/api/a/${id('s')}"}`);
  const found = pairs.map(([theirs, ours]) => differencesIn({ theirs: answer(theirs), ours: answer(ours) }, counterparts.translate));
  return found.at(-1)?.map(({ kind, path }) => `${kind} ${path}`) ?? [];
}

const created = [{ data: { documentId: id('a') } }, { data: { documentId: id('b') } }] as const;
const doc = (letter: string, rest: object = {}) => ({ documentId: id(letter), ...rest });

describe('what servers generate', () => {
  it.each([
    ['ids of documents at the same place', created, []],
    ['ids that do not look like it', [{ documentId: 'a' }, { documentId: 'b' }], ['value documentId']],
    [
      'ids of rows',
      [
        { id: 3, tag: { id: 4 } },
        { id: 5, tag: { id: 6 } },
      ],
      [],
    ],
    ['ids of another type', [{ id: 3 }, { id: '3' }], ['type id']],
    ['other numbers', [{ count: 3 }, { count: 5 }], ['value count']],
    [
      'times of the comparison',
      [
        { createdAt: one, updatedAt: one },
        { createdAt: other, updatedAt: other },
      ],
      [],
    ],
    ['a time that one server changed', [{ updatedAt: before }, { updatedAt: other }], ['value updatedAt']],
    ['times of one server that are from before', [{ updatedAt: one }, { updatedAt: '2026-11-23T12:00:00.500Z' }], ['value updatedAt']],
    ['a time and null', [{ publishedAt: one }, { publishedAt: null }], ['type publishedAt']],
    ['other times', [{ date: one }, { date: other }], ['value date']],
    ['tokens', [{ jwt: 'eyJh.eyJp.x' }, { jwt: 'eyJh.eyJq.y' }], []],
    ['a token and a text', [{ jwt: 'eyJh.eyJp.x' }, { jwt: 'none' }], ['value jwt']],
    ['an id that a request named', [{ documentId: id('s') }, { documentId: id('t') }], ['value documentId']],
  ])('%s', (_, [theirs, ours], expected) => expect(differencesOf([theirs, ours])).toEqual(expected));

  it.each([
    ['the same id again', { x: doc('a') }, { x: doc('b') }, []],
    ['another id for the same document', { x: doc('a') }, { x: doc('c') }, ['value x.documentId']],
    ['another document for the same id', { x: doc('d') }, { x: doc('b') }, ['value x.documentId']],
    ['a list in the same order', [doc('d'), doc('a')], [doc('e'), doc('b')], []],
    ['a list in another order', [doc('s'), doc('a')], [doc('b'), doc('s')], ['order []']],
    ['versions of one document', [doc('a', { id: 1 }), doc('a', { id: 2 })], [doc('b', { id: 3 }), doc('b', { id: 4 })], []],
    [
      'locales in another order',
      [doc('a', { locale: 'en' }), doc('a', { locale: 'de' })],
      [doc('b', { locale: 'de' }), doc('b', { locale: 'en' })],
      ['order []'],
    ],
    [
      'components',
      [
        { id: 1, t: 1 },
        { id: 2, t: 2 },
      ],
      [
        { id: 8, t: 1 },
        { id: 9, t: 3 },
      ],
      ['value [].t'],
    ],
    ['an id in a text', { t: `see ${id('a')}!` }, { t: `see ${id('b')}!` }, []],
    ['another id in a text', { t: `see ${id('a')}!` }, { t: `see ${id('c')}!` }, ['value t']],
    ['one entry less', [doc('a'), doc('s')], [doc('b')], ['entries []']],
  ])('after a document was created: %s', (_, theirs, ours, expected) => expect(differencesOf(created, [theirs, ours])).toEqual(expected));

  it('values of cookies, but not their names and attributes', () => {
    const found = (...cookies: readonly string[]) => {
      const [theirs, ours] = cookies.map((cookie) => answer({}, { 'set-cookie': cookie }));
      return theirs && ours ? differencesIn({ theirs, ours }).length : undefined;
    };
    const cookie = 'r=abc; path=/; expires=Mon, 23 Nov 2026 12:00:00 GMT; httponly, r.sig=x; path=/';
    expect(found(cookie, 'r=def; path=/; expires=Tue, 24 Nov 2026 12:00:00 GMT; httponly, r.sig=y; path=/')).toBe(0);
    expect(found(cookie, 'r=def; path=/; expires=Tue, 24 Nov 2026 12:00:00 GMT, r.sig=y; path=/')).toBe(1);
  });

  it('nesting that is too deep is not followed', () => {
    const nested = (inner: number) => answerOf(`${'['.repeat(9000)}${inner}${']'.repeat(9000)}`);
    const found = (ours: number) => differencesIn({ theirs: nested(1), ours: nested(ours) }, new Counterparts(begin).translate);
    expect([found(1), found(2)]).toMatchObject([[], [{ kind: 'body' }]]);
  });
});
