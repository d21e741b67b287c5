/** Looks up the rows that links lead to, by the documentIds and row ids that a body names. */
import { ApiError } from '../../../../errors/api-error.ts';
import { fileUid } from '../../../../model/built-in-types.ts';
import type { ContentModel, Uid } from '../../../../model/content-model.ts';
import { allDone } from '../../../../sql/all-done.ts';
import type { Rows } from '../../../../sql/rows.ts';
import { type Sql, sql } from '../../../../sql/sql.ts';
import { writtenPath } from '../../../body/body-problems.ts';
import { isOwn, namedTargets, objectsOf } from '../../../body/body-targets.ts';
import type { TargetDocument, TargetLookup } from '../../../body/types.ts';
import type { LinkSource, TargetRow } from '../../../entry/entry.ts';
import type { BodyEntry, Target } from '../../../parse/body/types.ts';
import type { RestrictionChecks } from '../check/check-restrictions.ts';
import { targetRow, versionColumns } from './target-rows.ts';

export class LinkTargets implements TargetLookup {
  readonly #rows: Rows;
  readonly #model: ContentModel;
  readonly #defaultLocale: string;
  readonly #checks: RestrictionChecks;
  /** For each type with a restriction, the documents that the body may link to. */
  readonly #linkable = new Map<Uid, Set<string>>();
  readonly #documents = new Map<Uid, Map<string, TargetRow[]>>();
  readonly #byId = new Map<Uid, Map<number, TargetRow>>();

  constructor(rows: Rows, model: ContentModel, defaultLocale: string, checks: RestrictionChecks) {
    this.#checks = checks;
    this.#rows = rows;
    this.#model = model;
    this.#defaultLocale = defaultLocale;
  }

  /** Reads all targets that a body names. Throws for a documentId that is not in the locale and
   *  status that the source links to. */
  async read(entry: BodyEntry, source: LinkSource): Promise<void> {
    const named = [...objectsOf(entry)].flatMap(({ relations }) => [...relations.values()].flatMap(namedTargets));
    const documents = new Map<Uid, Set<string>>();
    const ids = new Map<Uid, Set<number>>();
    for (const target of named) {
      if (target.by === 'documentId') add(documents, target.type, target.documentId);
      else if (target.by === 'id' && target.id > 0) add(ids, target.type, target.id);
    }
    await allDone([
      ...[...documents].map(([uid, list]) => this.readDocuments(uid, [...list])),
      ...[...ids].map(([uid, list]) => this.#readByIds(uid, [...list])),
    ]);
    await allDone([...new Set([...documents.keys(), ...ids.keys()])].map((uid) => this.#readLinkable(uid)));
    for (const target of named) {
      if (target.by === 'documentId' && !isOwn(target) && this.find(target, source) === undefined) {
        const locale = this.#localeOf(target.type, target.locale, source);
        const at = { documentId: target.documentId.slice(0, 200), locale: locale ?? 'null' };
        const path = pathTo(target, entry) ?? [];
        throw ApiError.of('relation.not-found', { ...at, type: target.type, path: writtenPath(path) }).locatedAt(path);
      }
    }
  }

  /** Reads which targets the restrictions allow. A document without a version that the caller may
   *  find counts as missing. */
  async #readLinkable(uid: Uid): Promise<void> {
    if (!this.#checks.restrictsTargets(uid)) return;
    const drafts = this.#model.contentTypes.get(uid)?.draftAndPublish === true;
    const rows = [...(this.#byId.get(uid)?.values() ?? [])];
    const within = await this.#checks.linkable(
      uid,
      rows.map(({ id, published }) => ({ id, published: published || !drafts })),
    );
    this.#linkable.set(uid, new Set(rows.filter(({ id }) => within.has(id)).map(identityOf)));
  }

  #isLinkable(row: TargetRow): boolean {
    return this.#linkable.get(row.uid)?.has(identityOf(row)) !== false;
  }

  async readDocuments(uid: Uid, documentIds: readonly string[]): Promise<void> {
    const type = this.#model.contentTypes.get(uid);
    const known = this.#known(uid);
    const wanted = [...new Set(documentIds)].filter((documentId) => !known.has(documentId));
    if (type === undefined || wanted.length === 0) return;
    const isWanted = sql.isOneOf(sql`t.document_id`, wanted, 'wanted');
    const found = await this.#rows.run(sql`SELECT ${selected(uid)} FROM ${sql.id(type.table)} AS t WHERE ${isWanted} ORDER BY t.id`);
    for (const documentId of wanted) known.set(documentId, []);
    for (const row of found) this.#cache(uid, row);
  }

  /** Reads the rows with these ids and the other rows of their documents. */
  async #readByIds(uid: Uid, ids: readonly number[]): Promise<void> {
    const type = this.#model.contentTypes.get(uid);
    if (type === undefined) return;
    const table = sql.id(type.table);
    const isWanted = (column: Sql) => sql.isOneOf(column, ids, 'wanted');
    const sameDocuments = sql`SELECT o.document_id FROM ${table} AS o WHERE ${isWanted(sql`o.id`)}`;
    const found = await this.#rows.run(
      sql`SELECT ${selected(uid)} FROM ${table} AS t WHERE ${isWanted(sql`t.id`)} OR t.document_id IN (${sameDocuments}) ORDER BY t.id`,
    );
    const known = this.#known(uid);
    for (const row of found) known.delete(String(row[1]));
    for (const row of found) this.#cache(uid, row);
  }

  #cache(uid: Uid, [id, documentId, locale, published, mime]: readonly unknown[]): void {
    this.add({ ...targetRow(uid, id, [documentId, locale, published]), ...(typeof mime === 'string' ? { mime } : {}) });
  }

