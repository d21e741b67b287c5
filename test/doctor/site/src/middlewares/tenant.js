export default () => async (ctx, next) => {
  ctx.query.filters = { tenant: ctx.request.headers['x-tenant'] };
  await next();
};
