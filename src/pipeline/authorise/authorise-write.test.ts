import { describe, expect, it } from 'vitest';
import { printFilter } from '../../../test/support/stages/print-request.ts';
import { outcome, unindented } from '../../../test/support/stages/read-stages.ts';
import { type RoleRights, rightsOf } from '../../../test/support/stages/role-rights.ts';
import { WriteStages } from '../../../test/support/stages/write-stages.ts';
import type { Filter } from '../parse/types.ts';
import type { PermittedWrite } from './types.ts';

interface Case extends RoleRights {
  readonly it: string;
  readonly request: string;
  readonly body?: unknown;
  /** The rows that the write may reach and the attributes that it may change, or the refusal. */
  readonly gives: string;
}

const cases: readonly Case[] = [
  {
    it: 'permits a write of the own type without further rights',
    request: 'POST articles',
    body: { data: { title: 'Bread', seo: { description: 'Good.' } } },
    may: ['article.create'],
    gives: 'permitted',
  },
  {
    it: 'permits links to documents that the caller may find',
    request: 'POST articles',
    body: { data: { section: 'abc' } },
    may: ['article.create', 'section.find'],
    gives: 'permitted',
  },
  {
    it: 'refuses links to documents that the caller may not find',
    request: 'POST articles',
    body: { data: { section: 'abc' } },
    may: ['article.create'],
    gives: '400 body.invalid-key: section',
  },
  {
    it: 'refuses them in components as well',
    request: 'POST articles',
    body: { data: { links: [{ label: 'One', to: 'abc' }] } },
    may: ['article.create'],
    gives: '400 body.invalid-key: to at links.to',
  },
  {
    it: 'refuses them in a relation of any type',
    request: 'POST comments',
    body: { data: { about: { __type: 'api::section.section', documentId: 'abc' } } },
    may: ['comment.create'],
    gives: '400 body.invalid-key: about',
  },
  {
    it: 'permits the attributes that a right is restricted to',
    request: 'PATCH articles/doc1',
    body: { data: { title: 'Bread' } },
    may: ['article.update'],
    rules: { 'article.update': { fields: ['title'] } },
    gives: 'writable: title',
  },
  {
    it: 'refuses another attribute',
    request: 'PATCH articles/doc1',
    body: { data: { title: 'Bread', rating: 4 } },
    may: ['article.update'],
    rules: { 'article.update': { fields: ['title'] } },
    gives: '400 body.invalid-key: rating',
  },
  {
    it: 'restricts the rows that are written, and apart from them those that are published',
    request: 'PATCH articles/doc1',
    body: { data: { title: 'Bread' } },
    may: ['article.update', 'article.publish'],
    rules: { 'article.update': { where: { rating: '3' } }, 'article.publish': { where: { rating: '5' } } },
    gives: `
      own: rating = 3
      publishing: rating = 5
    `,
  },
  {
    it: 'does not restrict publishing where a draft is written',
    request: 'PATCH articles/doc1?status=draft',
    body: { data: { title: 'Bread' } },
    may: ['article.update', 'article.findDraft'],
    rules: { 'article.publish': { where: { rating: '5' } } },
    gives: 'permitted',
  },
  {
    it: 'restricts the documents that are linked to, and their drafts to callers who may find these',
    request: 'POST articles',
    body: { data: { tags: ['abc'] } },
    may: ['article.create', 'tag.find'],
    rules: { 'tag.find': { where: { name: { $ne: 'Secret' } } } },
    gives: `
      published targets of api::tag.tag: name <> "Secret"
      draft targets of api::tag.tag: id is never
    `,
  },
  {
    it: 'restricts the documents whose links change because they own them',
    request: 'PATCH sections/doc1',
    body: { data: { articles: ['abc'] } },
    may: ['section.update', 'article.find', 'article.findDraft', 'article.update'],
    rules: { 'article.update': { where: { rating: '3' } } },
    gives: 'others of api::article.article: rating = 3',
  },
  {
    it: 'refuses such links where the right to those documents leaves out the attribute',
    request: 'PATCH sections/doc1',
    body: { data: { articles: ['abc'] } },
    may: ['section.update', 'article.find', 'article.findDraft', 'article.update'],
    rules: { 'article.update': { fields: ['title'] } },
    gives: '400 body.invalid-key: articles',
  },
];

function printScopes({ writable, scopes: { own, publishing, targets, others } }: PermittedWrite): string {
  const line = (name: string, filter: Filter | undefined) => (filter === undefined ? [] : [`${name}: ${printFilter(filter)}`]);
  const lines = [
    ...(writable === undefined ? [] : [`writable: ${[...writable].join(', ')}`]),
    ...line('own', own),
    ...line('publishing', publishing),
    ...[...targets].flatMap(([uid, { published, draft }]) => [
      ...line(`published targets of ${uid}`, published),
      ...line(`draft targets of ${uid}`, draft),
    ]),
    ...[...others].flatMap(([uid, filter]) => line(`others of ${uid}`, filter)),
  ];
  return lines.join('\n') || 'permitted';
}

describe('authoriseWrite', () => {
  const stages = new WriteStages();

  it.each(cases)('$it', ({ request, body, gives, ...role }) => {
    expect(outcome(() => stages.authoriseWrite({ request, body, rights: rightsOf(role) }), printScopes)).toBe(unindented(gives));
  });
});
