import { factories } from '@strapi/strapi';

export default factories.createCoreController('api::article.article', ({ strapi }) => ({
  async newest(ctx) {
    ctx.body = await strapi.documents('api::article.article').findMany({ limit: 10 });
  },
}));
