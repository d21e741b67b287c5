import { defaultOf } from '../../../model/attributes/default-of.ts';
import type { BodyEntry } from '../../parse/body/types.ts';
import { type Entry, isContent } from './entry.ts';

/** An attribute may have become required after an entry was made: where the body omits it and the entry has no value, it gets its default before
 *  publishing. */
export function fillDefaults(applied: Entry, body: BodyEntry, current: Entry | undefined): void {
  if (current === undefined) return;
  for (const attribute of current.schema.attributes.values()) {
    if (attribute.kind !== 'scalar' || !isContent(attribute) || !attribute.required || attribute.type === 'password') continue;
    if (body.scalars.has(attribute.name) || (current.values.get(attribute.name) ?? null) !== null) continue;
    const initial = defaultOf(attribute);
    if (initial !== undefined) applied.values.set(attribute.name, initial);
  }
}
