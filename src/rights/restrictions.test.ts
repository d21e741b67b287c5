import { expect, it } from 'vitest';
import { ofDraftsOnly, restrictionOf } from './restrictions.ts';

const restrictionTo = (where: object | null) =>
  restrictionOf(
    { action: 'api::a.a.update', fields: '["title"]', condition: where === null ? null : JSON.stringify(where) },
    new Map([['id', '7']]),
  );
const drafts = { publishedAt: { $null: true } };

it.each([
  [drafts, undefined],
  [{ ...drafts, title: 'a' }, { title: 'a' }],
  [{ $and: [drafts, { owner: { id: { $eq: '$user.id' } } }] }, { $and: [{ owner: { id: { $eq: '\0id' } } }] }],
  [{ $and: [{ $and: [drafts] }] }, undefined],
  [{ $and: [drafts, {}] }, { $and: [{}] }],
])('%j is about drafts alone, and demands besides %j', (where, rest) => {
  const found = ofDraftsOnly(restrictionTo(where));
  expect([found.is, found.rest?.condition, found.rest?.fields]).toEqual([true, rest, new Set(['title'])]);
  expect(found.rest?.key).not.toBe(restrictionTo(where).key);
});

it.each([
  null,
  {},
  { $and: [] },
  { title: 'a' },
  { publishedAt: { $null: false } },
  { publishedAt: { $notNull: true } },
  { publishedAt: { $null: true, $gt: '2024-01-01' } },
  { $or: [drafts, { title: 'a' }] },
  { $not: { publishedAt: { $notNull: true } } },
  { topic: drafts },
  { title: '$user.missing' },
])('%j is not', (where) => {
  const restriction = restrictionTo(where);
  expect(ofDraftsOnly(restriction)).toEqual({ is: false, rest: restriction });
});

it('all rows are not drafts', () => expect(ofDraftsOnly(undefined)).toEqual({ is: false, rest: undefined }));
