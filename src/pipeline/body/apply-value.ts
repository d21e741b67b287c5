/** A scalar attribute of a body → the value that is wanted. */
import type { StoredValue, ValueProblem } from '../../model/attributes/attribute-type.ts';
import { wrongType } from '../../model/attributes/cast.ts';
import { defaultOf } from '../../model/attributes/default-of.ts';
import type { ScalarAttribute } from '../../model/content-model.ts';
import { writtenPath } from './problems.ts';
import type { BodyContext, BodyObject } from './types.ts';

/** Undefined: the value stays as it is. */
export function applyValue(
  attribute: ScalarAttribute,
  object: BodyObject,
  path: readonly string[],
  { strict, problems, hashes }: BodyContext,
): StoredValue | undefined {
  const read = object.body.scalars.get(attribute.name);
  const inherited = object.copied?.values.get(attribute.name);
  if ((read === undefined || read.ok === 'null') && inherited !== undefined && inherited !== null) return inherited;
  // What the other locales have emptied stays empty: a default would be written back to them.
  if (read === undefined && inherited !== null) {
    if (object.current !== undefined) return undefined;
    const initial = defaultOf(attribute);
    if (initial === undefined && attribute.required && strict && object.mode === 'creation')
      problems.add(path, () => `${writtenPath(path)} must be defined.`);
    return initial === undefined || attribute.type === 'password' ? null : initial;
  }
  if (read === undefined || read.ok === 'null') {
    if (attribute.required && strict) problems.addValue(path, () => requiredNull(attribute));
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
  if (attribute.type !== 'password' || typeof read.value !== 'string') return read.value;
  // Without a hash there is no password: the plain text is never written.
  return hashes.get(read.value) ?? null;
}

/** What Strapi says of a null in an attribute that is required. */
export function requiredNull(attribute: ScalarAttribute): ValueProblem {
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
