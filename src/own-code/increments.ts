/** The values that `increment` makes: `{ articles: { $increment: 1 } }`. No body of a request has
 *  them. */
import type { ContentType } from '../model/content-model.ts';
import { isObject, type JsonObject } from '../text/json.ts';

export interface DataAndIncrements {
  /** What is wrong with an increment. */
  readonly problem?: string;
  readonly data: JsonObject;
  /** By attribute, what is added to the stored number. */
  readonly increments: ReadonlyMap<string, number>;
}

const numbers: ReadonlySet<string> = new Set(['integer', 'biginteger', 'float', 'decimal']);

export function withoutIncrements(given: JsonObject, { attributes, uid }: ContentType): DataAndIncrements {
  const increments = new Map<string, number>();
  const data: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const by = isObject(value) && Object.keys(value).length === 1 ? value.$increment : undefined;
    const attribute = attributes.get(name);
    if (by === undefined || (attribute?.kind === 'scalar' && attribute.type === 'json')) {
      data[name] = value;
      continue;
    }
    const isNumber = attribute?.kind === 'scalar' && numbers.has(attribute.type) && attribute.writable;
    if (!isNumber) return { problem: `increment: ${name} of ${uid} is not a number that can be written`, data, increments };
    const isAddend = attribute.type === 'biginteger' ? Number.isSafeInteger(by) : Number.isFinite(by);
    if (typeof by !== 'number' || !isAddend)
      return {
        problem: `increment: ${String(by)} cannot be added to ${name} of ${uid}, whose type is ${attribute.type}`,
        data,
        increments,
      };
    increments.set(name, by);
  }
  return { data, increments };
}
