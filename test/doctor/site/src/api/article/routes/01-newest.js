export default {
  routes: [
    { method: 'GET', path: '/articles/newest/ten', handler: 'article.newest', config: { auth: false } },
    { method: 'GET', path: '/articles/slug/:slug', handler: 'article.bySlug' },
  ],
};
