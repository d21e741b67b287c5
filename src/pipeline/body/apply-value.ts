/** Applies a scalar attribute of a body. */
import type { StoredValue, ValueProblem } from '../../model/attributes/attribute-type.ts';
import { wrongType } from '../../model/attributes/cast.ts';
import { defaultOf } from '../../model/attributes/default-of.ts';
import { requiredHelp } from '../../model/attributes/required.ts';
import type { ScalarAttribute } from '../../model/content-model.ts';
import type { WriteRules } from '../plan/types.ts';
import { isMadeUid, madeUid } from './make-uid.ts';
import type { BodyContext, BodyObject } from './types.ts';

/** Returns the wanted value; undefined if it stays as it is. */
export function applyValue(
  attribute: ScalarAttribute,
  object: BodyObject,
  path: readonly string[],
  { strict, problems, hashes, rules, type }: BodyContext,
): StoredValue | undefined {
  const read = object.body.scalars.get(attribute.name);
  const inherited = object.copied?.values.get(attribute.name);
  if ((read === undefined || read.ok === 'null') && inherited !== undefined && inherited !== null) return inherited;
  // A shared value that is null in the other locales stays null: a default would be copied to them.
  if (read === undefined && inherited !== null) {
    if (object.current !== undefined) return undefined;
    const made = isMadeUid(attribute, object, rules) ? madeUid(attribute, object, type) : undefined;
    if (made !== undefined) return made;
    const initial = defaultOf(attribute);
    if (initial === undefined && attribute.required && strict && object.mode === 'creation') problems.addUndefined(path, attribute, false);
    return initial === undefined || attribute.type === 'password' ? null : initial;
  }
  if (read === undefined || read.ok === 'null') {
    if (attribute.required && strict) problems.addValue(path, () => requiredNull(attribute, false));
    return null;
  }
  if (read.ok === 'unread') {
    problems.stop();
    return null;
  }
  if (!read.ok) {
    for (const problem of read.problems) problems.addValue(path, problem);
    if (read.unread) problems.stop();
    return null;
  }
  if (strict && isEmptyRequired(read.value, attribute, rules)) problems.addValue(path, () => requiredEmpty(attribute, false));
  if (attribute.type !== 'password' || typeof read.value !== 'string') return read.value;
  // A password without a hash becomes null: the plain text is never written.
  return hashes.get(read.value) ?? null;
}

/** To Strapi, an empty text is a value of a required attribute. */
export const isEmptyRequired = (value: StoredValue, { required }: ScalarAttribute, { enforceSchema }: WriteRules): boolean =>
  enforceSchema && required && value === '';

export const requiredEmpty = (attribute: ScalarAttribute, draftsMay: boolean): ValueProblem => ({
  path: [],
  message: '{path} cannot be empty',
  help: requiredHelp(attribute, draftsMay),
});

/** Returns the problem of null in a required attribute. `draftsMay`: drafts may have null. */
export const requiredNull = (attribute: ScalarAttribute, draftsMay: boolean): ValueProblem => ({
  ...requiredNullOfStrapi(attribute),
  help: requiredHelp(attribute, draftsMay),
});

function requiredNullOfStrapi(attribute: ScalarAttribute): ValueProblem {
  switch (attribute.type) {
    case 'integer':
    case 'float':
    case 'decimal':
      return wrongType('number', Number.NaN, undefined);
    case 'boolean':
      return wrongType('boolean', null, undefined);
    case 'json':
    case 'blocks':
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
    case 'biginteger':
      return { path: [], message: '{path} cannot be null', value: null };
    default:
      return wrongType('string', null, undefined);
  }
}
