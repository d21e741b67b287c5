import type { BodyEntry } from '../../parse/body/types.ts';
import type { WritePlan } from '../../plan/types.ts';

/** Components and links that weigh as much as a write without any. */
const perWrite = 100;

/** How long a write may take, in writes of a few values, as far as its body tells. */
export const weightOf = ({ body }: WritePlan): number => (body === undefined ? 1 : 1 + Math.floor(sizeOf(body) / perWrite));

/** All writes that are not read afterwards. */
const unread = {};

/** Stands for all writes that take as long as this one, as far as is known: only for itself where it is large. */
export const timedBy = ({ plan, read }: { readonly plan: WritePlan; readonly read: object | undefined }): object =>
  weightOf(plan) > 1 ? plan : (read ?? unread);

function sizeOf({ relations, components }: BodyEntry): number {
  let size = 0;
  for (const change of relations.values())
    size += change.kind === 'set' ? change.targets.length : change.connect.length + change.disconnect.length;
  for (const { items } of components.values()) for (const item of items) size += 1 + (item.kind === 'entry' ? sizeOf(item.entry) : 0);
  return size;
}
