import { describe, expect, it } from 'vitest';
import { attribute } from './described-attribute.ts';
import { joinedLinks, linksOf } from './links.ts';

const many = attribute('tags', 'relation', { isMany: true, target: 'api::tag.tag', localized: true });
const documents = (letters: string) => [...letters].map((documentId) => ({ documentId }));

interface Body {
  readonly connect: readonly { readonly documentId: string; readonly position: Readonly<Record<string, unknown>> }[];
  readonly disconnect: readonly { readonly documentId: string }[];
}

/** What the server makes of the body, where others have linked `stored` meanwhile. */
function applied(stored: string, { connect, disconnect }: Body): string {
  const list = [...stored];
  const linked = new Set(list);
  const place = ({ documentId, position }: Body['connect'][number]) => {
    if (list.includes(documentId)) list.splice(list.indexOf(documentId), 1);
    const anchor = list.indexOf(String(position.after));
    list.splice(position.start === true ? 0 : anchor === -1 ? list.length : anchor + 1, 0, documentId);
    linked.add(documentId);
  };
  // Anchors come before the targets beside them.
  for (const each of connect) place(each);
  return list.filter((each) => !disconnect.some(({ documentId }) => documentId === each)).join('');
}

describe('linksOf', () => {
  it.each([
    ['abc', 'abcd'],
    ['abc', 'xabc'],
    ['abc', 'axbyc'],
    ['abc', 'cab'],
    ['abcdef', 'fbadce'],
    ['abcdef', 'fed'],
    ['abc', ''],
    ['', 'abc'],
    ['abcd', 'dxcyb'],
  ])('%j becomes %j', (before, after) => {
    expect(applied(before, linksOf(many, documents(after), documents(before)) as Body)).toBe(after);
  });

  it('leaves what somebody else has linked meanwhile', () => {
    expect(applied('abcz', linksOf(many, documents('abcd'), documents('abc')) as Body)).toBe('abczd');
    expect(applied('zabc', linksOf(many, documents('ac'), documents('abc')) as Body)).toBe('zac');
  });

  it('names no more than what has changed', () => {
    const body = linksOf(many, documents('acdbe'), documents('abcde'));
    expect(body).toEqual({ connect: [{ documentId: 'b', position: { after: 'd' } }], disconnect: [], options: { strict: false } });
  });

  it('of a document that is not stored yet says all', () => {
    expect(linksOf(many, documents('ab'), undefined)).toEqual({ set: [{ documentId: 'a' }, { documentId: 'b' }] });
  });

  it('to one names it, or nothing', () => {
    const one = attribute('owner', 'relation', { target: 'api::person.person', localized: true });
    expect(linksOf(one, { documentId: 'a', name: 'Ines', locale: 'en' }, null)).toEqual({ documentId: 'a' });
    expect(linksOf(one, null, { documentId: 'a' })).toBeNull();
  });

  it('to any type names types, also of anchors', () => {
    const any = attribute('mentions', 'relation', { isMany: true, localized: true });
    const of = (type: string, documentId: string) => ({ documentId, __type: type });
    expect(linksOf(any, [of('tag', 'a'), of('person', 'a'), of('tag', 'b')], [of('tag', 'a'), of('tag', 'b')])).toEqual({
      connect: [{ documentId: 'a', __type: 'person', position: { after: 'a', __type: 'tag' } }],
      disconnect: [],
      options: { strict: false },
    });
  });

  it('of a type without locales names the locale of each target', () => {
    const plain = { ...many, localized: false };
    const of = (locale: string) => ({ documentId: 'a', locale });
    expect(linksOf(plain, [of('de')], [of('en'), of('de')])).toEqual({
      connect: [],
      disconnect: [{ documentId: 'a', locale: 'en' }],
      options: { strict: false },
    });
  });
});

describe('joinedLinks', () => {
  it.each([
    // typed, base, current, joined
    ['abx', 'ab', 'aby', 'abyx'],
    ['ba', 'ab', 'abc', 'bca'],
    ['a', 'ab', 'abc', 'ac'],
    ['abx', 'ab', 'b', 'bx'],
    ['ab', 'ab', 'zab', 'zab'],
    ['abx', 'ab', 'abx', 'abx'],
  ])('%j typed, of %j, which is %j now: %j', (typed, base, current, joined) => {
    const found = joinedLinks(many, documents(typed), documents(base), documents(current)) as readonly { readonly documentId: string }[];
    expect(found.map(({ documentId }) => documentId).join('')).toBe(joined);
  });

  it('joins nothing but lists of links', () => {
    expect(joinedLinks(attribute('title', 'string'), 'a', 'b', 'c')).toBeUndefined();
    expect(joinedLinks({ ...many, isMany: false }, documents('a')[0], null, documents('b')[0])).toBeUndefined();
  });
});
