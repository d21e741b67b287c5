/** Runs a write in its transaction: loads an entry, computes the wanted one, writes the changes. */
import type { Connection } from '../../../dialects/database.ts';
import type { Dialect } from '../../../dialects/dialect.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import { noWaitingTables, type WaitingTables } from '../../../schedule/waiting-tables.ts';
import { Rows } from '../../../sql/rows.ts';
import { run } from '../../../sql/run.ts';
import { sql } from '../../../sql/sql.ts';
import { Turns } from '../../../turns.ts';
import { noBody } from '../../body/apply-body.ts';
import { BodyProblems } from '../../body/body-problems.ts';
import { withOwnValues } from '../../body/with-own-values.ts';
import type { WriteAction } from '../../call.ts';
import type { WriteRestrictions } from '../../compile/types.ts';
import { rowKey, valueKey } from '../../data-keys.ts';
import type { DocumentRow } from '../../entry/entry.ts';
import type { WritePlan } from '../../plan/types.ts';
import { RestrictionChecks } from './check/check-restrictions.ts';
import { WrittenRowChecks } from './check/check-written-rows.ts';
import { createDocument } from './create.ts';
import { deleteDocument, unpublish } from './delete.ts';
import { discardDrafts } from './discard-draft.ts';
import { documentRows, type FoundDocument, findDocument, findTargets, singleDocumentId } from './load/find-document.ts';
import { LinkTargets } from './load/link-targets.ts';
import { publishDrafts } from './publish.ts';
import { updateDocument } from './update.ts';
import { documentLock } from './versions.ts';
import { withIncrements } from './with-increments.ts';
import type { WriteContext } from './write-context.ts';
import { WriteEvents } from './write-events.ts';
import { keepFormer, readFormer } from './write-history.ts';

export interface WriteExecution {
  readonly connection: Connection;
  readonly dialect: Dialect;
  readonly model: ContentModel;
  /** As `WriteContext.hasAwaitedLinks`. */
  readonly hasAwaitedLinks?: boolean;
  readonly waiting?: WaitingTables;
}

export interface ExecutedWrite {
  /** The row that the response shows; undefined when there is none. */
  readonly id: number | undefined;
  /** False for the deletion of what is not there. */
  readonly hasChanged: boolean;
}

/** Locks the documents of several writes before any of them, and what is locked beside them. A transaction that has written rows
 *  and then waits for a lock may wait for one that waits for its rows, a deadlock that MariaDB
 *  does not detect. */
export function lockDocuments(
  plans: readonly WritePlan[],
  { connection, dialect, model }: WriteExecution,
  besides: readonly string[] = [],
): void {
  const names = plans.flatMap((plan) => (plan.action === 'create' ? [] : documentLock(typeOf(plan, model), plan.documentId ?? '')));
  new Rows(connection, dialect).lock([...besides, ...names]);
}

export async function executeWrite(plan: WritePlan, restrictions: WriteRestrictions, execution: WriteExecution): Promise<ExecutedWrite> {
  const context = await inLocaleIfMade(contextOf(plan, typeOf(plan, execution.model), restrictions, execution));
  const id = await writeDocument(context);
  context.events.store(context);
  return { id, hasChanged: context.events.hasChanged };
}

/** Waits for the statements that were sent without waiting: one of them may fail. */
export async function settled(connection: Connection): Promise<void> {
  await run(connection, sql`SELECT 1`);
}

async function writeDocument(context: WriteContext): Promise<number | undefined> {
  const { plan } = context;
  const { body } = plan;
  if (plan.action === 'create') {
    if (plan.isRestored) await refuseExisting(context);
    if (body !== undefined) await findTargets(body, context);
    noteDocument(plan.newDocumentId, [], context);
    return createDocument(body, context);
  }
  const document = await findDocument(body, context);
  if (document.kind !== 'found') return withoutDocument(document.kind, context);
  const { documentId, existing } = document;
  noteDocument(documentId, existing, context);
  const former = await readFormer(existing, context);
  const id = await changeDocument({ documentId, existing, action: plan.action }, context);
  if (former !== undefined) keepFormer(former, context);
  return id;
}

interface FoundToChange {
  readonly documentId: string;
  readonly existing: readonly DocumentRow[];
  readonly action: Exclude<WriteAction, 'create'>;
}

async function changeDocument({ documentId, existing, action }: FoundToChange, context: WriteContext): Promise<number | undefined> {
  switch (action) {
    case 'update':
      return updateDocument(documentId, existing, context.plan.body, context);
    case 'delete':
      return deleteDocument(documentId, existing, context);
    case 'publish':
      return publishDrafts(existing, context);
    case 'unpublish':
      return unpublish(existing, context);
    case 'discardDraft':
      return discardDrafts(existing, context);
  }
}

