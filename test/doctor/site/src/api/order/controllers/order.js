import { factories } from '@strapi/strapi';

export default factories.createCoreController('api::order.order', () => ({
  async find(ctx) {
    ctx.query.filters = { customer: ctx.state.user.id };
    return await super.find(ctx);
  },
}));
