import { defaultOf } from '../../model/attributes/default-of.ts';
import type { Attribute, ScalarAttribute } from '../../model/content-model.ts';
import { type Entry, isContent } from '../entry/entry.ts';
import type { BodyEntry } from '../parse/body/types.ts';

/** Whether the attribute is required and has a default. */
export const requiredWithDefault = (attribute: Attribute): attribute is ScalarAttribute =>
  attribute.kind === 'scalar' && attribute.required && attribute.type !== 'password' && defaultOf(attribute) !== undefined;

/** Fills in defaults of required attributes that neither the body nor the stored entry has, if they
 *  are required only since. Called before publishing, or saving in a type without drafts. */
export function fillDefaults(applied: Entry, body: BodyEntry, current: Entry | undefined): void {
  if (current === undefined) return;
  for (const attribute of current.schema.attributes.values()) {
    if (!requiredWithDefault(attribute) || !isContent(attribute)) continue;
    if (body.scalars.has(attribute.name) || (current.values.get(attribute.name) ?? null) !== null) continue;
    const initial = defaultOf(attribute);
    if (initial !== undefined) applied.values.set(attribute.name, initial);
  }
}
