/** Makes the value of a uid that a body leaves out (policies.fillUids). */
import type { StoredValue } from '../../model/attributes/attribute-type.ts';
import { attributeTypes } from '../../model/attributes/attribute-types.ts';
import { defaultOf } from '../../model/attributes/default-of.ts';
import type { Attribute, ScalarAttribute } from '../../model/content-model.ts';
import { slugOf, withSuffix } from '../../text/uid-text.ts';
import type { WriteRules } from '../plan/types.ts';
import type { BodyObject } from './types.ts';

/** Whether a new document without a value for the attribute gets a generated one. Not for
 *  components, as in Strapi's panel. */
export const isMadeUid = (
  attribute: Attribute,
  { body, path }: Pick<BodyObject, 'body' | 'path'>,
  { fillUids }: Pick<WriteRules, 'fillUids'>,
): attribute is ScalarAttribute =>
  fillUids !== 'no' &&
  attribute.kind === 'scalar' &&
  attribute.type === 'uid' &&
  path.length === 0 &&
  typeof attribute.options.targetField === 'string' &&
  defaultOf(attribute) === undefined &&
  !body.scalars.has(attribute.name);

/** Returns the value before it is made unique; undefined if the target attribute is empty, or if
 *  the schema does not accept the value.
 *
 *  title `Fog over Skerra` → `fog-over-skerra`; a title without a letter that has a Latin form →
 *  the type's name, as in Strapi */
export function madeUid(attribute: ScalarAttribute, object: BodyObject, schema: NamedSchema): string | undefined {
  const text = targetText(attribute, object, schema);
  if (text === undefined) return undefined;
  const value = withSuffix(slugOf(text) || schema.singularName || attribute.name, '', attribute.options.maxLength);
  const read = attributeTypes.uid.readBody(value, attribute, { strict: true, exact: false });
  return read.ok ? value : undefined;
}

export interface NamedSchema {
  readonly singularName: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

function targetText({ options }: ScalarAttribute, { body, copied }: BodyObject, { attributes }: NamedSchema): string | undefined {
  const target = attributes.get(String(options.targetField));
  if (target?.kind !== 'scalar' || target.type === 'password') return undefined;
  const read = body.scalars.get(target.name);
  const value: StoredValue | undefined =
    read?.ok === true ? read.value : read === undefined ? copiedOrDefault(copied?.values.get(target.name), target) : null;
  const text = value === undefined || value === null ? '' : String(value).trim();
  return text === '' ? undefined : text;
}

const copiedOrDefault = (copied: StoredValue | undefined, target: ScalarAttribute) => copied ?? defaultOf(target);
