import { expect, it } from 'vitest';
import { printWriteRequest } from '../../../test/support/stages/print-write.ts';
import { outcome } from '../../../test/support/stages/read-stages.ts';
import { testProfiles } from '../../../test/support/stages/test-profiles.ts';
import { type WriteInput, WriteStages } from '../../../test/support/stages/write-stages.ts';
import { words } from '../../../test/support/words.ts';

interface Case extends WriteInput {
  readonly it: string;
  /** What is written where, and below it what the body changes. */
  readonly gives: string;
}

const cases: readonly Case[] = [
  {
    it: 'reads a new document',
    request: 'POST articles',
    body: { data: { title: 'Bread', rating: 4 } },
    gives: `
      create, locale en, published
      title = "Bread"
      rating = 4
    `,
  },
  {
    it: 'reads a draft',
    request: 'POST articles?status=draft',
    body: { data: { title: 'Bread' } },
    gives: `
      create, locale en, draft
      title = "Bread"
    `,
  },
  {
    it: 'changes part of a document',
    request: 'PATCH articles/doc1',
    body: { data: { title: 'Bread' } },
    gives: `
      update, doc1, locale en, published, partial
      title = "Bread"
    `,
  },
  {
    it: 'replaces a document in another locale',
    request: 'PUT articles/doc1?locale=fr',
    body: { data: { title: 'Pain' } },
    gives: `
      update, doc1, locale fr, published
      title = "Pain"
    `,
  },
  {
    it: 'takes the locale of a new document from its body',
    request: 'POST articles',
    body: { data: { title: 'Pain', locale: 'fr' } },
    gives: `
      create, locale fr, published
      title = "Pain"
    `,
  },
  {
    it: 'reads each value as the type of its attribute',
    request: 'POST articles',
    body: {
      data: {
        views: '9007199254740993',
        price: 1.5,
        featured: true,
        day: '2024-02-29',
        opens: '09:30:00',
        startsAt: '2024-01-01T00:00:00Z',
        mood: 'calm',
        extra: [1],
      },
    },
    gives: `
      create, locale en, published
      views = 9007199254740993n
      price = 1.5
      featured = true
      day = "2024-02-29"
      opens = "09:30:00.000"
      startsAt = 1704067200000
      mood = "calm"
      extra = "[1]"
    `,
  },
  {
    it: 'reads null',
    request: 'PATCH articles/doc1',
    body: { data: { title: null, section: null, seo: null } },
    gives: `
      update, doc1, locale en, published, partial
      title = null
      section set [] by null
      seo null
    `,
  },
  {
    it: 'notes a value of another type',
    request: 'POST articles',
    body: { data: { title: 5, mood: 'angry' } },
    gives: `
      create, locale en, published
      title wrong
      mood wrong
    `,
  },
  {
    it: 'sets a relation by documentId, by row id and by an object',
    request: 'POST articles',
    body: { data: { section: 'abc', tags: [7, { documentId: 'def' }] } },
    gives: `
      create, locale en, published
      section set [api::section.section abc]
      tags set [api::tag.tag row 7, api::tag.tag def]
    `,
  },
  {
    it: 'connects and disconnects',
    request: 'PATCH articles/doc1',
    body: { data: { tags: { connect: ['abc'], disconnect: [{ documentId: 'def' }] } } },
    gives: `
      update, doc1, locale en, published, partial
      tags connect [api::tag.tag abc] disconnect [api::tag.tag def]
    `,
  },
  {
    it: 'connects at a position',
    request: 'PATCH articles/doc1',
    body: {
      data: {
        tags: {
          connect: [
            { documentId: 'abc', position: { before: 'def' } },
            { documentId: 'ghi', position: { start: true } },
          ],
        },
      },
    },
    gives: `
      update, doc1, locale en, published, partial
      tags connect [api::tag.tag abc before api::tag.tag def, api::tag.tag ghi start]
    `,
  },
  {
    it: 'connects to a document in another locale',
    request: 'PATCH tags/doc1',
    body: { data: { articles: { connect: [{ documentId: 'abc', locale: 'fr' }] } } },
    gives: `
      update, doc1, published, partial
      articles connect [api::article.article abc in fr]
    `,
  },
  {
    it: 'clears a relation',
    request: 'PATCH articles/doc1',
    body: { data: { tags: [] } },
    gives: `
      update, doc1, locale en, published, partial
      tags set []
    `,
  },
  {
    it: 'notes the shape of a relation that has no effect',
    request: 'PATCH articles/doc1',
    body: { data: { tags: true } },
    gives: `
      update, doc1, locale en, published, partial
      tags wrong: must be a documentId, an object with one, or a list of these
    `,
  },
  {
    it: 'names the type of a target of any type',
    request: 'POST comments',
    body: { data: { about: { __type: 'api::section.section', documentId: 'abc' } } },
    gives: `
      create, published
      about set [api::section.section abc]
    `,
  },
  {
    it: 'sets files by row id',
    request: 'PATCH articles/doc1',
    body: { data: { cover: 3 } },
    gives: `
      update, doc1, locale en, published, partial
      cover set [plugin::upload.file row 3]
    `,
  },
  {
    it: 'reads a component, and one that is changed by its row id',
    request: 'PATCH articles/doc1',
    body: { data: { seo: { id: 5, description: 'New' }, links: [{ label: 'One', to: 'abc' }] } },
    gives: `
      update, doc1, locale en, published, partial
      seo
        part.seo
          row 5
          description = "New"
      links []
        part.link
          label = "One"
          to set [api::article.article abc]
    `,
  },
  {
    it: 'reads a dynamic zone',
    request: 'PATCH articles/doc1',
    body: {
      data: {
        blocks: [
          { __component: 'part.hero', heading: 'Hello' },
          { __component: 'part.quote', text: 'Eat.' },
        ],
      },
    },
    gives: `
      update, doc1, locale en, published, partial
      blocks []
        part.hero
          heading = "Hello"
        part.quote
          text = "Eat."
    `,
  },
  {
    it: 'notes a component that there is not',
    request: 'PATCH articles/doc1',
    body: { data: { blocks: [{ __component: 'part.nope' }, 'text'] } },
    gives: `
      update, doc1, locale en, published, partial
      blocks []
        malformed {"__component":"part.nope"}
        malformed "text"
    `,
  },
  {
    it: 'reads the document of a single type',
    request: 'PUT homepage',
    body: { data: { headline: 'Hello' } },
    gives: `
      update, published
      headline = "Hello"
    `,
  },
  {
    it: 'reads a list, which later stages refuse',
    request: 'POST tags',
    body: { data: [{ name: 'a' }] },
    gives: `
      create, published
      list [{"name":"a"}]
    `,
  },
  {
    it: 'reads actions without a body',
    request: 'publish articles/doc1?locale=*',
    gives: 'publish, doc1, every locale, published',
  },
  {
    it: 'deletes in several locales',
    request: 'DELETE articles/doc1?locale[]=en&locale[]=fr',
    gives: 'delete, doc1, locales en fr, published',
  },
  {
    it: 'refuses a body without data',
    request: 'POST articles',
    body: { title: 'Bread' },
    gives: '400 body.no-data',
  },
  {
    it: 'refuses several locales',
    request: 'PUT articles/doc1?locale[]=en&locale[]=fr',
    body: { data: {} },
    gives: '400 locale.one',
  },
  {
    it: 'refuses an undefined locale in the body',
    request: 'POST articles',
    body: { data: { locale: 'de' } },
    gives: '400 locale.undefined',
  },
  {
    it: 'refuses to delete the draft alone',
    request: 'DELETE articles/doc1?status=draft',
    gives: '400 delete.draft',
  },
];

