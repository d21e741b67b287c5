/** The types of hooks and endpoints, with the file of `lectern types` and the package as it is published. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load/load-model.ts';
import type { EndpointManifest } from '../../src/own-code/protocol.ts';
import { typescriptOf } from '../../src/typescript/typescript-of-model.ts';
import { type Checked, typeCheck } from '../support/type-check.ts';

const right = `
import { defineEndpoint, defineHooks, increment, update } from 'lectern';

export const hooks = defineHooks('api::article.article', {
  before: {
    async create({ data, document, read }) {
      const { data: authors } = await read('api::author.author').find({ filters: { name: 'Ada' }, populate: ['articles'] });
      const title: string | undefined = document?.title;
      const first: string | undefined = authors[0]?.articles[0]?.title;
      return { data: { title: \`\${data.title} \${title} \${first}\` }, also: [update('api::author.author', 'id', { name: 'B' }, { status: 'draft' })] };
    },
    delete: ({ document }) => console.log(document?.slug),
  },
  compute: { summary: ({ title }) => title },
  committed: { async publish({ event, documents }) { await documents('api::tag.tag').create({ name: event.documentId }); } },
});

export const endpoint = defineEndpoint({
  method: 'GET',
  path: '/search/:id',
  right: 'public',
  query: { type: 'object' },
  async handler({ documents, params, query }) {
    const one = await documents('api::article.article').findOne(params.id, { fields: ['title'] });
    return { title: one?.title, q: query.q };
  },
});
`;

const wrong: Readonly<Record<string, readonly [code: string, error: string]>> = {
  'uid.ts': ["defineHooks('api::nope.nope', {});", 'api::nope.nope'],
  'action.ts': ["defineHooks('api::article.article', { before: { creat() {} } });", "'creat' does not exist"],
  'value.ts': [
    "defineHooks('api::article.article', { before: { create: () => ({ data: { title: 5 } }) } });",
    "'number' is not assignable",
  ],
  'endpoint.ts': ["client.endpoint('GET /nope');", 'GET /nope'],
  'body.ts': [
    "client.endpoint('POST /orders/:id/refund', { params: { id: 'a' }, body: { amount: 'much' } });",
    "'string' is not assignable to type 'number'",
  ],
  'needed.ts': ["client.endpoint('POST /orders/:id/refund');", 'arguments'],
  'param.ts': [
    "defineEndpoint({ method: 'GET', path: '/x/:id', right: 'public', handler: ({ params }) => params.ID });",
    "'ID' does not exist",
  ],
  'assigned.ts': ["defineHooks('api::article.article', { before: { create({ data }) { data.title = 'x'; } } });", 'read-only'],
  'attribute.ts': [
    "defineEndpoint({ method: 'GET', path: '/x', right: 'public', handler: ({ documents }) => documents('api::article.article').find({ sort: 'nope' }) });",
    'nope',
  ],
};

/** As zod describes them. */
const endpoints: readonly EndpointManifest[] = [
  {
    ...{ file: 'lectern/endpoints/orders.ts', index: 0, method: 'POST', path: '/orders/:id/refund', right: 'orders.refund' },
    ...{ description: undefined, timeLimit: undefined, query: undefined },
    body: { type: 'object', properties: { amount: { type: 'number' }, reason: { enum: ["it's late", null] } }, required: ['amount'] },
    response: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
  },
  {
    ...{ file: 'lectern/endpoints/search.ts', index: 0, method: 'GET', path: '/search', right: 'public' },
    ...{ description: undefined, timeLimit: undefined, body: undefined, response: undefined },
    query: { type: 'object', properties: { q: { type: 'string' } } },
  },
];

const called = `
import { createClient } from '../../client/src/index.ts';
import type { Schema } from './types.ts';
const client = createClient<Schema>({ baseURL: '/api' });
const refund = await client.endpoint('POST /orders/:id/refund', { params: { id: 'a' }, body: { amount: 5, reason: "it's late" } });
export const refunded: (string | number)[] = refund.data ?? [];
export const found: unknown = (await client.endpoint('GET /search')).data;
await client.endpoint('GET /search', { query: { q: 'fog' } }, { timeout: 5 });
await createClient({ baseURL: '/api' }).endpoint('GET /anything', { query: { a: 1 } });
`;

let checked: Checked;
beforeAll(() => {
  const loaded = loadModel(fileURLToPath(new URL('../../examples/blog', import.meta.url)), { customFields: {}, asStrapi: false });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const start = [
    "import { defineEndpoint, defineHooks } from 'lectern';",
    "import { createClient } from '../../client/src/index.ts';",
    "import type { Schema } from './types.ts';",
    "const client = createClient<Schema>({ baseURL: '/api' });\n",
  ].join('\n');
  checked = typeCheck({
    'types.ts': typescriptOf(loaded.model, { fillUids: true, requireRelations: true }, { prefix: '/api', code: { endpoints } }),
    'right.ts': right,
    'called.ts': called,
    ...Object.fromEntries(
      Object.entries(wrong).map(([file, [code]]) => [
        file,
        `${start}export const made = ${code}\nexport const other = [defineHooks, defineEndpoint, client];\n`,
      ]),
    ),
  });
});

it('know the attributes of the project', () => {
  expect([checked.errors['right.ts'], checked.errors['called.ts']]).toEqual([undefined, undefined]);
});

it.each(Object.keys(wrong))('refuse what is not there: %s', (file) => {
  expect((checked.errors[file] ?? []).join('\n')).toContain(wrong[file]?.[1]);
});

it('fit the code of the newsroom', () => {
  const newsroom = fileURLToPath(new URL('../../examples/newsroom', import.meta.url));
  const { customFields } = JSON.parse(readFileSync(`${newsroom}/lectern.config.json`, 'utf8'));
  const loaded = loadModel(newsroom, { customFields, asStrapi: false });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const files = ['hooks', 'endpoints'].flatMap((folder) =>
    readdirSync(`${newsroom}/lectern/${folder}`).map((name) => [
      `${folder}/${name}`,
      readFileSync(`${newsroom}/lectern/${folder}/${name}`, 'utf8'),
    ]),
  );
  const { errors } = typeCheck({
    'types.ts': typescriptOf(loaded.model, { fillUids: true, requireRelations: true }, { prefix: '/api', code: { endpoints: [] } }),
    ...Object.fromEntries(files),
    'node.d.ts': 'declare const process: { readonly env: Readonly<Record<string, string | undefined>> };',
  });
  expect(errors).toEqual({});
});
