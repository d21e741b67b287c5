/** Applies a body to the stored entry and returns the wanted entry: a new entry has every
 *  attribute, a changed one only those that change. Needs no database: `plan` finds a body's
 *  problems with it, `execute` the entry to store. */
import type { Attribute } from '../../model/content-model.ts';
import { type Entry, emptyEntry, isComponentsAttribute, isContent, isLinkAttribute } from '../entry/entry.ts';
import type { BodyEntry } from '../parse/body/types.ts';
import { applyComponents } from './apply-components.ts';
import { applyLinks } from './apply-links.ts';
import { applyValue } from './apply-value.ts';
import { MissingTargets } from './missing-targets.ts';
import type { BodyContext, BodyObject, ObjectContext } from './types.ts';

/** The body of a new document if the request names no attribute. */
export const noBody: BodyEntry = { uid: '', id: undefined, scalars: new Map(), relations: new Map(), components: new Map() };

/** Returns the wanted entry. The context collects problems, in the order of the attributes.
 *
 *  body `{ title: 'b', stars: 'x' }`, current `{ id: 4, values: { title: 'a', stars: 3 } }`
 *  → `{ id: 4, values: { title: 'b', stars: null } }`, and the problem: `stars` is not a number */
export function applyBody(body: BodyEntry, current: Entry | undefined, copied: Entry | undefined, context: BodyContext): Entry {
  const mode = current === undefined ? 'creation' : 'update';
  const missing = new MissingTargets();
  const entry = applyObject(context.type, { body, current, copied, path: [], mode }, { ...context, missing, applyObject });
  missing.report(context.problems);
  return entry;
}

function applyObject(schema: Entry['schema'], object: BodyObject, context: ObjectContext): Entry {
  const entry = emptyEntry(schema, object.current?.id);
  for (const attribute of schema.attributes.values()) {
    if (!isContent(attribute)) continue;
    const { name } = attribute;
    const path = [...object.path, name];
    if (attribute.kind === 'scalar') {
      const value = applyValue(attribute, object, path, context);
      if (value !== undefined) entry.values.set(name, value);
    } else if (isLinkAttribute(attribute)) {
      const links = applyLinks(attribute, object, path, context);
      if (links !== undefined) entry.links.set(name, links);
    } else if (isComponentsAttribute(attribute)) {
      const components = applyComponents(attribute, object, path, context);
      if (components !== undefined) entry.components.set(name, components);
    }
  }
  return entry;
}

/** Whether a PUT with the whole entry must name the attribute. */
const isFullBodyAttribute = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar' && !attribute.system && attribute.writable && !attribute.private;

/** Adds a problem for each field that a PUT omits, of those in `writable` (undefined: of all). */
export function requireEveryField(body: BodyEntry, writable: ReadonlySet<string> | undefined, { type, problems }: BodyContext): void {
  const explanation = 'a PUT names every field, null clears one, and PATCH changes only some (policies.partialPut)';
  for (const attribute of type.attributes.values()) {
    if (!isFullBodyAttribute(attribute) || body.scalars.has(attribute.name)) continue;
    if (writable?.has(attribute.name) === false) continue;
    problems.add([attribute.name], `${attribute.name} is missing: ${explanation}`);
    problems.explain(explanation);
  }
}
