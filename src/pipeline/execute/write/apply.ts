/** A body applied to a stored entry, or to none, and what is wrong with it. */
import { wrongType } from '../../../model/attributes/cast.ts';
import type { BodyData, BodyEntry } from '../../parse/body/types.ts';
import { BodyApplier } from './body/apply-body.ts';
import { Problems } from './body/body-problems.ts';
import { checkPublished } from './check/check-published.ts';
import { merged } from './entry/copy-entry.ts';
import type { Entry } from './entry/entry.ts';
import { linkSource, writtenLocale } from './versions.ts';
import type { WriteContext } from './write-context.ts';

export const isPublishing = ({ type, plan }: Pick<WriteContext, 'type' | 'plan'>): boolean =>
  type.draftAndPublish && plan.status === 'published';

export function refuseList(data: BodyData | undefined, { problems }: WriteContext): void {
  if (data?.kind !== 'list') return;
  problems.addValue([], wrongType('object', null, data.value));
  problems.throwIfAny();
}

/** The wanted entry. Problems are collected, not thrown. */
export function applyToEntry(body: BodyEntry, current: Entry | undefined, copied: Entry | undefined, context: WriteContext): Entry {
  const { model, type, targets, plan, problems } = context;
  const applier = new BodyApplier({
    model,
    targets,
    source: linkSource(type, writtenLocale(context), 'draft'),
    rules: plan.rules,
    strict: !type.draftAndPublish,
    hashes: plan.hashes,
    problems,
  });
  return applier.document(body, type, current, copied);
}

/** What keeps a body from being published is reported together with what keeps it from being a draft. Strapi reports one after the other. */
export function refuseProblems(changed: Entry, current: Entry | undefined, context: WriteContext): void {
  const { plan, type, problems } = context;
  if (!problems.none && isPublishing(context) && plan.rules.enforceSchema) {
    const further = new Problems();
    checkPublished(current === undefined ? changed : merged(current, changed), plan.rules, further);
    problems.addFurther(further);
  }
  // Without drafts, what must be unique is reported together with everything else.
  if (type.draftAndPublish) problems.throwIfAny();
}
