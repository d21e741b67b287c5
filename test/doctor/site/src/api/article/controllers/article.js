import { factories } from '@strapi/strapi';

export default factories.createCoreController('api::article.article', ({ strapi }) => ({
  async bySlug(ctx) {
    const { slug } = ctx.params;
    ctx.body = await strapi.documents('api::article.article').findFirst({ filters: { slug } });
  },
  async newest(ctx) {
    ctx.body = await strapi.documents('api::article.article').findMany({ limit: 10 });
  },
}));
