import { describe, expect, it } from 'vitest';
import { linkedTo } from './linked-to.ts';

const document = { author: { id: 7, documentId: 'old' } };

describe('linkedTo', () => {
  it.each([
    ['a body without the relation', {}, 'old'],
    ['a documentId', { author: 'new' }, 'new'],
    ['an object', { author: { documentId: 'new' } }, 'new'],
    ['null', { author: null }, undefined],
    ['a list, of which the last one stays', { author: ['first', 'new'] }, 'new'],
    ['an empty list', { author: [] }, undefined],
    ['set', { author: { set: [{ documentId: 'new' }] } }, 'new'],
    ['an empty set', { author: { set: [] } }, undefined],
    ['connect, of which the first one stays', { author: { connect: ['new', 'other'] } }, 'new'],
    ['connect beside disconnect', { author: { connect: ['new'], disconnect: ['old'] } }, 'new'],
    ['disconnect', { author: { disconnect: [{ documentId: 'old' }] } }, undefined],
    ['disconnect by row id', { author: { disconnect: [7] } }, undefined],
    ['disconnect of another document', { author: { disconnect: ['other'] } }, 'old'],
    ['the lists of the admin panel, without changes', { author: { connect: [], disconnect: [] } }, 'old'],
    ['the row id of the stored link', { author: 7 }, 'old'],
  ])('%s', (_, data, expected) => expect(linkedTo({ data, document }, 'author')).toBe(expected));

  it('a new document has no stored link', () => {
    expect(linkedTo({ data: {}, document: undefined }, 'author')).toBeUndefined();
    expect(linkedTo({ data: { author: 'new' }, document: undefined }, 'author')).toBe('new');
    expect(linkedTo({ data: {}, document: { author: null } }, 'author')).toBeUndefined();
  });

  it('a row id of another document is refused, with its path', () => {
    expect(() => linkedTo({ data: { author: 8 }, document }, 'author')).toThrow(
      expect.objectContaining({ problems: [{ path: 'author', message: 'has to be a documentId, not a row id' }] }),
    );
  });

  it('a relation that is not populated is a mistake of the code', () => {
    expect(() => linkedTo({ data: {}, document: {} }, 'author')).toThrow("linkedTo needs the stored relation: add populate: ['author']");
  });
});
