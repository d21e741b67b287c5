/** What a body names. */
import type { BodyEntry, RelationChange, Target } from '../parse/body/types.ts';

/** Yields an object of a body, and the components in it at any depth. */
export function* objectsOf(entry: BodyEntry): Generator<BodyEntry> {
  yield entry;
  for (const { items } of entry.components.values()) for (const item of items) if (item.kind === 'entry') yield* objectsOf(item.entry);
}

export interface LocatedObject {
  readonly object: BodyEntry;
  readonly path: readonly string[];
}

/** Like `objectsOf`, with the path of each: `['boxes', '0']`. Only for errors: paths take time. */
export function* locatedObjects(object: BodyEntry, path: readonly string[] = []): Generator<LocatedObject> {
  yield { object, path };
  for (const [name, { value, items }] of object.components) {
    for (const [index, item] of items.entries()) {
      if (item.kind === 'entry') yield* locatedObjects(item.entry, [...path, name, ...(Array.isArray(value) ? [String(index)] : [])]);
    }
  }
}

/** Returns the targets that a change links. */
export const linkedTargets = (change: RelationChange): readonly Target[] =>
  change.kind === 'set' ? change.targets : change.connect.map(({ target }) => target);

/** Whether the caller's right names the target, not the body. A missing one is not linked, so that
 *  the row is outside of the right. */
export const isOwn = (target: Target): boolean => target.by !== 'unreadable' && target.isOwn === true;

/** Returns every document that a change names, anchors included. */
export const namedTargets = (change: RelationChange): readonly Target[] =>
  change.kind === 'set'
    ? change.targets
    : [
        ...change.connect.flatMap(({ target, position }) => ('anchor' in position ? [target, position.anchor] : [target])),
        ...change.disconnect,
      ];
