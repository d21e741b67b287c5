/** Applies a body to a stored entry, or to none, and collects the body's problems. */
import { applyBody } from '../../body/apply-body.ts';
import { addPublishProblems } from '../../body/check-published.ts';
import type { BodyContext } from '../../body/types.ts';
import { merged } from '../../entry/copy-entry.ts';
import type { Entry } from '../../entry/entry.ts';
import type { BodyEntry } from '../../parse/body/types.ts';
import { linkSource, writtenLocale } from './versions.ts';
import type { WriteContext } from './write-context.ts';

export const isPublishing = ({ type, plan }: Pick<WriteContext, 'type' | 'plan'>): boolean =>
  type.draftAndPublish && plan.status === 'published';

/** Returns the wanted entry. Problems are collected, not thrown. */
export const applyToEntry = (body: BodyEntry, current: Entry | undefined, copied: Entry | undefined, context: WriteContext): Entry =>
  applyBody(body, current, copied, bodyContextOf(context));

export function bodyContextOf(context: WriteContext): BodyContext {
  const { model, type, targets, plan, problems } = context;
  return {
    model,
    type,
    targets,
    source: linkSource(type, writtenLocale(context), 'draft'),
    rules: plan.rules,
    strict: !type.draftAndPublish,
    hashes: plan.hashes,
    problems,
  };
}

/** Throws the problems that were found, together with those of publishing. */
export function refuseProblems(changed: Entry, current: Entry | undefined, context: WriteContext): void {
  const { plan, type, problems } = context;
  const mergedEntry = () => (current === undefined ? changed : merged(current, changed));
  if (!problems.none && isPublishing(context)) addPublishProblems(mergedEntry(), { rules: plan.rules, problems });
  // In types without drafts, `refuseTaken` reports these problems with repeated unique values.
  if (type.draftAndPublish) problems.throwIfAny();
}
