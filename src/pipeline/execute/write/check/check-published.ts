/** What a version has to be before it is published: the whole entry, whoever wrote which part of it when. */

import type { StoredValue } from '../../../../model/attributes/attribute-type.ts';
import { attributeTypes } from '../../../../model/attributes/attribute-types.ts';
import { wrongType } from '../../../../model/attributes/cast.ts';
import type { ScalarAttribute, ScalarType } from '../../../../model/content-model.ts';
import type { WriteRules } from '../../../plan/types.ts';
import { checkCount, requiredNull } from '../body/apply-body.ts';
import { type Problems, writtenPath } from '../body/body-problems.ts';
import { type Entry, isContent, isPartAttribute } from '../entry/entry.ts';

/** `hidden`: the entry is a component that readers do not see. */
export function checkPublished(entry: Entry, rules: WriteRules, problems: Problems, path: readonly string[] = [], hidden = false): void {
  for (const attribute of entry.schema.attributes.values()) {
    if (!isContent(attribute) || !attribute.writable) continue;
    const place = [...path, attribute.name];
    const isHidden = hidden || attribute.private;
    if (attribute.kind === 'scalar') checkValue(entry.values.get(attribute.name) ?? null, attribute, place, isHidden, problems);
    else if (isPartAttribute(attribute)) {
      const parts = entry.parts.get(attribute.name) ?? [];
      const isOne = attribute.kind === 'component' && attribute.cardinality === 'one';
      if (isOne && attribute.required && parts.length === 0) problems.addValue(place, () => wrongType('object', null, undefined));
      if (!isOne) checkCount(attribute, parts.length, place, problems);
      for (const [index, part] of parts.entries())
        checkPublished(part.entry, rules, problems, isOne ? place : [...place, String(index)], isHidden);
    } else if (attribute.required && rules.requireRelations && (entry.links.get(attribute.name) ?? []).length === 0) {
      problems.add(place, () => `${writtenPath(place)} must be defined.`);
    }
  }
}

/** Drafts are held to everything else, too, when they are written. A hash says nothing about its password. */
const askedMoreOf: ReadonlySet<ScalarType> = new Set<ScalarType>([
  'string',
  'text',
  'richtext',
  'email',
  'uid',
  'enumeration',
  'integer',
  'float',
  'decimal',
  'biginteger',
]);

/** Somebody else may have written the value into the draft: what is hidden is not told. */
function checkValue(value: StoredValue, attribute: ScalarAttribute, path: readonly string[], isHidden: boolean, problems: Problems): void {
  if (value === null) {
    if (attribute.required) problems.addValue(path, () => requiredNull(attribute));
    return;
  }
  if (!askedMoreOf.has(attribute.type)) return;
  if (problems.isFull) {
    problems.stop();
    return;
  }
  const read = attributeTypes[attribute.type].readBody(typeof value === 'bigint' ? value.toString() : value, attribute, {
    strict: true,
    exact: false,
  });
  if (read.ok) return;
  for (const problem of read.problems) problems.addValue(path, isHidden ? { path: problem.path, message: problem.message } : problem);
}
