/** Finds an article by its slug, also by one that it had before. */
import { defineEndpoint } from 'lectern';

export default defineEndpoint({
  method: 'GET',
  path: '/articles/at/:slug',
  right: 'api::article.article.findOne',
  async handler({ params, documents }) {
    const articles = documents('api::article.article');
    const { data: found } = await articles.find({ filters: { slug: params.slug }, pagination: { limit: 1 } });
    if (found[0] !== undefined) return { data: found[0] };
    const { data: moved } = await articles.find({
      // The text of the list has quotes around each slug.
      filters: { formerSlugs: { $contains: JSON.stringify(params.slug) } },
      fields: ['slug'],
      pagination: { limit: 1 },
    });
    if (moved[0] === undefined) return new Response(null, { status: 404 });
    return new Response(null, { status: 301, headers: { location: `/api/articles/at/${moved[0].slug}` } });
  },
});
