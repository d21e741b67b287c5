import { describe, expect, it } from 'vitest';
import { printPlannedWrite } from '../../../test/support/stages/print-write.ts';
import { outcome } from '../../../test/support/stages/read-stages.ts';
import { testProfiles } from '../../../test/support/stages/test-profiles.ts';
import { type WriteInput, WriteStages } from '../../../test/support/stages/write-stages.ts';
import { postgres } from '../../dialects/postgres.ts';
import { sqlite } from '../../dialects/sqlite.ts';

interface Case extends WriteInput {
  readonly it: string;
  /** The plan, or the attributes that the body is refused for. */
  readonly gives: string;
}

const cases: readonly Case[] = [
  {
    it: 'plans a new document',
    request: 'POST articles',
    body: { data: { title: 'Bread', rating: 4, tags: ['abc'] } },
    gives: `
      create, new, locale en, published
      title = "Bread"
      rating = 4
      tags set [api::tag.tag abc]
    `,
  },
  {
    it: 'plans a draft without a value that publishing requires',
    request: 'POST articles?status=draft',
    body: { data: { rating: 4 } },
    gives: `
      create, new, locale en, draft
      rating = 4
    `,
  },
  {
    it: 'plans a change of part of a document',
    request: 'PATCH articles/doc1?locale=fr',
    body: { data: { rating: 4 } },
    gives: `
      update, doc1, locale fr, published, partial
      rating = 4
    `,
  },
  {
    it: 'plans a replacement',
    request: 'PUT sections/doc1',
    body: { data: { name: 'News', editor: null } },
    gives: `
      update, doc1, published
      name = "News"
      editor set [] by null
    `,
  },
  {
    it: 'plans to publish every locale',
    request: 'publish articles/doc1?locale=*',
    gives: 'publish, doc1, every locale, published',
  },
  {
    it: 'plans to delete',
    request: 'DELETE sections/doc1',
    gives: 'delete, doc1, published',
  },
  {
    it: 'plans the only document of a single type',
    request: 'PATCH homepage',
    body: { data: { headline: 'Hello' } },
    gives: `
      update, published, partial
      headline = "Hello"
    `,
  },
  {
    it: 'plans components',
    request: 'PATCH articles/doc1',
    body: { data: { seo: { description: 'Good.' }, blocks: [{ __component: 'part.hero', heading: 'Hello' }] } },
    gives: `
      update, doc1, locale en, published, partial
      seo
        part.seo
          description = "Good."
      blocks []
        part.hero
          heading = "Hello"
    `,
  },
  {
    it: 'leaves a row id to the transaction',
    request: 'POST articles',
    body: { data: { title: 'Bread', section: 7 } },
    gives: `
      create, new, locale en, published
      title = "Bread"
      section set [api::section.section row 7]
    `,
  },
  {
    it: 'leaves what publishing requires to the transaction, which checks the whole version',
    request: 'POST articles',
    body: { data: { rating: 4 } },
    gives: `
      create, new, locale en, published
      rating = 4
    `,
  },
  {
    it: 'refuses a document without a required value, where types have no drafts',
    request: 'POST comments',
    body: { data: {} },
    gives: '400 body.values: text',
  },
  {
    it: 'refuses values of other types, all at once',
    request: 'POST articles',
    body: { data: { title: 5, rating: 'many', mood: 'angry' } },
    gives: '400 body.values: title, rating, mood',
  },
  {
    it: 'refuses a number that is too large',
    request: 'POST articles',
    body: { data: { title: 'a', rating: 9 } },
    gives: '400 body.values: rating',
  },
  {
    it: 'refuses a text that is too long, in drafts as well',
    request: 'POST articles?status=draft',
    body: { data: { title: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' } },
    gives: '400 body.values: title',
  },
  {
    it: 'leaves what publishing requires of components to it as well',
    request: 'POST articles',
    body: { data: { title: 'a', links: [{ to: null }] } },
    gives: `
      create, new, locale en, published
      title = "a"
      links []
        part.link
          to set [] by null
    `,
  },
  {
    it: 'refuses a malformed component',
    request: 'POST articles',
    body: { data: { title: 'a', blocks: [{ __component: 'part.nope' }] } },
    gives: '400 body.values: blocks.0.__component',
  },
  {
    it: 'refuses a malformed relation',
    request: 'POST articles',
    body: { data: { title: 'a', tags: true } },
    gives: '400 body.values: tags',
  },
  {
    it: 'refuses a list',
    request: 'POST sections',
    body: { data: [{ name: 'a' }] },
    gives: '400 body.values: the whole',
  },
  {
    it: 'reports a wrong value after a missing document',
    request: 'PATCH articles/doc1',
    body: { data: { title: 5 } },
    gives: '400 body.values: title, unless something is missing',
  },
  {
    it: 'reports a wrong value after a missing target',
    request: 'POST articles',
    body: { data: { title: 5, section: 'abc' } },
    gives: '400 body.values: title, unless something is missing',
  },
  {
    it: 'leaves null in a new locale to the transaction, which knows the other locales',
    request: 'PUT articles/doc1?locale=fr',
    body: { data: { title: null, rating: 'many' } },
    gives: `
      update, doc1, locale fr, published
      title = null
      rating wrong
    `,
  },
  {
    it: 'leaves an existing component to the transaction',
    request: 'PATCH articles/doc1',
    body: { data: { seo: { id: 5, description: 6 } } },
    gives: `
      update, doc1, locale en, published, partial
      seo
        part.seo
          row 5
          description wrong
    `,
  },
];

const casesAsStrapi: readonly Case[] = [
  {
    it: 'plans values that the specification refuses',
    request: 'POST articles',
    body: { data: { title: 'a', tags: true } },
    gives: `
      create, new, locale en, published, partial
      title = "a"
      tags set []
    `,
  },
  {
    it: 'refuses values of other types',
    request: 'POST articles',
    body: { data: { title: 5 } },
    gives: '400 body.values: title',
  },
];

testProfiles(WriteStages, { specification: cases, strapi: casesAsStrapi }, (stages, input) =>
  outcome(() => stages.planWrite(input), printPlannedWrite),
);

it('refuses NUL in a text where the database cannot store it', () => {
  const stages = new WriteStages();
  const input = { request: 'POST sections', body: { data: { name: 'a\0b' } } };
  const on = (dialect: typeof sqlite) =>
    outcome(
      () => stages.planWrite(input, dialect),
      () => 'planned',
    );
  expect([on(sqlite), on(postgres)]).toEqual(['planned', '400 body.unstorable']);
});

describe('what a body may say of one attribute', () => {
  const stages = new WriteStages();
  const planned = (type: string, data: object) =>
    outcome(() => stages.planWrite({ request: `POST ${type}`, body: { data } }), printPlannedWrite);
  const names = ['section', 'tags', 'cover'];

  it.each([[[1, 2]], [['calm', 'loud']], [[]], [[{}]], [{ a: 1 }]])('%j is no value but of JSON', (value) => {
    for (const name of ['title', 'body', 'rating', 'views', 'price', 'featured', 'mood', 'day', 'opens', 'startsAt'])
      expect(planned('articles', { title: 'a', [name]: value })).toMatch(/^400 body\.values/);
    expect(planned('articles', { title: 'a', extra: value })).toContain('extra = ');
  });

  const noTarget: readonly unknown[] = [
    ...[{ name: 'Tools' }, {}, true, false, '', [null], [{}], [[{}]], [['a']], { id: null }],
    ...[{ connect: [null] }, { set: [1, null] }, { disconnect: [{}] }, { disconnect: true }, { add: ['a'] }],
    ...['first', {}, { start: false }].map((position) => ({ connect: [{ id: 1, position }] })),
    { documentId: 'a', status: 'published' },
  ];
  it.each(noTarget.map((value) => [value]))('%j names no target of a relation', (value) => {
    for (const name of names) expect(planned('articles', { title: 'a', [name]: value })).toMatch(/^400 body\.(values|invalid-key)/);
  });

  const untyped = [1, 'x', { documentId: 'a' }, { __type: 'api::nothing.nothing', documentId: 'a' }, { __type: 5, id: 1 }, [['a']]];
  it.each(
    [...untyped, ...noTarget, { disconnect: [{ id: 1 }] }, { disconnect: [{ id: 1, __type: 'api::none.none' }] }].map((value) => [value]),
  )('%j names no target of any type', (value) => expect(planned('comments', { text: 'a', about: value })).toMatch(/^400 body\.values/));

  it.each<[unknown, string]>([
    [1, 'set [T row 1]'],
    ['1', 'set [T row 1]'],
    [{ id: '1', name: 'as it was read' }, 'set [T row 1]'],
    [{ set: [1], connect: [1] }, 'set [T row 1]'],
    [{ documentId: 'a' }, 'set [T a]'],
    [{ set: { documentId: 'a' } }, 'set [T a]'],
    [{ connect: 'a' }, 'connect [T a]'],
    [{ connect: { id: 1, position: { end: true } } }, 'connect [T row 1 end]'],
    [{ connect: [{ id: 1, position: { start: true, before: null } }], disconnect: [] }, 'connect [T row 1 start]'],
    [{ disconnect: 'a', connect: 'b' }, 'connect [T b] disconnect [T a]'],
    [{ set: null }, 'unchanged'],
    [{ connect: null }, 'unchanged'],
    [{ set: [], connect: [], disconnect: [] }, 'set []'],
  ])('%j: %s', (value, change) => {
    for (const name of names)
      expect(planned('articles', { title: 'a', [name]: value }).replace(/(api|plugin)::[\w.]+/g, 'T')).toContain(`${name} ${change}`);
  });
});
