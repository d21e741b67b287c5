import { factories } from '@strapi/strapi';

export default factories.createCoreRouter('api::article.article', {
  config: {
    find: { middlewares: ['api::article.default-populate'] },
    update: { policies: ['global::is-owner'] },
    delete: { policies: ['global::is-owner'] },
  },
});