const casesAsStrapi: readonly Case[] = [
  {
    it: 'changes the attributes that PUT names',
    request: 'PUT articles/doc1',
    body: { data: { title: 'Bread' } },
    gives: `
      update, doc1, locale en, published, partial
      title = "Bread"
    `,
  },
  {
    it: 'ignores the locale in a body',
    request: 'POST articles',
    body: { data: { title: 'Pain', locale: 'fr' } },
    gives: `
      create, locale en, published, partial
      title = "Pain"
    `,
  },
  {
    it: 'takes true for an empty list',
    request: 'PATCH articles/doc1',
    body: { data: { tags: true } },
    gives: `
      update, doc1, locale en, published, partial
      tags set []
    `,
  },
];

testProfiles(WriteStages, { specification: cases, strapi: casesAsStrapi }, (stages, input) =>
  outcome(() => stages.parseWrite(input), printWriteRequest),
);

const stages = new WriteStages();
const refusal = (request: string, data: object) => outcome(() => stages.parseWrite({ request, body: { data } }), printWriteRequest);
it.each([
  ...words`
    id documentId document_id createdAt created_at updatedAt createdBy created_by_id updatedBy localizations status __component
    constructor toString hasOwnProperty valueOf isPrototypeOf __v Title data
  `,
  ...[' title', '', 'title.x', 'title"; DROP TABLE articles; --'],
])('refuses the key %j, in components as well', (key) => {
  for (const request of ['POST articles', 'PATCH articles/doc1'])
    expect(refusal(request, { title: 'a', [key]: null })).toBe(`400 body.invalid-key: ${key}`);
  // Those of a component that was read before are accepted.
  if (!['id', 'documentId'].includes(key))
    expect(refusal('POST articles', { seo: { [key]: 1 } })).toBe(`400 body.invalid-key: ${key} at seo`);
});
