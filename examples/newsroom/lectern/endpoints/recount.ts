/** Counts the articles of an author again, for instance after an import, which runs no hooks. */
import { defineEndpoint } from 'lectern';

export default defineEndpoint({
  method: 'POST',
  path: '/authors/:documentId/recount',
  right: 'authors.recount',
  body: { type: 'object', properties: { dryRun: { type: 'boolean', default: false } }, additionalProperties: false },
  async handler({ params, body, caller, asSystem, log }) {
    const { documentId } = params;
    const articles = await asSystem.documents('api::article.article').count({ filters: { author: { documentId } }, status: 'draft' });
    if (!body.dryRun) {
      await asSystem.documents('api::author.author').update(documentId, { articles });
      log.info('the articles of an author were counted', { documentId, articles, caller });
    }
    return { articles };
  },
});
