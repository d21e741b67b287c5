import { describe, expect, it } from 'vitest';
import { restrictionWords } from './restriction-words.ts';
import { changesBetween, type Restriction, readRights, withChanges, writeRights } from './rights.ts';

describe('a restriction in words', () => {
  const cases: readonly (readonly [Restriction, string])[] = [
    [{ fields: ['title', 'readingMinutes'] }, 'only Title, Reading minutes'],
    [{ where: { author: { id: { $eq: '$user.id' } } } }, 'only where Author is the user'],
    [{ where: { id: { $eq: '$user.id' } } }, 'only where Id is the user'],
    [{ where: { author: { team: '$user.team' } } }, 'only where Author › Team is the user’s Team'],
    [{ where: { publishedAt: { $notNull: true } } }, 'only where it is published'],
    [{ where: { publishedAt: { $notNull: 'false' } } }, 'only where it is a draft'],
    [{ where: { publishedAt: { $null: true } } }, 'only where it is a draft'],
    [{ where: { summary: { $null: true } } }, 'only where Summary is empty'],
    [{ where: { summary: { $null: false } } }, 'only where Summary is not empty'],
    [{ where: { price: { $gt: 3, $lte: 9 } } }, 'only where Price is above 3 and Price is at most 9'],
    [{ where: { kind: { $in: ['a', 'b'] } } }, 'only where Kind is one of “a”, “b”'],
    [{ where: { $or: [{ a: 1 }, { $and: [{ b: { $eq: 2 } }, { c: true }] }] } }, 'only where (A is 1 or B is 2 and C is true)'],
    [{ where: { $not: { slug: { $startsWith: 'x-' } } } }, 'only where not (Slug starts with “x-”)'],
    [{ fields: ['title'], where: { a: { $unheardOf: [1] } } }, 'only Title; only where A $unheardOf 1'],
  ];
  it.each(cases)('%j', (restriction, words) => {
    expect(restrictionWords(restriction)).toBe(words);
  });
});

describe('the rights of a role', () => {
  const limited = { fields: ['title'] };
  const stored = readRights({ 'api::a.a': ['find', 'create'], 'api::b.b': { update: limited } });

  it('are written as they were read, with the types that have none', () => {
    expect(writeRights(stored, ['api::a.a', 'api::b.b', 'plugin::c.c'])).toEqual({
      'api::a.a': { find: true, create: true },
      'api::b.b': { update: limited },
      'plugin::c.c': {},
    });
  });

  it('keep what somebody else has changed meanwhile', () => {
    const wanted = readRights({ 'api::a.a': ['find', 'delete'], 'api::b.b': { update: limited } });
    const changes = changesBetween(stored, wanted);
    expect(changes).toEqual({ given: ['api::a.a.delete'], taken: ['api::a.a.create'] });
    const meanwhile = readRights({ 'api::a.a': ['find', 'create', 'publish'] });
    expect([...withChanges(meanwhile, wanted, changes).keys()]).toEqual(['api::a.a.find', 'api::a.a.publish', 'api::a.a.delete']);
  });
});
