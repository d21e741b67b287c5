/** What reads populate by default: the setting `populate`, read as the parameter would be. */
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import { type Attribute, type ContentModel, type Schema, targetOf, type Uid } from '../../model/content-model.ts';
import { isServed } from '../../model/visibility.ts';
import { UnlistedComponents } from '../unlisted-components.ts';
import { ParseContext } from './context.ts';
import { queryValue } from './named-selections.ts';
import { parsePopulate } from './populate.ts';
import { isPopulatable } from './populate-tree.ts';
import type { QueryObject, QueryValue } from './query-string.ts';

export type DefaultPopulate = ReadonlyMap<Uid, QueryValue>;

/** `{"api::page.page": {"seo": true}}` becomes a map from this uid to `{seo: 'true'}`. Throws a
 *  `StartError` for types without endpoints, and whatever a query would be refused for. */
export function readDefaultPopulate(config: Config, model: ContentModel): DefaultPopulate {
  const problems: string[] = [];
  const read = new Map<Uid, QueryValue>();
  for (const [uid, value] of Object.entries(config.populate)) {
    const type = model.contentTypes.get(uid as Uid);
    if (type === undefined || !type.routed) {
      problems.push(`populate: there is no content type ${JSON.stringify(uid)}${type === undefined ? '' : ' with endpoints of its own'}`);
      continue;
    }
    try {
      const context = new ParseContext({
        config,
        model,
        unlisted: new UnlistedComponents(model),
        bare: false,
        planParameters: undefined,
        known: undefined,
      });
      const query = value === 'deep' ? everythingBelow(type, model, config) : queryValue(value);
      parsePopulate([query], type, context);
      read.set(type.uid, query);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(`populate: ${JSON.stringify(uid)}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new StartError(problems);
  return read;
}

/** `deep`: components, dynamic zones, media and relations, on every level. A relation ends at a
 *  type that is above it, or has no endpoints (such as roles of users). Throws when there are more
 *  paths than a request may have. */
function everythingBelow(type: Schema, model: ContentModel, { limits }: Config): QueryObject {
  let paths = 0;
  function below(schema: Schema, above: readonly Schema[]): QueryObject {
    const here = [...above, schema];
    const names = [...schema.attributes.keys()].filter((name) => isPopulatable(schema, name));
    paths += names.length;
    // The number of paths may grow with the factorial of the number of types.
    if (paths > limits.populatedPaths)
      throw ApiError.of('limit.budget', { budget: 'populatedPaths', parameter: 'deep', limit: limits.populatedPaths });
    return Object.fromEntries(names.map((name) => [name, wanted(schema.attributes.get(name), here)]));
  }

  function wanted(attribute: Attribute | undefined, above: readonly Schema[]): QueryValue {
    if (attribute?.kind === 'dynamiczone') {
      const on = attribute.components.map((uid) => [uid, branch(model.components.get(uid), above)] as const);
      return { on: Object.fromEntries(on) };
    }
    return attribute === undefined || attribute.kind === 'media' ? 'true' : branch(targetOf(attribute, model), above);
  }

  function branch(target: Schema | undefined, above: readonly Schema[]): QueryValue {
    if (target === undefined || above.includes(target) || (target.kind !== 'component' && !isServed(target))) return 'true';
    const populate = below(target, above);
    return Object.keys(populate).length === 0 ? 'true' : { populate };
  }

  return below(type, []);
}
