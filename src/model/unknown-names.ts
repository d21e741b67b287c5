/** Names in the configuration that the model does not have: a misspelt one would have no effect. */
import type { Config } from '../config/config.ts';
import { searchProblems } from '../search/search-index.ts';
import { userUid } from './built-in-types.ts';
import type { ContentModel } from './content-model.ts';
import { previewProblems } from './previews.ts';

/** One problem for each. */
export function unknownNames(
  {
    auth,
    cache,
    console: { preview },
    history,
    search,
    webhooks,
  }: Pick<Config, 'auth' | 'cache' | 'console' | 'history' | 'search' | 'webhooks'>,
  model: ContentModel,
): readonly string[] {
  const isUnknown = (uid: string) => !model.contentTypes.has(uid);
  const users = model.contentTypes.get(userUid);
  return [
    ...Object.keys(cache.types)
      .filter(isUnknown)
      .map((uid) => `cache.types: there is no content type ${JSON.stringify(uid)}`),
    ...Object.keys(history.types)
      .filter(isUnknown)
      .map((uid) => `history.types: there is no content type ${JSON.stringify(uid)}`),
    ...webhooks.flatMap(({ name, types = [] }) =>
      types.filter(isUnknown).map((uid) => `webhook ${name}: there is no content type ${JSON.stringify(uid)}`),
    ),
    ...auth.ownFields
      .filter((name) => users !== undefined && !users.attributes.has(name))
      .map((name) => `auth.ownFields: users have no attribute ${JSON.stringify(name)}`),
    ...previewProblems(preview, model),
    ...searchProblems(search, model),
  ];
}
