/** What schema files say about how editors see attributes. */
import type { AttributePresentation, ScalarType } from '../content-model.ts';
import { type lecternOfAttribute, writtenIn } from '../schema-file/lectern-keys.ts';
import { suggest } from '../schema-file/read-keys.ts';
import type { Written } from './presentation.ts';
import type { WrittenAttribute } from './resolution.ts';

const numbers: ReadonlySet<ScalarType | undefined> = new Set(['integer', 'biginteger', 'float', 'decimal']);

/** `type`: undefined for an attribute that is not a scalar. */
export function presentationOfAttribute(
  attribute: WrittenAttribute,
  values: Written<typeof lecternOfAttribute.inner.keys>,
  type?: ScalarType,
): AttributePresentation | undefined {
  const written = writtenIn(values.lectern, values.pluginOptions.lectern);
  if (written === undefined) return undefined;
  const { group, currency, ...others } = written;
  const warn = (name: 'group' | 'currency', problem: string, remedy: string) => {
    const own = ['lectern', name];
    attribute.warn(values.lectern[name] === undefined ? ['pluginOptions', ...own] : own, problem, remedy);
  };
  const groups = attribute.owner.lectern?.groups?.map((each) => each.name) ?? [];
  const isGroup = group !== undefined && groups.includes(group);
  if (group !== undefined && !isGroup)
    warn(
      'group',
      `${JSON.stringify(group)} has no effect: lectern.groups of the file has no such group`,
      suggest(group, groups, `add { "name": ${JSON.stringify(group)}, "label": "…" } to lectern.groups`),
    );
  const isAmount = currency !== undefined && numbers.has(type);
  if (currency !== undefined && !isAmount)
    warn('currency', `${JSON.stringify(currency)} has no effect: the attribute is not a number`, 'remove it, or make the type a decimal');
  return { ...(others as AttributePresentation), ...(isGroup ? { group } : {}), ...(isAmount ? { currency } : {}) };
}
