/** The attributes of a project that lead to a type: those that links to its documents are stored for. */
import type { Attribute, ContentModel, ContentType, Schema, Uid } from '../../../model/content-model.ts';
import { isVisible } from '../../../model/visibility.ts';

export interface ReferencePath {
  readonly source: ContentType;
  /** From the source on, through components: each attribute with the schema that has it. */
  readonly steps: readonly Step[];
  /** The keys of a filter: `blocks`, `on`, `shared.media`, `file`. */
  readonly keys: readonly string[];
  /** False for relations to any type, which no filter passes through. */
  readonly canFilter: boolean;
}

export interface Step {
  readonly schema: Schema;
  readonly attribute: Attribute;
}

/** Components within components are followed up to this depth. */
const maxDepth = 5;

/** The paths of all types that have endpoints, in the order of the model. */
export function referencePaths(model: ContentModel, target: Uid): readonly ReferencePath[] {
  const found: ReferencePath[] = [];
  function walk(schema: Schema, source: ContentType, steps: readonly Step[], keys: readonly string[]): void {
    if (steps.length >= maxDepth) return;
    for (const attribute of schema.attributes.values()) {
      if (!isVisible(attribute)) continue;
      const to = { source, steps: [...steps, { schema, attribute }], keys: [...keys, attribute.name] };
      if (attribute.kind === 'component') descend(attribute.component, to);
      else if (attribute.kind === 'dynamiczone')
        for (const uid of attribute.components) descend(uid, { ...to, keys: [...to.keys, 'on', uid] });
      else if (ownsLinks(attribute, target)) found.push({ ...to, canFilter: attribute.kind === 'media' || !leadsToAny(attribute) });
    }
  }
  const descend = (uid: Uid, { source, steps, keys }: Omit<ReferencePath, 'canFilter'>) => {
    const component = model.components.get(uid);
    if (component !== undefined) walk(component, source, steps, keys);
  };
  for (const type of model.contentTypes.values()) if (type.routed) walk(type, type, [], []);
  return found;
}

const leadsToAny = (attribute: Attribute): boolean => attribute.kind === 'relation' && attribute.target === undefined;

/** Whether the attribute has links to the target, and not only shows those that the target has. */
function ownsLinks(attribute: Attribute, target: Uid): boolean {
  if (attribute.kind === 'media') return attribute.target === target;
  if (attribute.kind !== 'relation') return false;
  const { kind } = attribute.storage;
  if (leadsToAny(attribute)) return kind !== 'nowhere';
  return attribute.target === target && attribute.mappedBy === undefined && (kind === 'linkTable' || kind === 'ownColumn');
}
