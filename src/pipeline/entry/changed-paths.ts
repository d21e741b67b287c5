/** Which attributes of an entry a write changes, as events name them. */
import { byJoin, type Entry, isComponentsAttribute, isLinkAttribute, type OwnedComponent, sameTargets } from './entry.ts';

/** Returns the attributes that differ from the stored entry, or that a new entry has, in the order of
 *  the schema. Those of a single component have a path: `seo.metaTitle`; lists of components and
 *  dynamic zones count as one. */
export function changedPaths(wanted: Entry, current: Entry | undefined): readonly string[] {
  const paths: string[] = [];
  // An attribute that `wanted` lacks is null in a new row, and unchanged in a stored one.
  const isNew = wanted.id === undefined;
  for (const attribute of wanted.schema.attributes.values()) {
    const { name } = attribute;
    if (attribute.kind === 'scalar') {
      const value = wanted.values.get(name) ?? (isNew || wanted.values.has(name) ? null : undefined);
      if (value !== undefined && value !== (current?.values.get(name) ?? null)) paths.push(name);
    } else if (isLinkAttribute(attribute)) {
      const links = wanted.links.get(name) ?? (isNew ? [] : undefined);
      if (links !== undefined && !sameTargets(links, current?.links.get(name) ?? [])) paths.push(name);
    } else if (isComponentsAttribute(attribute)) {
      const components = wanted.components.get(name) ?? (isNew ? [] : undefined);
      if (components === undefined) continue;
      const stored = current?.components.get(name) ?? [];
      const [one, former] = [components[0]?.entry, stored[0]?.entry];
      const isSingle = attribute.kind === 'component' && attribute.cardinality === 'one';
      if (isSingle && one !== undefined && former !== undefined) paths.push(...changedPaths(one, former).map((path) => `${name}.${path}`));
      else if (!sameComponents(components, stored)) paths.push(name);
    }
  }
  return paths;
}

/** Components that stay keep their rows. */
function sameComponents(wanted: readonly OwnedComponent[], current: readonly OwnedComponent[]): boolean {
  if (wanted.length !== current.length) return false;
  const stored = byJoin(current);
  return wanted.every(({ entry, join }, index) => {
    if (join === undefined || join.id !== current[index]?.join?.id) return false;
    return changedPaths(entry, stored.get(join.id)?.entry).length === 0;
  });
}
