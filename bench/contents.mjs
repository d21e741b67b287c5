/** The contents that the benchmark can make, and what its requests name in them. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bigBlog } from './content.mjs';
import { source } from './source.mjs';
import { growStrapiContent } from './strapi-content.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const example = join(root, 'examples/blog');
const recordings = join(root, 'test/compatibility/recordings/reads');

/** The rows that put another value into each request. */
const bySlug = (prefix) => ({ attribute: 'slug', value: (number) => `${prefix}-${number}` });

/**
 * @typedef {object} Names what the requests name
 * @property {string} collection
 * @property {string[]} populate its four populated paths
 * @property {{path: string[], value: string}} filter a filter through a relation
 * @property {string} sort the order of filtered lists
 * @property {{attribute: string, value: (number: number) => string}} [slug]
 * @property {{text: string, number: string, below: number, long: string}} [search] a short text, a number with the limit of its values, a long text
 * @property {{collection: string, attribute: string, populate: string}} [small] a type of about ten rows
 * @property {{categories: string[], counter: string}} [mix] the categories that mixed traffic asks for, and the integer that its writes change
 */

/** What is named alike in the example and in the recorded project. */
const articles = {
  collection: 'articles',
  populate: ['category', 'tags', 'cover', 'seo'],
  filter: { path: ['category', 'slug'], value: 'bread' },
  sort: 'publishedAt:desc',
  small: { collection: 'categories', attribute: 'name', populate: 'parent' },
};

/** @type {Record<string, {dir: string, sources: string[], seed: (file: string, articles: number) => Promise<void>, names: Names}>} */
export const contents = {
  /** The example, in a database that Lectern makes. */
  own: {
    dir: example,
    sources: [example, join(root, 'src/demo-content'), join(root, 'src/migrations'), join(root, 'bench/content.mjs')],
    seed: seedExample,
    names: {
      ...articles,
      slug: bySlug('big'),
      search: { text: 'title', number: 'distance', below: 30, long: 'body' },
      mix: { categories: ['Bread', 'Sourdough', 'Ovens', 'Maps', 'Lighthouses'], counter: 'readingMinutes' },
    },
  },
  /** The content of the recordings, in the database that Strapi made. */
  strapi: {
    dir: join(recordings, 'project'),
    sources: [join(recordings, 'content.db'), join(root, 'bench/strapi-content.mjs'), join(root, 'bench/content.mjs')],
    seed: async (file, articles) => growStrapiContent({ from: join(recordings, 'content.db'), to: file, articles }),
    names: {
      ...articles,
      slug: bySlug('perf'),
      search: { text: 'title', number: 'score', below: 100, long: 'body' },
      mix: { categories: ['World', 'Europe', 'Asia', 'Food', 'Bread'], counter: 'views' },
    },
  },
};

async function seedExample(file, articles) {
  const [{ openSqliteDatabase }, { prepareDatabase }, { loadModel }, { readContent }, { writeContent }] = await Promise.all([
    source('dialects/sqlite-connection.ts'),
    source('migrations/prepare-database.ts'),
    source('model/load/load-model.ts'),
    source('demo-content/read-content.ts'),
    source('demo-content/write-content.ts'),
  ]);
  const loaded = loadModel(example, { customFields: {} });
  if (!loaded.ok) throw new Error(`examples/blog does not load: ${JSON.stringify(loaded.errors)}`);
  const content = await readContent(join(example, 'content'));
  const database = openSqliteDatabase(file, { create: true });
  try {
    const prepared = await prepareDatabase(database, loaded.model, { migrate: 'auto' });
    if (!prepared.ok) throw new Error(prepared.problems.join('\n'));
    await writeContent(database, loaded.model, bigBlog(content, articles));
  } finally {
    await database.close();
  }
}
