/** Checks an attribute's rules together: bounds, defaults, uids' targets. None prevents a start. */
import slugify from '@sindresorhus/slugify';
import { isObject } from '../../text/json.ts';
import { attributeTypes } from '../attributes/attribute-types.ts';
import type { ScalarAttribute, ScalarType } from '../content-model.ts';
import { attributeTypeNames, scalarAttributes } from '../schema-file/attribute-keys.ts';
import { suggest } from '../schema-file/read-keys.ts';
import type { Resolution, WrittenAttribute } from './resolution.ts';

export function checkRules(attribute: WrittenAttribute, resolved: ScalarAttribute, { customFields }: Resolution): void {
  const { options } = resolved;
  checkBounds(attribute, ['min', options.min], ['max', options.max]);
  checkBounds(attribute, ['minLength', options.minLength], ['maxLength', options.maxLength]);
  if (resolved.enumValues !== undefined) {
    checkRepeated(attribute, resolved.enumValues);
    checkNormalised(attribute, resolved.enumValues);
  }
  const wrongDefault = mistakeInDefault(resolved);
  if (wrongDefault !== undefined) attribute.warn('default', ...wrongDefault);
  if (typeof options.targetField === 'string' && options.targetField !== '') checkTargetField(attribute, options.targetField, customFields);
}

interface Counts {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export const checkCounts = (attribute: WrittenAttribute, { min, max }: Counts): void => checkBounds(attribute, ['min', min], ['max', max]);

type Bound = readonly [key: string, value: unknown];

function checkBounds(attribute: WrittenAttribute, [lower, min]: Bound, [upper, max]: Bound): void {
  if (min === undefined || min === null || max === undefined || max === null) return;
  if (!(Number(min) > Number(max))) return;
  const problem = `${lower} is ${String(min)} and ${upper} is ${String(max)}, so no value fits`;
  attribute.warn(lower, problem, `make ${lower} the smaller one`);
}

function checkRepeated(attribute: WrittenAttribute, values: readonly string[]): void {
  for (const [index, value] of values.entries())
    if (values.indexOf(value) < index) attribute.warn(['enum', index], `${JSON.stringify(value)} is there twice`, 'remove one of them');
}

/** The name of a value in GraphQL, which Strapi requires of each enumeration. Source: Strapi 5.54,
 *  `toRegressedEnumValue` and its validator of content types. */
const normalised = (value: string): string =>
  isNormalised.test(value) ? value : slugify(value, { decamelize: false, lowercase: false, separator: '_' });
// Most are, and slugify takes as long for each value as a start does for a whole attribute.
const isNormalised = /^[A-Za-z0-9]+(_[A-Za-z0-9]+)*$/;
const isGraphQlName = /^[_A-Za-z][_0-9A-Za-z]*$/;

/** Warns of values with which Strapi does not start. Lectern serves them. */
function checkNormalised(attribute: WrittenAttribute, values: readonly string[]): void {
  // The only ones that Strapi checks: those of content types.
  if (attribute.owner.kind === 'component') return;
  const seen = new Map<string, string>();
  for (const [index, value] of values.entries()) {
    if (values.indexOf(value) < index) continue;
    const name = normalised(value);
    const same = seen.get(name);
    seen.set(name, same ?? value);
    const problem = !isGraphQlName.test(name)
      ? `${JSON.stringify(value)} has no letter before its first digit, with which Strapi does not start`
      : same === undefined
        ? undefined
        : `${JSON.stringify(value)} and ${JSON.stringify(same)} are both ${name} when Strapi normalises them, and it does not start with them`;
    if (problem !== undefined) attribute.warn(['enum', index], problem, 'rename the value');
  }
}

function mistakeInDefault(attribute: ScalarAttribute): readonly [problem: string, remedy: string] | undefined {
  const { type, options, enumValues = [] } = attribute;
  const value = options.default;
  // Strapi's panel writes an empty text for "no default".
  if (value === undefined || value === null || value === '') return undefined;
  const mistake = (problem: string, remedy: string) => [`the default ${JSON.stringify(value)} ${problem}`, remedy] as const;
  if (type === 'enumeration') {
    if (typeof value === 'string' && enumValues.includes(value)) return undefined;
    return mistake('is not in "enum", so new entries get none', suggest(value, enumValues, 'add it to "enum", or remove the default'));
  }
  const read = (rules: ScalarAttribute['options'], strict: boolean) =>
    attributeTypes[type].readBody(value, rules === options ? attribute : { ...attribute, options: rules }, { strict, exact: false });
  const published = read(options, true);
  if (published.ok) return undefined;
  if (!read({}, false).ok)
    return mistake(`has no effect: it must be ${scalarAttributes[type].keys.default.shape}`, 'correct the default, or remove it');
  const draft = read(options, false);
  const { problems } = draft.ok ? published : draft;
  const broken = problems.map(({ help, message }) => (help ?? message).replace('{path}', attribute.name)).join('; ');
  return mistake(`${draft.ok ? 'cannot be published' : 'has no effect'}: ${broken}`, 'correct the default, or the rule');
}

/** Types that a text for URLs can be made from. */
const sources: ReadonlySet<string> = new Set<ScalarType>([
  'string',
  'text',
  'richtext',
  'email',
  'uid',
  'enumeration',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'date',
]);

function checkTargetField(attribute: WrittenAttribute, target: string, customFields: Resolution['customFields']): void {
  const { owner, name } = attribute;
  const typeOf = (json: unknown): unknown => {
    if (!isObject(json)) return undefined;
    return json.type === 'customField' && typeof json.customField === 'string' ? customFields.typeOf(json.customField) : json.type;
  };
  const usable = Object.keys(owner.attributes).filter((each) => each !== name && sources.has(String(typeOf(owner.attributes[each]))));
  if (usable.includes(target)) return;
  const type = typeOf(owner.attributes[target]);
  // Whoever misspelled the type of the other attribute has to correct that, and may leave this key.
  if (Object.hasOwn(owner.attributes, target) && !(typeof type === 'string' && attributeTypeNames.includes(type))) return;
  const problem = Object.hasOwn(owner.attributes, target)
    ? `the attribute ${JSON.stringify(target)} has no text to make a value from`
    : `${owner.uid} has no attribute ${JSON.stringify(target)}`;
  const remedy = usable.length === 0 ? 'remove the key' : `one of ${usable.join(', ')}`;
  attribute.warn('targetField', problem, suggest(target, usable, remedy));
}