/** Throws the error of a write with wrong values: a missing document, a missing target, or the
 *  wrong values. Takes no lock. */
export async function refuseWrite(
  { plan, refusal }: RefusedPlan,
  restrictions: WriteRestrictions,
  execution: WriteExecution,
): Promise<never> {
  const { connection, dialect, model } = execution;
  const context = await inLocaleIfMade(
    contextOf(plan, typeOf(plan, model), restrictions, { connection: withoutLocks(connection), dialect, model }),
  );
  if (plan.action === 'create') {
    if (plan.body !== undefined) await findTargets(plan.body, context);
    throw refusal;
  }
  const document = await findDocument(plan.body, context);
  if (document.kind !== 'found' && !isMadeByUpdate(document.kind, context)) refuseMissing(context);
  throw refusal;
}

const withoutLocks = (connection: Connection): Connection => ({
  dialect: connection.dialect,
  query: (text, parameters) => connection.query(text, parameters),
  send: (text, parameters) => connection.send(text, parameters),
  each: (text, parameters, each) => connection.each(text, parameters, each),
  lock: () => undefined,
  changes: () => undefined,
});

export interface RefusedPlan {
  readonly plan: WritePlan;
  readonly refusal: ApiError;
}

function typeOf({ uid }: WritePlan, model: ContentModel): ContentType {
  const type = model.contentTypes.get(uid);
  if (type === undefined) throw new Error(`there is no type ${uid}`);
  return type;
}

function contextOf(
  plan: WritePlan,
  type: ContentType,
  restrictions: WriteRestrictions,
  { connection, dialect, model, hasAwaitedLinks = false, waiting = noWaitingTables }: WriteExecution,
): WriteContext {
  const rows = new Rows(connection, dialect);
  const checks = new RestrictionChecks(restrictions, rows);
  return {
    plan,
    type,
    model,
    rows,
    targets: new LinkTargets(rows, model, plan.defaultLocale, checks),
    changes: [],
    restrictions: new WrittenRowChecks({ checks, type, rows, model }),
    problems: new BodyProblems(),
    turns: new Turns(),
    events: new WriteEvents(plan),
    hasAwaitedLinks,
    waiting,
  };
}

/** Returns the context in the body's locale, if that counts: the document of a single type is
 *  missing and will be made. Targets of its relations are then looked up in that locale. */
async function inLocaleIfMade(context: WriteContext): Promise<WriteContext> {
  const { plan, type, rows } = context;
  if (plan.localeIfMade === undefined || plan.ifMatch !== undefined) return context;
  rows.lock([documentLock(type, '')]);
  if ((await singleDocumentId(context)) !== undefined) return context;
  if ('refusal' in plan.localeIfMade) throw ApiError.fromData(plan.localeIfMade.refusal);
  return { ...context, plan: { ...plan, locale: { kind: 'one', code: plan.localeIfMade.code } } };
}

async function withoutDocument(why: Missing, context: WriteContext): Promise<number | undefined> {
  if (context.plan.action === 'delete') return undefined;
  if (!isMadeByUpdate(why, context)) refuseMissing(context);
  noteDocument(context.plan.newDocumentId, [], context);
  return createDocument(withIncrements(withOwnValues(context.plan.body ?? noBody, context.plan.own), undefined, context), context);
}

/** All versions of the document count as changed, as each may be shown with its other locales. */
function noteDocument(documentId: string, existing: readonly { readonly id: number }[], { type, rows, events }: WriteContext): void {
  const { table } = type;
  events.begin(documentId);
  rows.connection.changes([valueKey(table, 'document_id', documentId), ...existing.map(({ id }) => rowKey(table, id))], []);
}

type Missing = Exclude<FoundDocument['kind'], 'found'>;

const isMadeByUpdate = (why: Missing, { plan, type }: WriteContext): boolean =>
  plan.ifMatch === undefined && !hasSeen(plan) && plan.action === 'update' && type.kind === 'singleType' && why === 'missing';

/** Whether hooks have seen the document, which is gone now. */
const hasSeen = ({ seen }: WritePlan): boolean => seen !== undefined && seen.length > 0;

/** Somebody may have restored the document meanwhile. */
async function refuseExisting(context: WriteContext): Promise<void> {
  const { plan, type, rows } = context;
  rows.lock([documentLock(type, plan.newDocumentId)]);
  if ((await documentRows(plan.newDocumentId, context)).length > 0) throw ApiError.of('document.changed');
}

function refuseMissing({ plan }: WriteContext): never {
  if (hasSeen(plan)) throw ApiError.of('hook.outdated');
  throw ApiError.of(plan.ifMatch === undefined ? 'document.not-found' : 'document.changed');
}
