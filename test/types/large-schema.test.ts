/** The work that the client's types are for the compiler, in a project of many content types that lead to each other. */
import { expect, it } from 'vitest';
import { typescriptOf } from '../../src/typescript/typescript-of-model.ts';
import { loadFiles } from '../support/model-files.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { typeCheck } from '../support/type-check.ts';

const count = 20;
const names = Array.from({ length: count }, (_, index) => `type${index}`);
const at = (index: number) => names[index % count] ?? '';
const relation = (kind: string, index: number) => ({ type: 'relation', relation: kind, target: `api::${at(index)}.${at(index)}` });

const parts = Array.from({ length: 20 }, (_, index) => `part${index}`);
const partAt = (index: number) => `part.${parts[index % parts.length]}`;

const types = names.map((name, index) => ({
  [name]: {
    drafts: true as const,
    localized: true as const,
    attributes: {
      ...Object.fromEntries(
        ['string', 'text', 'integer', 'boolean', 'datetime', 'json', 'biginteger', 'richtext', 'decimal', 'date'].map((type, number) => [
          `field${number}`,
          { type, required: number === 0 },
        ]),
      ),
      one: relation('manyToOne', index * 7 + 1),
      another: relation('manyToOne', index * 11 + 3),
      many: relation('manyToMany', index * 13 + 5),
      cover: { type: 'media' },
      part: { type: 'component', component: partAt(index) },
      parts: { type: 'component', component: partAt(index + 1), repeatable: true },
      zone: { type: 'dynamiczone', components: [0, 1, 2, 3, 4, 5, 6, 7].map((number) => partAt(index + number)) },
    },
  },
}));
const components = parts.map((name, index) => ({
  [name]: { title: { type: 'string', required: true }, image: { type: 'media' }, link: relation('oneToOne', index) },
}));

/** Each type is read and written once, with everything that parameters can have. */
const use = names
  .map(
    (name, index) => `
    export const v${index} = await client.collection('${name}s').find({
      fields: ['field0', 'field2'],
      populate: { one: { fields: ['field1'], populate: { many: true, zone: true } }, zone: { on: { '${partAt(index)}': { populate: ['image', 'link.cover'] } } } },
      filters: { field0: { $contains: 'a' }, another: { many: { field2: { $gt: 5 } } }, $or: [{ field3: true }, { one: { field3: false } }] },
      sort: ['field0:desc', 'one.field1'],
    }).orThrow();
    v${index}.data[0]?.one?.many[0]?.field2?.toFixed();
    await client.collection('${name}s').create({ field0: 'a', one: 'x', zone: [{ __component: '${partAt(index)}', title: 'b' }] });`,
  )
  .join('\n');

it('grows with the calls of a program, not with the paths through its types', () => {
  const loaded = loadFiles(schemaFiles(Object.assign({}, ...types), Object.assign({}, ...components)));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors.slice(0, 3)));
  const checked = typeCheck({
    'types.ts': typescriptOf(loaded.model, { fillUids: true, requireRelations: true }),
    'use.ts': `import { createClient } from '../../client/src/index.ts';
      import type { Schema } from './types.ts';
      const client = createClient<Schema>({ baseURL: 'http://127.0.0.1:1337/api' });
      ${use}`,
  });
  expect(checked.errors).toEqual({});
  // Counts, because they do not depend on the machine. A type that is resolved further than it is used takes ten times as many.
  expect(checked.work().instantiations / count).toBeLessThan(8000);
  expect(checked.work().types / count).toBeLessThan(800);
});
