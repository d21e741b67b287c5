const populate = { hero: true, sections: { populate: '*' } };

export default {
  register({ strapi }) {
    strapi.documents.use((context, next) => {
      if (context.uid === 'api::page.page' && ['findMany', 'findOne'].includes(context.action)) {
        context.params.populate = populate;
      }
      return next();
    });
    strapi.documents.use(async (context, next) => {
      const result = await next();
      if (context.action === 'delete') await fetch('https://audit.example', { method: 'POST', body: context.uid });
      return result;
    });
  },
  bootstrap() {},
};
