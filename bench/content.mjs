/** Creates the content of a large magazine for the benchmark: `n` articles like the example's, the same in every run. */

export const words =
  'lantern harbour orchard signal granite meadow compass velvet thunder paper copper river willow marble ember quartz crust anchor fathom ferry'.split(
    ' ',
  );
const kinds = ['essay', 'report', 'recipe', 'walk'];
const start = Date.parse('2020-01-01T00:00:00.000Z');
const minute = 60_000;

/**
 * The content of `examples/blog` (its authors, categories, tags and files), with `n` published articles in place of its own, each in a draft and
 * a published version. Content that refers to the example's own articles is omitted.
 * @param {import('../src/demo-content/content.ts').SeedContent} blog the result of `readContent('examples/blog/content')`
 * @param {number} n
 * @returns {import('../src/demo-content/content.ts').SeedContent}
 */
export function bigBlog(blog, n) {
  const keysOf = (type) =>
    [...blog.types.find((one) => one.type === type).documents].filter(({ status }) => status === 'published').map(({ key }) => key);
  const keys = {
    categories: keysOf('api::category.category'),
    authors: keysOf('api::author.author'),
    tags: keysOf('api::tag.tag'),
    files: keysOf('plugin::upload.file'),
  };
  const kept = blog.types.filter(({ type }) => type !== 'api::article.article' && type !== 'api::homepage.homepage');
  return { ...blog, types: [...kept, { type: 'api::article.article', documents: articles(n, keys) }] };
}

function* articles(n, { categories, authors, tags, files }) {
  const random = randomNumbers(7);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const text = (length) => Array.from({ length }, () => pick(words)).join(' ');
  for (let i = 0; i < n; i++) {
    const title = `${capital(pick(words))} ${pick(words)} number ${i}`;
    const summary = text(20);
    const body = text(60);
    const first = Math.floor(random() * tags.length);
    const written = start + i * minute;
    yield {
      key: `big-${i}`,
      status: 'published',
      createdAt: new Date(written).toISOString(),
      updatedAt: new Date(written + 1000).toISOString(),
      publishedAt: new Date(written + 5000).toISOString(),
      data: {
        title,
        slug: `big-${i}`,
        summary,
        body,
        sidebar: [{ type: 'paragraph', children: [{ type: 'text', text: text(30) }] }],
        kind: kinds[i % kinds.length],
        readingMinutes: 1 + Math.floor(random() * 30),
        distance: Math.round(random() * 3000) / 100,
        visitedOn: new Date(start + (i % 1500) * 24 * 60 * minute).toISOString().slice(0, 10),
        eventAt: new Date(written + 86_400_000).toISOString(),
        featured: i % 2 === 1,
        facts: { a: 1, b: [1, 2] },
        contactEmail: `desk${i}@leeward.example`,
        editorNotes: 'internal',
        category: pick(categories),
        author: pick(authors),
        tags: [0, 1, 2].map((offset) => tags[(first + offset) % tags.length]),
        cover: pick(files),
        seo: { metaTitle: title, metaDescription: summary, keywords: 'a,b' },
        links: [{ label: 'more', url: '/x' }],
        blocks: [
          { __component: 'shared.rich-text', body },
          { __component: 'shared.quote', body: summary, source: 'q' },
          { __component: 'shared.rich-text', body: summary },
        ],
      },
    };
  }
}

export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** Mulberry32: small, fast, and the same everywhere. */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
