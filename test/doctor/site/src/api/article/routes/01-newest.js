export default {
  routes: [{ method: 'GET', path: '/articles/newest/ten', handler: 'article.newest', config: { auth: false } }],
};
