import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { attributeTypes } from '../../model/attributes/attribute-types.ts';
import type { Attribute, ContentModel, Schema, Uid } from '../../model/content-model.ts';

/** What the parsers of one request share. The counters bound the work that one request can ask for. */
export class ParseContext {
  readonly model: ContentModel;
  readonly config: Config;
  /** The parameter being read, for messages: filters, sort, fields, populate. */
  readonly #used = { conditions: 0, hops: 0, populatedPaths: 0 };

  constructor(model: ContentModel, config: Config) {
    this.model = model;
    this.config = config;
  }

  spend(budget: 'conditions' | 'hops' | 'populatedPaths', parameter: string): void {
    this.#used[budget]++;
    const limit = this.config.limits[budget];
    if (this.#used[budget] > limit) throw ApiError.of('limit.budget', { budget, parameter, limit });
  }

  schema(uid: Uid): Schema | undefined {
    return this.model.contentTypes.get(uid) ?? this.model.components.get(uid);
  }
}

export type QueryParameter = 'filters' | 'sort' | 'fields' | 'populate';

/** `Invalid key nope at category`. Strapi gives `path` as the attribute's own path when the attribute exists and its parent's when not. */
export function invalidKey(key: string, path: string | null, parameter: string): ApiError {
  const shown = key.length > 200 ? `${key.slice(0, 200)}…` : key;
  return ApiError.of(
    'query.invalid-key',
    { key: shown, at: path === key ? null : path },
    { key: shown, path, source: 'query', param: parameter },
  );
}

export const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** The attribute of that name as a caller sees it: private attributes and passwords do not exist for anybody. */
export function visibleAttribute(schema: Schema, name: string, path: string, parameter: string): Attribute {
  const attribute = schema.attributes.get(name);
  if (attribute === undefined) throw invalidKey(name, path === '' ? null : path, parameter);
  if (!isVisible(attribute)) throw invalidKey(name, join(path, name), parameter);
  return attribute;
}

export const isVisible = (attribute: Attribute): boolean =>
  !attribute.private && !(attribute.kind === 'scalar' && attribute.type === 'password');

/** What `_q` looks into for an attribute. */
export const searchOf = (attribute: Attribute) =>
  attribute.kind === 'scalar' && attribute.searchable && isVisible(attribute) ? attributeTypes[attribute.type].search : 'no';
