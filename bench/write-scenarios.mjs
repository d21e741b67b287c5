/** The measured writes of articles of the example. `prepare` reads the data that a run needs. A run is one write, or a pair in which the second write
 *  undoes the first; it is measured as a whole. `by` names the servers that support it: Lectern, any server with the same content, the hand-written
 *  one. */

const scalars = (key) => ({
  title: `Written ${key}`,
  slug: key,
  summary: 'compass velvet thunder paper copper river willow marble ember quartz',
  body: 'lantern harbour orchard signal granite meadow '.repeat(10),
  sidebar: [{ type: 'paragraph', children: [{ type: 'text', text: 'anchor fathom ferry' }] }],
  kind: 'report',
  readingMinutes: 7,
  distance: 12.5,
  visitedOn: '2024-05-17',
  eventAt: '2024-05-18T09:00:00.000Z',
  featured: true,
  facts: { a: 1, b: [1, 2] },
  contactEmail: 'desk@leeward.example',
});

const documentIds = async (ask, path) => (await ask('GET', path)).data.map(({ documentId }) => documentId);
/** Each writer changes this many documents one after the other; no two writers share one. */
const documentsOfWriter = 6;
const components = 30;

export const writeScenarios = [
  {
    name: 'create, scalars',
    by: ['lectern', 'other', 'hand-written'],
    prepare: async () => undefined,
    run: (ask, _, __, key) => ask('POST', '/api/articles', scalars(key)),
  },
  {
    name: 'create, 3 relations, 2 components',
    by: ['lectern', 'other', 'hand-written'],
    prepare: async (ask) => ({
      categories: await documentIds(ask, '/api/categories'),
      authors: await documentIds(ask, '/api/authors'),
      tags: await documentIds(ask, '/api/tags'),
    }),
    run(ask, { categories, authors, tags }, n, key) {
      const nth = (list, index) => list[index % list.length];
      return ask('POST', '/api/articles', {
        ...scalars(key),
        category: nth(categories, n),
        author: nth(authors, n),
        tags: [0, 1, 2].map((offset) => nth(tags, n + offset)),
        seo: { metaTitle: 'Written', metaDescription: 'compass velvet', keywords: 'a,b' },
        links: [{ label: 'more', url: '/x' }],
      });
    },
  },
  {
    name: 'update two fields',
    by: ['lectern', 'other'],
    prepare: (ask, writer) =>
      documentIds(ask, `/api/articles?pagination[start]=${writer * documentsOfWriter}&pagination[limit]=${documentsOfWriter}`),
    run: (ask, ids, n, key) => ask('PUT', `/api/articles/${ids[n % ids.length]}`, { title: `Changed ${key}`, summary: `changed ${key}` }),
  },
  {
    name: `publish ${components} components, unpublish`,
    by: ['lectern'],
    async prepare(ask, _, key) {
      const blocks = Array.from({ length: components }, (__, index) => ({
        __component: 'shared.quote',
        body: `quote ${index}`,
        source: 'q',
      }));
      return (await ask('POST', '/api/articles?status=draft', { ...scalars(key), blocks })).data.documentId;
    },
    async run(ask, documentId) {
      await ask('POST', `/api/articles/${documentId}/actions/publish`);
      await ask('POST', `/api/articles/${documentId}/actions/unpublish`);
    },
  },
];
