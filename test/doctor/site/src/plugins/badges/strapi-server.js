export default () => ({
  bootstrap({ strapi }) {
    strapi.db.lifecycles.subscribe({ models: ['api::order.order'], afterCreate() {} });
  },
});
