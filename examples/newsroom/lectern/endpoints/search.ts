import { defineEndpoint } from 'lectern';
import { z } from 'zod';

export default defineEndpoint({
  method: 'GET',
  path: '/search',
  right: 'public',
  description: 'Articles that contain a text',
  query: z.object({ text: z.string().min(2), limit: z.coerce.number().int().min(1).max(50).default(10) }),
  response: z.object({
    total: z.int(),
    articles: z.array(z.object({ title: z.string(), slug: z.string(), summary: z.string().nullable() })),
  }),
  async handler({ query: { text, limit }, documents }) {
    const { data, meta } = await documents('api::article.article').find({
      filters: { $or: [{ title: { $containsi: text } }, { body: { $containsi: text } }] },
      fields: ['title', 'slug', 'summary'],
      sort: ['publishedAt:desc', 'title'],
      pagination: { start: 0, limit },
    });
    return { total: meta.pagination.total, articles: data.map(({ title, slug, summary }) => ({ title, slug, summary })) };
  },
});
