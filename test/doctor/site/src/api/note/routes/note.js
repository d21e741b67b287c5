import { factories } from '@strapi/strapi';

export default factories.createCoreRouter('api::note.note', { config: { find: { auth: false } } });
