/** Writes the rows of documents: a draft row and a published row for each locale. */
import type { SqlValue } from '../dialects/dialect.ts';
import type { Attribute, ContentModel, ContentType } from '../model/content-model.ts';
import type { Inserts } from '../sql/inserts.ts';
import { ContentError, type SeedData, type SeedDocument, type SeedDocuments, type SeedVersion } from './content.ts';
import type { Owner, RowIndex, RowStatus } from './row-index.ts';
import { scalarColumns } from './scalar-columns.ts';
import { documentIdOf } from './stable-document-id.ts';

/** The time of content that has none. It is fixed, so that two runs create equal databases. */
const someTime = '2024-01-01T08:00:00.000Z';

interface InsertContext {
  readonly model: ContentModel;
  readonly defaultLocale: string;
  /** The codes of all locales. */
  readonly locales: ReadonlySet<string>;
  readonly inserts: Inserts;
  readonly index: RowIndex;
  /** Called between two statements; what it throws ends the work. */
  readonly goOn: () => Promise<void>;
}

const rowsAtOnce = 2000;

/** Returns the written rows, in order. */
export async function insertDocuments(
  { type, documents }: SeedDocuments,
  { model, defaultLocale, locales, inserts, index, goOn }: InsertContext,
): Promise<Owner[]> {
  const contentType = model.contentTypes.get(type);
  if (contentType === undefined) throw new ContentError(type, 'there is no such content type in the project');
  const scalars = scalarColumns(contentType);
  const rows: SqlValue[][] = [];
  const owners: { readonly key: string; readonly row: Omit<Owner, 'id'> }[] = [];

  const keys = new Set<string>();
  for (const document of documents) {
    if (keys.has(document.key)) throw new ContentError(`${type} ${document.key}`, 'another document of this type has the same key');
    keys.add(document.key);
    const documentId = document.documentId ?? documentIdOf(type, document.key);
    for (const version of versionsOf(document, contentType)) {
      const locale = contentType.localized ? (version.locale ?? defaultLocale) : null;
      const path = `${type} ${document.key}${locale === null ? '' : ` (${locale})`}`;
      if (locale !== null && !locales.has(locale)) throw new ContentError(path, `there is no locale "${locale}"; locales.json adds some`);
      for (const { status, data } of rowsOf(version, contentType)) {
        const createdAt = version.createdAt ?? document.createdAt ?? someTime;
        const saidAt = version.updatedAt ?? document.updatedAt ?? createdAt;
        // A draft that differs was edited after it was published.
        const updatedAt = status === 'draft' && version.draft !== undefined ? dayAfter(saidAt) : saidAt;
        const publishedAt = status === 'draft' ? null : (version.publishedAt ?? document.publishedAt ?? updatedAt);
        rows.push(scalars.values(data, { documentId, createdAt, updatedAt, publishedAt, locale }, path));
        owners.push({ key: document.key, row: { schema: contentType, status, locale, data, path } });
      }
    }
  }

  const ids: number[] = [];
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    ids.push(...(await inserts.returningIds(contentType.table, scalars.columns, rows.slice(start, start + rowsAtOnce))));
    await goOn();
  }
  return owners.map(({ key, row }, position) => {
    const owner = { ...row, id: ids[position] ?? 0 };
    index.add({ type, key, locale: owner.locale, status: owner.status, id: owner.id });
    return owner;
  });
}

const dayAfter = (moment: string) => new Date(Date.parse(moment) + 24 * 60 * 60 * 1000).toISOString();

/** The versions of a document; translations get the values of attributes that are not localized. */
function versionsOf(document: SeedDocument, type: ContentType): SeedVersion[] {
  const shared = Object.entries(document.data).filter(([name]) => isShared(type.attributes.get(name)));
  const translations = (document.translations ?? []).map((version) => ({
    ...version,
    data: { ...Object.fromEntries(shared), ...version.data },
  }));
  return [document, ...translations];
}

/** Relations and uids differ between locales whatever the schema says. */
function isShared(attribute: Attribute | undefined): boolean {
  if (attribute === undefined || attribute.localized || attribute.kind === 'relation') return false;
  return !(attribute.kind === 'scalar' && attribute.type === 'uid');
}

function rowsOf(version: SeedVersion, type: ContentType): { status: RowStatus; data: SeedData }[] {
  if (!type.draftAndPublish) return [{ status: 'single', data: version.data }];
  const draft = { status: 'draft' as const, data: version.draft === undefined ? version.data : { ...version.data, ...version.draft } };
  return version.status === 'draft' ? [draft] : [draft, { status: 'published', data: version.data }];
}
