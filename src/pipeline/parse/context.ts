import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { invalidKey } from '../../errors/invalid-key.ts';
import type { Attribute, ContentModel, Schema, Uid } from '../../model/content-model.ts';
import { isVisible } from '../../model/visibility.ts';
import type { UnlistedComponents } from '../unlisted-components.ts';

/** The context that the parsers of one request share. Its counters limit the work that one request can cause. */
export class ParseContext {
  readonly model: ContentModel;
  readonly config: Config;
  readonly unlisted: UnlistedComponents;
  /** True for users and files, whose parameters Strapi does not check a second time. */
  readonly bare: boolean;
  readonly #used = { conditions: 0, hops: 0, populatedPaths: 0, searchBytes: 0 };

  constructor({ model, config, unlisted, bare }: Pick<ParseContext, 'model' | 'config' | 'unlisted' | 'bare'>) {
    this.bare = bare;
    this.model = model;
    this.config = config;
    this.unlisted = unlisted;
  }

  /** The policy `queriesAsStrapi`. */
  get asStrapi(): boolean {
    return this.config.policies.queriesAsStrapi;
  }

  spend(budget: 'conditions' | 'hops' | 'populatedPaths' | 'searchBytes', parameter: string, amount = 1): void {
    this.#used[budget] += amount;
    const limit = this.config.limits[budget];
    if (this.#used[budget] > limit) throw ApiError.of('limit.budget', { budget, parameter, limit });
  }

  /** Counts a search pattern. The bytes of all patterns together limit the work of a statement for each byte of a row. `columns` is the number of
   *  columns that are searched. */
  checkPattern(text: string, path: string, columns = 1): string {
    const limit = this.config.limits.patternBytes;
    const bytes = Buffer.byteLength(text);
    if (bytes > limit) throw ApiError.of('limit.pattern', { path, limit });
    this.spend('searchBytes', path, bytes * columns);
    return text;
  }

  schema(uid: Uid): Schema | undefined {
    return this.model.contentTypes.get(uid) ?? this.model.components.get(uid);
  }
}

export const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** Returns an attribute that the condition of a restriction may name: any but a password. */
export function comparableAttribute(schema: Schema, name: string, path: string, parameter: string): Attribute {
  const attribute = schema.attributes.get(name);
  if (attribute === undefined || (attribute.kind === 'scalar' && attribute.type === 'password')) {
    throw invalidKey(name, path === '' ? null : path, parameter);
  }
  return attribute;
}

/** Returns an attribute that a caller may name: for callers, private attributes and passwords do not exist. */
export function visibleAttribute(schema: Schema, name: string, path: string, parameter: string): Attribute {
  const attribute = schema.attributes.get(name);
  if (attribute === undefined) throw invalidKey(name, path === '' ? null : path, parameter);
  if (!isVisible(attribute)) throw invalidKey(name, join(path, name), parameter);
  return attribute;
}
