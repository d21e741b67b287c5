/** The rows of a document by locale and status, and which of them a write concerns. */
import type { ContentType } from '../../../model/content-model.ts';
import type { Cell } from '../../../sql/rows.ts';
import type { DocumentRow, LinkSource } from '../../entry/entry.ts';
import type { WritePlan } from '../../plan/types.ts';
import type { WriteContext } from './write-context.ts';

/** One locale of a document, as it is stored. */
export interface Version {
  readonly locale: string | null;
  /** For a type without drafts, its only row. */
  readonly draft: DocumentRow | undefined;
  readonly published: DocumentRow | undefined;
}

type Write = Pick<WriteContext, 'plan' | 'type'>;

/** Returns the locale that a body is written in; null for types without locales. */
export function writtenLocale({ plan: { locale, defaultLocale }, type }: Write): string | null {
  if (!type.localized) return null;
  return locale.kind === 'one' ? locale.code : (defaultLocale ?? null);
}

/** Returns the name of the lock that writers of one document take. */
export const documentLock = ({ kind, table }: ContentType, documentId: string): string =>
  `document ${table} ${kind === 'singleType' ? '' : documentId}`;

/** Returns the source of links for a row of the type. */
export const linkSource = (type: ContentType, locale: string | null, status: 'draft' | 'published'): LinkSource => ({
  type,
  locale,
  status: type.draftAndPublish ? status : undefined,
});

/** The rows in the request's locales. `locale=de` of a document in `de` and `en` → its draft and
 *  its published row in `de`. */
export function concernedRows(existing: readonly DocumentRow[], { plan: { locale }, type }: Write): readonly DocumentRow[] {
  if (!type.localized || locale.kind === 'all') return existing;
  const codes: readonly (string | null)[] = locale.kind === 'one' ? [locale.code] : locale.codes;
  return existing.filter((row) => codes.includes(row.locale));
}

/** Returns the same rows by locale, in the order in which the locales were created. */
export function concernedVersions(existing: readonly DocumentRow[], write: Write): Version[] {
  const concerned = concernedRows(existing, write);
  return [...new Set(concerned.map(({ locale }) => locale))].map((locale) => versionIn(concerned, locale, write.type));
}

/** Returns the draft and the published row of one locale; a new locale has neither. */
export function versionIn(existing: readonly DocumentRow[], locale: string | null, type: ContentType): Version {
  const inLocale = existing.filter((row) => row.locale === locale);
  if (!type.draftAndPublish) return { locale, draft: inLocale[0], published: undefined };
  return { locale, draft: inLocale.find(({ published }) => !published), published: inLocale.find(({ published }) => published) };
}

/** The write's time (milliseconds), later than every earlier change, even in one millisecond. */
export const momentOf = (existing: readonly DocumentRow[], plan: WritePlan): number =>
  Math.max(plan.now, ...existing.map(({ updatedAt }) => (updatedAt ?? 0) + 1));

export const moment = (name: string, value: number): Cell => ({ name, type: 'datetime', value });

/** Returns the columns that identify the document and locale of a new row. */
export const identityCells = (documentId: string, locale: string | null, createdAt: number): Cell[] => [
  { name: 'document_id', type: 'string', value: documentId },
  moment('created_at', createdAt),
  { name: 'locale', type: 'string', value: locale },
];
