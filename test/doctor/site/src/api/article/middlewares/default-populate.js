export default () => async (ctx, next) => {
  ctx.query.populate = '*';
  await next();
};
