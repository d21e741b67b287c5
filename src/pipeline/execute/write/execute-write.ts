/** A write, inside its transaction: what is stored is loaded, what is wanted is made of it, and the difference is written. */
import type { Connection, Dialect } from '../../../dialects/dialect.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import { Rows } from '../../../sql/rows.ts';
import type { WriteRestrictions } from '../../compile/types.ts';
import type { WritePlan } from '../../plan/types.ts';
import { refuseList } from './apply.ts';
import { Problems } from './body/body-problems.ts';
import { RestrictionChecks } from './check/check-restrictions.ts';
import { WrittenRowChecks } from './check/check-written-rows.ts';
import { createDocument } from './create.ts';
import { deleteDocument } from './delete.ts';
import { Changes } from './difference/changes.ts';
import { discardDrafts } from './discard-draft.ts';
import { Targets } from './entry/link-targets.ts';
import { type FoundDocument, findDocument, findTargets } from './find-document.ts';
import { publishDrafts } from './publish.ts';
import { unpublish } from './unpublish.ts';
import { updateDocument } from './update.ts';
import type { WriteContext } from './write-context.ts';
import { Rests } from './yield-to-others.ts';

export interface WriteExecution {
  readonly connection: Connection;
  readonly dialect: Dialect;
  readonly model: ContentModel;
}

/** The row to be answered; undefined when there is nothing to show. */
export async function executeWrite(
  plan: WritePlan,
  restrictions: WriteRestrictions,
  execution: WriteExecution,
): Promise<number | undefined> {
  const type = execution.model.contentTypes.get(plan.uid);
  if (type === undefined) throw new Error(`there is no type ${plan.uid}`);
  const context = contextOf(plan, type, restrictions, execution);
  const body = plan.data?.kind === 'entry' ? plan.data.entry : undefined;
  if (plan.action === 'create') {
    if (body !== undefined) await findTargets(body, context);
    refuseList(plan.data, context);
    return createDocument(body, context);
  }
  const document = await findDocument(body, context);
  if (document.kind !== 'found') return withoutDocument(document.kind, context);
  const { documentId, existing } = document;
  switch (plan.action) {
    case 'update':
      refuseList(plan.data, context);
      return updateDocument(documentId, existing, body, context);
    case 'delete':
      return deleteDocument(existing, context);
    case 'publish':
      return publishDrafts(existing, context);
    case 'unpublish':
      return unpublish(existing, context);
    case 'discardDraft':
      return discardDrafts(existing, context);
  }
}

function contextOf(
  plan: WritePlan,
  type: ContentType,
  restrictions: WriteRestrictions,
  { connection, dialect, model }: WriteExecution,
): WriteContext {
  const rows = new Rows(connection, dialect);
  const checks = new RestrictionChecks(restrictions, rows);
  return {
    plan,
    type,
    model,
    rows,
    targets: new Targets(rows, model, plan.defaultLocale, checks),
    changes: new Changes(rows, model),
    restrictions: new WrittenRowChecks({ checks, type, rows, model }),
    problems: new Problems(),
    rests: new Rests(),
  };
}

async function withoutDocument(why: Exclude<FoundDocument['kind'], 'found'>, context: WriteContext): Promise<number | undefined> {
  const { plan, type } = context;
  if (plan.ifMatch !== undefined && plan.action !== 'delete') throw ApiError.of('document.changed', undefined);
  if (plan.action === 'delete') return undefined;
  if (plan.action === 'update' && type.kind === 'singleType' && why === 'missing') {
    refuseList(plan.data, context);
    return createDocument(plan.data?.kind === 'entry' ? plan.data.entry : undefined, context);
  }
  throw ApiError.of('document.not-found', undefined);
}
