/** Which values of the caller's own a restricted right asks for in a body. */
import type { Attribute, ContentType } from '../../model/content-model.ts';
import { isVisible } from '../../model/visibility.ts';
import { type ConditionObject, type ConditionValue, conditionText, type Restriction, userValueName } from '../../rights/restrictions.ts';
import type { Rights } from '../../rights/rights.ts';

export interface RefusedBody {
  readonly type: ContentType;
  readonly restriction: Restriction | undefined;
  readonly rights: Rights;
  /** Whether the body names the attribute. */
  readonly names: (attribute: string) => boolean;
}

/** Returns attributes with values of the calling user that the condition compares for equality and
 *  that the body lacks; undefined if there are none. To reveal nothing to the caller, leaves out
 *  attributes that the caller may not write, and values that are not the caller's.
 *
 *  `{"owner": {"id": {"$eq": "$user.id"}}}` → `owner: 7` */
export function valuesToSend({ type, restriction, rights, names }: RefusedBody): string | undefined {
  const { condition, user, fields } = restriction ?? {};
  if (condition === undefined || condition === 'nothing' || user === undefined) return undefined;
  const values = membersOf(condition).flatMap(([name, value]) => {
    const attribute = type.attributes.get(name);
    const mayWrite = attribute !== undefined && isVisible(attribute) && attribute.writable && fields?.has(name) !== false;
    if (!mayWrite || names(name) || !mayLink(attribute, rights)) return [];
    const marked = comparedWith(value, attribute);
    return marked === undefined || userValueName(marked) === undefined
      ? []
      : [`${name}: ${written(conditionText(marked, user), attribute)}`];
  });
  return values.length === 0 ? undefined : values.join(', ');
}

/** The members that must all hold. */
const membersOf = (condition: ConditionObject): readonly (readonly [string, ConditionValue])[] =>
  Object.entries(condition).flatMap(([name, value]) =>
    name === '$and' && Array.isArray(value) ? value.flatMap((each) => (isGroup(each) ? membersOf(each) : [])) : [[name, value] as const],
  );

const isGroup = (value: ConditionValue): value is ConditionObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text that the attribute, or the row id of a relation to one type, must equal. */
function comparedWith(value: ConditionValue, { kind }: Attribute): string | undefined {
  const only = kind === 'relation' ? onlyMember(value, 'id') : value;
  const compared = onlyMember(only, '$eq');
  return typeof compared === 'string' ? compared : undefined;
}

/** `{ id: x }` → `x`; any other value as it is. */
const onlyMember = (value: ConditionValue, name: string): ConditionValue =>
  isGroup(value) && Object.keys(value).length === 1 && value[name] !== undefined ? value[name] : value;

const mayLink = (attribute: Attribute, rights: Rights): boolean =>
  attribute.kind === 'scalar' ||
  (attribute.kind === 'relation' && attribute.target !== undefined && rights.allows(`${attribute.target}.find`));

const written = (text: string, attribute: Attribute): string =>
  attribute.kind === 'scalar' && attribute.type !== 'integer' && attribute.type !== 'boolean' ? JSON.stringify(text) : text;
