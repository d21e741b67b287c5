/** Checks an entry before it is published: the whole entry, whichever write its parts come from. */

import type { StoredValue } from '../../model/attributes/attribute-type.ts';
import { attributeTypes } from '../../model/attributes/attribute-types.ts';
import { wrongType } from '../../model/attributes/cast.ts';
import { requiredHelp } from '../../model/attributes/required.ts';
import type { ScalarAttribute, ScalarType } from '../../model/content-model.ts';
import { type Entry, isComponentsAttribute, isContent } from '../entry/entry.ts';
import type { WriteRules } from '../plan/types.ts';
import { checkCount } from './apply-components.ts';
import { isEmptyRequired, requiredEmpty, requiredNull } from './apply-value.ts';
import { BodyProblems } from './body-problems.ts';

export interface PublishedCheck {
  readonly rules: WriteRules;
  /** Problems are added here. */
  readonly problems: BodyProblems;
  /** The attributes of the document to check; undefined means all of them. */
  readonly named?: ReadonlySet<string>;
}

/** Adds a problem for each value that prevents the entry from being published.
 *
 *  a book with `{ title: 'A' }`, where titles have at least two characters →
 *  `title must be at least 2 characters` */
export function checkPublished(entry: Entry, { rules, problems, named }: PublishedCheck): void {
  checkObject(entry, { path: [], isHidden: false, named }, { rules, problems });
}

/** Like `checkPublished`, for a body with problems: adds problems only at paths without one. Strapi
 *  would report these in a second response. */
export function addPublishProblems(entry: Entry, { problems, ...check }: PublishedCheck): void {
  if (problems.none || !check.rules.enforceSchema) return;
  const further = new BodyProblems();
  checkPublished(entry, { ...check, problems: further });
  problems.addFurther(further);
}

interface CheckedPosition {
  readonly path: readonly string[];
  /** True inside a private component. */
  readonly isHidden: boolean;
  readonly named?: ReadonlySet<string> | undefined;
}

function checkObject(entry: Entry, { path, isHidden: isWithinHidden, named }: CheckedPosition, check: Omit<PublishedCheck, 'named'>): void {
  const { rules, problems } = check;
  for (const attribute of entry.schema.attributes.values()) {
    if (!isContent(attribute) || !attribute.writable || named?.has(attribute.name) === false) continue;
    const attributePath = [...path, attribute.name];
    const isHidden = isWithinHidden || attribute.private;
    if (attribute.kind === 'scalar')
      checkValue(entry.values.get(attribute.name) ?? null, attribute, { path: attributePath, isHidden }, check);
    else if (isComponentsAttribute(attribute)) {
      const components = entry.components.get(attribute.name) ?? [];
      const isOne = attribute.kind === 'component' && attribute.cardinality === 'one';
      if (isOne && attribute.required && components.length === 0)
        problems.addValue(attributePath, () => ({ ...wrongType('object', null, undefined), help: requiredHelp(attribute, true) }));
      if (!isOne) checkCount(attribute, components.length, attributePath, problems);
      for (const [index, component] of components.entries())
        checkObject(component.entry, { path: isOne ? attributePath : [...attributePath, String(index)], isHidden }, check);
    } else if (attribute.required && rules.requireRelations && (entry.links.get(attribute.name) ?? []).length === 0) {
      problems.addUndefined(attributePath, attribute, true);
    }
  }
}

/** The types with rules that drafts need not fulfil. Other rules are checked when a draft is
 *  written. A password cannot be checked by its hash. */
const typesWithRules: ReadonlySet<ScalarType> = new Set<ScalarType>([
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

/** Checks a value. Another caller may have written it into the draft: a hidden one is not shown. */
function checkValue(
  value: StoredValue,
  attribute: ScalarAttribute,
  { path, isHidden }: CheckedPosition,
  { rules, problems }: Omit<PublishedCheck, 'named'>,
): void {
  if (value === null) {
    if (attribute.required) problems.addValue(path, () => requiredNull(attribute, true));
    return;
  }
  if (!typesWithRules.has(attribute.type)) return;
  if (problems.isFull) {
    problems.stop();
    return;
  }
  const read = attributeTypes[attribute.type].readBody(typeof value === 'bigint' ? value.toString() : value, attribute, {
    strict: true,
    exact: false,
  });
  if (read.ok) {
    if (isEmptyRequired(value, attribute, rules)) problems.addValue(path, () => requiredEmpty(attribute, true));
    return;
  }
  for (const problem of read.problems) problems.addValue(path, isHidden ? { path: problem.path, message: problem.message } : problem);
}
