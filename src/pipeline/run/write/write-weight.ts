import type { BodyEntry } from '../../parse/body/types.ts';
import type { WritePlan } from '../../plan/types.ts';

/** This many components and links weigh as much as a write without any. */
const perWrite = 100;

/** Estimates from its body how long a write takes; a write of a few values has the weight 1. */
export const weightOf = ({ body }: WritePlan): number => (body === undefined ? 1 : 1 + Math.floor(sizeOf(body) / perWrite));

interface WeighedWrite {
  readonly plan: WritePlan;
  readonly also?: readonly { readonly plan: WritePlan }[] | undefined;
}

interface WeighedJob extends WeighedWrite {
  readonly batch?: { readonly operations: readonly WeighedWrite[] } | undefined;
}

/** The weight of a write, or of all of a batch, and of those that their hooks add. */
export const weightOfJob = ({ batch, ...write }: WeighedJob): number =>
  (batch?.operations ?? [write]).reduce(
    (sum, { plan, also = [] }) => also.reduce((all, each) => all + weightOf(each.plan), sum + weightOf(plan)),
    0,
  );

/** Stands for all small writes whose row is not read afterwards. */
const unread = {};

/** Returns an object that stands for all writes that presumably take as long as this one. A large
 *  write stands for itself only. */
export const timedBy = (job: WeighedJob & { readonly read: object | undefined }): object =>
  weightOfJob(job) > 1 ? job.plan : (job.read ?? unread);

function sizeOf({ relations, components }: BodyEntry): number {
  let size = 0;
  for (const change of relations.values())
    size += change.kind === 'set' ? change.targets.length : change.connect.length + change.disconnect.length;
  for (const { items } of components.values()) for (const item of items) size += 1 + (item.kind === 'entry' ? sizeOf(item.entry) : 0);
  return size;
}
