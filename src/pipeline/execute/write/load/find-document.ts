/** The first step of a write: takes locks, and looks up the document and the body's targets. */
import { ApiError } from '../../../../errors/api-error.ts';
import { takesOver } from '../../../../model/relation-sides.ts';
import { allDone } from '../../../../sql/all-done.ts';
import { sql } from '../../../../sql/sql.ts';
import { rowVersion } from '../../../../text/row-version.ts';
import { linkedTargets } from '../../../body/body-targets.ts';
import { withOwnValues } from '../../../body/with-own-values.ts';
import type { DocumentRow } from '../../../entry/entry.ts';
import type { BodyEntry } from '../../../parse/body/types.ts';
import { concernedRows, documentLock, linkSource, writtenLocale } from '../versions.ts';
import type { WriteContext } from '../write-context.ts';

export type FoundDocument =
  | { readonly kind: 'found'; readonly documentId: string; readonly existing: readonly DocumentRow[] }
  | { readonly kind: 'missing' }
  /** The document exists, but the restriction of the caller's right excludes it. */
  | { readonly kind: 'out of reach' };

/** Locks and looks up the document. Throws for missing targets and another `If-Match` version. */
export async function findDocument(sent: BodyEntry | undefined, context: WriteContext): Promise<FoundDocument> {
  const { plan, type, rows, restrictions } = context;
  // Whether the update makes a row, which links to these targets, is not known yet.
  const body = sent === undefined ? undefined : withOwnValues(sent, plan.own);
  rows.lock([documentLock(type, plan.documentId ?? ''), ...locksOfTaken(body, 'documentId', context)]);
  // As recorded from Strapi, a missing target is reported before a missing document.
  const [, { documentId, existing }] = await allDone([
    body === undefined ? undefined : readTargets(body, context),
    storedDocument(context),
  ]);
  if (documentId === undefined || existing.length === 0) return { kind: 'missing' };
  // The caller must reach the versions in the request's locales; for a new locale, all versions.
  const concerned = concernedRows(existing, context);
  if (!(await restrictions.mayReach(concerned.length === 0 ? existing : concerned))) return { kind: 'out of reach' };
  refuseOtherVersion(concerned, context);
  refuseUnseen(concerned, context);
  return { kind: 'found', documentId, existing };
}

/** Locks and looks up the targets that the body of a new document names. */
export async function findTargets(body: BodyEntry, context: WriteContext): Promise<void> {
  context.rows.lock(locksOfTaken(body, 'documentId', context));
  await readTargets(body, context);
}

async function readTargets(body: BodyEntry, context: WriteContext): Promise<void> {
  await context.targets.read(body, linkSource(context.type, writtenLocale(context), 'draft'));
  context.rows.lock(locksOfTaken(body, 'id', context));
}

/** Returns locks for documents that a body takes from their sources: others may change these links
 *  from the other side. */
function locksOfTaken(body: BodyEntry | undefined, by: 'documentId' | 'id', { type, model, targets }: WriteContext): string[] {
  return [...(body?.relations ?? [])].flatMap(([name, change]) => {
    const attribute = type.attributes.get(name);
    const target = attribute?.kind === 'relation' && takesOver(attribute) ? attribute.target : undefined;
    const targetType = target === undefined ? undefined : model.contentTypes.get(target);
    if (targetType === undefined) return [];
    return linkedTargets(change).flatMap((each) => (each.by === by ? documentLock(targetType, targets.documentIdOf(each) ?? '') : []));
  });
}

async function storedDocument(context: WriteContext) {
  const documentId = context.plan.documentId ?? (await singleDocumentId(context));
  return { documentId, existing: documentId === undefined ? [] : await documentRows(documentId, context) };
}

/** Returns the documentId of a single type; undefined if it has no document. */
export async function singleDocumentId({ rows, type }: WriteContext): Promise<string | undefined> {
  const [row] = await rows.run(sql`SELECT document_id FROM ${sql.id(type.table)} ORDER BY id LIMIT 1`);
  return row === undefined ? undefined : String(row[0]);
}

export async function documentRows(documentId: string, { rows, type }: Pick<WriteContext, 'rows' | 'type'>): Promise<DocumentRow[]> {
  // No documentId contains a NUL, and PostgreSQL does not accept one in a parameter.
  if (documentId.includes('\0')) return [];
  const times = sql.join(['created_at', 'updated_at'].map((name) => sql.read(sql.id('r', name), 'datetime')));
  const isDocument = sql.equals(sql`r.document_id`, sql.value(documentId, 'string'), 'string', 'names');
  const found = await rows.run(
    sql`SELECT r.id, r.locale, CASE WHEN r.published_at IS NULL THEN 0 ELSE 1 END, ${times} FROM ${sql.id(type.table)} AS r WHERE ${isDocument} ORDER BY r.id`,
  );
  return found.map(([id, locale, published, createdAt, updatedAt]) => ({
    id: Number(id),
    documentId,
    locale: type.localized && locale !== null ? String(locale) : null,
    published: Number(published) === 1,
    createdAt: milliseconds(createdAt),
    updatedAt: milliseconds(updatedAt),
  }));
}

function refuseOtherVersion(concerned: readonly DocumentRow[], { plan: { ifMatch } }: WriteContext): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  if (!concerned.some((row) => ifMatch.includes(rowVersion(row.id, row.updatedAt)))) throw ApiError.of('document.changed', undefined);
}

/** Hooks decide by what they have seen, so whatever else is stored by now has to pass them again. */
function refuseUnseen(concerned: readonly DocumentRow[], { plan: { seen } }: WriteContext): void {
  if (seen === undefined) return;
  const versions = new Set(concerned.map((row) => rowVersion(row.id, row.updatedAt)));
  const isSeen = new Set(concerned.map(({ locale }) => locale)).size === seen.length && seen.every((version) => versions.has(version));
  if (!isSeen) throw ApiError.of('hook.outdated', undefined);
}

const milliseconds = (value: unknown): number | null =>
  value === null || value === undefined || Number.isNaN(Number(value)) ? null : Number(value);
