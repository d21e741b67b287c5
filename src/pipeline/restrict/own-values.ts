/** The calling user's values that a restricted right demands of new rows. No other values are
 *  permitted there, so a body need not send them. They grant nothing: the row is checked against
 *  the condition after the write, as if the caller had sent them. */
import { attributeTypes } from '../../model/attributes/attribute-types.ts';
import type { Attribute, ContentType, ScalarAttribute } from '../../model/content-model.ts';
import { type ConditionObject, type ConditionValue, conditionText, type Restriction, userValueName } from '../../rights/restrictions.ts';
import { noBody } from '../body/apply-body.ts';
import type { BodyEntry, BodyScalar, RelationChange, Target } from '../parse/body/types.ts';

/** Returns them as a body; undefined if the condition compares nothing with the caller.
 *
 *  `{"owner": {"id": {"$eq": "$user.id"}}, "rank": {"$lt": 5}}` → `owner: set [7]` */
export function ownValues(restriction: Restriction | undefined, type: ContentType): BodyEntry | undefined {
  const { condition, user } = restriction ?? {};
  if (condition === undefined || condition === 'nothing' || user === undefined) return undefined;
  const scalars = new Map<string, BodyScalar>();
  const relations = new Map<string, RelationChange>();
  const ownText = (value: ConditionValue | undefined): string | undefined => {
    const marked = isGroup(value) ? onlyMember(value, '$eq') : value;
    return typeof marked === 'string' && userValueName(marked) !== undefined ? conditionText(marked, user) : undefined;
  };
  for (const [name, value] of membersOf(condition)) {
    const attribute = type.attributes.get(name);
    if (attribute?.writable !== true) continue;
    if (attribute.kind === 'scalar' && !attribute.system) {
      const text = ownText(value);
      const read = text === undefined ? undefined : scalarOf(text, attribute, type);
      if (read?.ok === true) scalars.set(name, read);
    }
    const target = targetOf(value, attribute, ownText);
    if (target !== undefined) relations.set(name, { kind: 'set', targets: [target] });
  }
  return scalars.size === 0 && relations.size === 0 ? undefined : { ...noBody, uid: type.uid, scalars, relations };
}

/** The members that must all hold. */
const membersOf = (condition: ConditionObject): readonly (readonly [string, ConditionValue])[] =>
  Object.entries(condition).flatMap(([name, value]) =>
    name === '$and' && Array.isArray(value) ? value.flatMap((each) => (isGroup(each) ? membersOf(each) : [])) : [[name, value] as const],
  );

const isGroup = (value: ConditionValue | undefined): value is ConditionObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const onlyMember = (group: ConditionObject, name: string): ConditionValue | undefined =>
  Object.keys(group).length === 1 ? group[name] : undefined;

/** Values of users are texts, and a body has numbers and booleans. */
function scalarOf(text: string, attribute: ScalarAttribute, { draftAndPublish }: ContentType) {
  const { type } = attribute;
  const value = type === 'boolean' ? text === 'true' : type === 'integer' || type === 'float' || type === 'decimal' ? Number(text) : text;
  return attributeTypes[type].readBody(value, attribute, { strict: !draftAndPublish, exact: true });
}

function targetOf(
  value: ConditionValue,
  attribute: Attribute,
  ownText: (value: ConditionValue | undefined) => string | undefined,
): Target | undefined {
  if (attribute.kind !== 'relation' || attribute.target === undefined) return undefined;
  const member = (name: string) => (isGroup(value) ? onlyMember(value, name) : undefined);
  const documentId = ownText(member('documentId'));
  if (documentId !== undefined) return { by: 'documentId', type: attribute.target, documentId, locale: undefined, isOwn: true };
  const id = Number(ownText(member('id') ?? value));
  return Number.isSafeInteger(id) ? { by: 'id', type: attribute.target, id, isOwn: true } : undefined;
}
