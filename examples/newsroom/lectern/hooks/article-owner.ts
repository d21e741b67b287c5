/** Users change their own articles alone. Tokens are not bound by this. */
import { type Before, defineHooks, fail } from 'lectern';

const ownersOnly: Before<'api::article.article'> = ({ document, caller }) => {
  if (caller.kind === 'user' && document !== undefined && document.owner?.id !== caller.id)
    fail('owner', 'only its owner may change an article');
};

export default defineHooks('api::article.article', {
  populate: ['owner'],
  before: { update: ownersOnly, publish: ownersOnly, unpublish: ownersOnly, discard: ownersOnly, delete: ownersOnly },
  compute: {
    // The user who creates an article owns it, whatever the body says.
    owner: (_article, { document, caller }) =>
      document === undefined && caller.kind === 'user' ? caller.id : (document?.owner?.id ?? null),
  },
});