  /** Adds a row that is known without being read, or that will exist when links are written. */
  add(row: TargetRow): void {
    const ids = this.#byId.get(row.uid) ?? new Map<number, TargetRow>();
    this.#byId.set(row.uid, ids);
    if (row.id > 0) ids.set(row.id, row);
    if (row.documentId === null) return;
    const known = this.#known(row.uid);
    const versions = known.get(row.documentId);
    if (versions === undefined) known.set(row.documentId, [row]);
    else versions.push(row);
  }

  /** The document is to be read again. */
  forget(uid: Uid, documentId: string): void {
    this.#documents.get(uid)?.delete(documentId);
  }

  knows(uid: Uid, documentId: string): boolean {
    return this.#documents.get(uid)?.has(documentId) ?? false;
  }

  #known(uid: Uid): Map<string, TargetRow[]> {
    let known = this.#documents.get(uid);
    if (known === undefined) {
      known = new Map();
      this.#documents.set(uid, known);
    }
    return known;
  }

  /** Returns undefined when the target does not exist. */
  find(target: Target, source: LinkSource): TargetDocument | undefined {
    if (target.by === 'unreadable') return undefined;
    if (target.by === 'id') {
      const row = this.#byId.get(target.type)?.get(target.id);
      if (row === undefined || !(isOwn(target) || this.#isLinkable(row))) return undefined;
      const version = this.versionOf(row, source);
      return version.rows.length > 0 ? version : { key: version.key, rows: [row] };
    }
    const locale = this.#localeOf(target.type, target.locale, source);
    const rows = this.#rowsFor(target.type, target.documentId, locale, source);
    return rows.length === 0 || !(isOwn(target) || rows.some((row) => this.#isLinkable(row)))
      ? undefined
      : { key: keyOf(target.type, target.documentId, locale), rows };
  }

  /** A target's documentId; undefined for a row id that does not exist or was not read. */
  documentIdOf(target: Target): string | undefined {
    if (target.by === 'documentId') return target.documentId;
    return target.by === 'id' ? (this.#byId.get(target.type)?.get(target.id)?.documentId ?? undefined) : undefined;
  }

  /** A row's document and locale, in the statuses that the source links to. The result has no rows
   *  without such a version. */
  versionOf(row: TargetRow, source: LinkSource): TargetDocument {
    if (row.documentId === null) return { key: `${row.uid} #${row.id}`, rows: [row] };
    const type = this.#model.contentTypes.get(row.uid);
    const locale = type?.localized === true ? row.locale : null;
    const key = keyOf(row.uid, row.documentId, locale);
    return { key, rows: type?.draftAndPublish === true ? this.#rowsFor(row.uid, row.documentId, locale, source) : [row] };
  }

  /** The row's document in the locale and in the statuses that the source links to: between types
   *  with locales, the source's locale. The result has no rows without such a version. */
  versionFor(row: TargetRow, source: LinkSource): { readonly rows: readonly TargetRow[]; readonly locale: string | null } {
    const type = this.#model.contentTypes.get(row.uid);
    const isOther = source.type.localized && source.locale !== null && row.locale !== null;
    const locale = type?.localized === true ? (isOther ? source.locale : row.locale) : null;
    if (row.documentId === null || (type?.draftAndPublish !== true && type?.localized !== true)) return { rows: [row], locale };
    return { rows: this.#rowsFor(row.uid, row.documentId, locale, source), locale };
  }

  #rowsFor(uid: Uid, documentId: string, locale: string | null, source: LinkSource): readonly TargetRow[] {
    const type = this.#model.contentTypes.get(uid);
    const rows = this.#known(uid).get(documentId) ?? [];
    const inLocale = type?.localized === true ? rows.filter((row) => row.locale === locale) : rows;
    if (type?.draftAndPublish !== true) return inLocale.slice(0, 1);
    if (source.status === undefined) return [...inLocale].sort((a, b) => Number(a.published) - Number(b.published));
    const own = inLocale.find(({ published }) => published === (source.status === 'published'));
    // Imports leave documents without a draft: a source's draft links to the published row instead.
    const row = own ?? (source.status === 'draft' ? inLocale[0] : undefined);
    return row === undefined ? [] : [row];
  }

  /** Returns the locale of the target: between types with locales, the source's locale. */
  #localeOf(uid: Uid, requested: string | undefined, source: LinkSource): string | null {
    if (this.#model.contentTypes.get(uid)?.localized !== true) return null;
    return source.type.localized ? source.locale : (requested ?? this.#defaultLocale);
  }
}

const selected = (uid: Uid): Sql => sql`t.id, ${versionColumns('t')}${sql.raw(uid === fileUid ? ', t.mime' : '')}`;

const identityOf = ({ id, documentId }: TargetRow) => documentId ?? `#${id}`;

const keyOf = (uid: Uid, documentId: string, locale: string | null) => `${uid} ${documentId} ${locale ?? ''}`;

function add<T>(sets: Map<Uid, Set<T>>, uid: Uid, value: T): void {
  const set = sets.get(uid) ?? new Set<T>();
  sets.set(uid, set.add(value));
}

/** Returns where the body names the target. */
function pathTo(target: Target, entry: BodyEntry): readonly string[] | undefined {
  for (const [name, change] of entry.relations) if (namedTargets(change).includes(target)) return [name];
  for (const [name, { value, items }] of entry.components) {
    for (const [index, item] of items.entries()) {
      const path = item.kind === 'entry' ? pathTo(target, item.entry) : undefined;
      if (path !== undefined) return [name, ...(Array.isArray(value) ? [String(index)] : []), ...path];
    }
  }
  return undefined;
}
