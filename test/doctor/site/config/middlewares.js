export default [
  'strapi::logger',
  'strapi::errors',
  { name: 'strapi::cors', config: { origin: ['https://site.example'] } },
  'strapi::query',
  'strapi::body',
  'global::tenant',
];
