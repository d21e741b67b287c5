/** Whether the `where` of a right can be understood. */
import type { ContentModel, Uid } from '../model/content-model.ts';
import { isObject, type JsonObject } from '../model/json.ts';
import { nearest } from '../model/nearest.ts';

/** What is wrong with a condition on documents of a type, in words that follow its path; undefined when nothing is. */
export type CheckCondition = (where: JsonObject, uid: Uid) => string | undefined;

const groups: ReadonlySet<string> = new Set(['$and', '$or', '$not']);

/** Provisional: looks at the shape, the attributes of the type itself and those of the user. What filters refuse further in is found by them. */
export function conditionCheck(model: ContentModel): CheckCondition {
  const user = model.contentTypes.get('plugin::users-permissions.user');
  const visible = (uid: Uid | undefined): string[] =>
    [...((uid === undefined ? undefined : model.contentTypes.get(uid))?.attributes.values() ?? [])]
      .filter((attribute) => !attribute.private && !(attribute.kind === 'scalar' && attribute.type === 'password'))
      .map(({ name }) => name);
  const userAttributes = visible(user?.uid);

  return (where, uid) => {
    if (Object.keys(where).length === 0) return 'is empty, and would limit nothing';
    const attributes = visible(uid);
    return attributeProblem(where, attributes) ?? variableProblem(where, userAttributes);
  };
}

function attributeProblem(condition: unknown, attributes: readonly string[]): string | undefined {
  if (Array.isArray(condition)) return first(condition, (each) => attributeProblem(each, attributes));
  if (!isObject(condition)) return 'has to be an object such as {"author": {"id": {"$eq": "$user.id"}}}';
  return first(Object.entries(condition), ([key, inner]) => {
    if (groups.has(key)) return attributeProblem(inner, attributes);
    return attributes.includes(key) ? undefined : `names the attribute ${key}, which the type does not have${hint(key, attributes)}`;
  });
}

function variableProblem(value: unknown, attributes: readonly string[]): string | undefined {
  if (Array.isArray(value)) return first(value, (each) => variableProblem(each, attributes));
  if (isObject(value)) return first(Object.values(value), (each) => variableProblem(each, attributes));
  if (typeof value !== 'string' || !/^\$user\b/.test(value)) return undefined;
  const name = value.slice('$user.'.length);
  return value.startsWith('$user.') && attributes.includes(name)
    ? undefined
    : `names ${value}, which is no attribute of users${hint(name, attributes)}`;
}

const hint = (name: string, known: readonly string[]) => {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
};

function first<T>(items: readonly T[], problem: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
