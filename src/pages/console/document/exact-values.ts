import type { DescribedAttribute } from '../../../http/endpoints/me/described-me.ts';
import { rounded } from '../server/exact-json.ts';
import { type ComponentOf, isRecord, type Values } from './values.ts';

/** The values of a document or a component that was read with exact numbers, which stay in JSON and
 *  in blocks alone: all other controls expect JavaScript's numbers. */
export function exactInJson(values: Values, attributes: readonly DescribedAttribute[], componentOf: ComponentOf): Values {
  const byName = new Map(attributes.map((each) => [each.name, each]));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, exactValue(value, byName.get(name), componentOf)]));
}

function exactValue(value: unknown, attribute: DescribedAttribute | undefined, componentOf: ComponentOf): unknown {
  if (attribute?.type === 'json' || attribute?.type === 'blocks') return value;
  if (attribute?.type !== 'component' && attribute?.type !== 'dynamiczone') return rounded(value);
  const entry = (each: unknown): unknown => {
    const uid = isRecord(each) ? (attribute.component ?? String(each.__component)) : '';
    return isRecord(each) ? exactInJson(each, componentOf(uid)?.attributes ?? [], componentOf) : each;
  };
  return Array.isArray(value) ? value.map(entry) : entry(value);
}
