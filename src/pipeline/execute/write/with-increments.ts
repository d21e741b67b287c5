import { attributeTypes } from '../../../model/attributes/attribute-types.ts';
import type { Entry } from '../../entry/entry.ts';
import type { BodyEntry } from '../../parse/body/types.ts';
import type { WriteContext } from './write-context.ts';

/** Adds to the numbers as they are stored, or as a new row begins with them. */
export function withIncrements(body: BodyEntry, before: Entry | undefined, { plan, type }: WriteContext): BodyEntry {
  if (plan.increments.size === 0) return body;
  const scalars = new Map(body.scalars);
  const rules = { strict: !type.draftAndPublish, exact: plan.rules.enforceSchema };
  for (const [name, by] of plan.increments) {
    const attribute = type.attributes.get(name);
    if (attribute?.kind !== 'scalar') continue;
    const stored = before?.values.get(name) ?? 0;
    const sum = attribute.type === 'biginteger' ? BigInt(stored) + BigInt(by) : Number(stored) + by;
    scalars.set(name, attributeTypes[attribute.type].readBody(sum, attribute, rules));
  }
  return { ...body, scalars };
}
