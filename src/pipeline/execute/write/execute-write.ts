/** A write, inside its transaction: what is there is read, what is wanted is made of it, and the difference is written. */
import type { Connection, Dialect } from '../../../dialects/dialect.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { wrongType } from '../../../model/attributes/cast.ts';
import type { Attribute, ContentModel, ContentType } from '../../../model/content-model.ts';
import { takesOver } from '../../../model/relation-sides.ts';
import { type Cell, Rows } from '../../../sql/rows.ts';
import type { WriteGuards } from '../../compile/types.ts';
import type { BodyData, BodyEntry } from '../../parse/body/types.ts';
import type { WritePlan } from '../../plan/types.ts';
import { rowVersion } from '../../version.ts';
import { BodyApplier, isFullBodyAttribute, noBody } from './body/apply-body.ts';
import { Problems } from './body/body-problems.ts';
import { checkPublished } from './check/check-published.ts';
import { Guards } from './check/check-restrictions.ts';
import { checkUnique, uniqueKeys, withoutSame } from './check/check-unique-values.ts';
import { WriteLimits } from './check/check-written-rows.ts';
import { Changes } from './difference/changes.ts';
import { followPublished } from './difference/follow-published.ts';
import { documentLock } from './document-lock.ts';
import { adopting, linksOf, merged, mirrored, sameContent } from './entry/copy-entry.ts';
import { mostLoaded, refuseMoreComponents } from './entry/count-components.ts';
import { type DocumentRow, type Entry, isContent, isPartAttribute, isShared, type TargetRow } from './entry/entry.ts';
import { fillDefaults, requiredWithDefault } from './entry/fill-defaults.ts';
import { type Source, Targets } from './entry/link-targets.ts';
import { loadEntries } from './entry/load-entries.ts';
import { Rests } from './yield-to-others.ts';

export interface WriteExecution {
  readonly connection: Connection;
  readonly dialect: Dialect;
  readonly model: ContentModel;
}

/** The row to be answered; undefined when there is nothing to show. */
export async function executeWrite(plan: WritePlan, guards: WriteGuards, execution: WriteExecution): Promise<number | undefined> {
  const type = execution.model.contentTypes.get(plan.uid);
  if (type === undefined) throw new Error(`there is no type ${plan.uid}`);
  return new Write(plan, type, guards, execution).run();
}

/** One locale of a document, as it is. */
interface Version {
  readonly locale: string | null;
  /** The only row of types without drafts. */
  readonly draft: DocumentRow | undefined;
  readonly published: DocumentRow | undefined;
}

class Write {
  readonly #plan: WritePlan;
  readonly #type: ContentType;
  readonly #model: ContentModel;
  readonly #rows: Rows;
  readonly #targets: Targets;
  readonly #changes: Changes;
  readonly #limits: WriteLimits;
  readonly #problems = new Problems();
  readonly #rests = new Rests();

  constructor(plan: WritePlan, type: ContentType, guards: WriteGuards, { connection, dialect, model }: WriteExecution) {
    this.#plan = plan;
    this.#type = type;
    this.#model = model;
    this.#rows = new Rows(connection, dialect);
    const guarding = new Guards(guards, this.#rows);
    this.#limits = new WriteLimits({ guards: guarding, type, rows: this.#rows, model });
    this.#targets = new Targets(this.#rows, model, plan.defaultLocale, guarding);
    this.#changes = new Changes(this.#rows, model);
  }

  async run(): Promise<number | undefined> {
    const { action } = this.#plan;
    if (action === 'create') return this.#create(this.#plan.newDocumentId);
    const type = this.#type;
    const body = this.#bodyOf(this.#plan.data);
    await this.#rows.lock([documentLock(type, this.#plan.documentId ?? ''), ...this.#taken(body, 'documentId')]);
    // As recorded: what a body leads to is looked for before the document itself.
    if (body !== undefined) await this.#readTargets(body);
    const documentId = this.#plan.documentId ?? (await this.#singleDocumentId());
    const existing = documentId === undefined ? [] : await this.#documentRows(documentId);
    if (documentId === undefined || existing.length === 0) return this.#withoutDocument('missing');
    if (!(await this.#limits.mayReach(this.#reached(existing)))) return this.#withoutDocument('out of reach');
    this.#checkVersion(existing);
    switch (action) {
      case 'update':
        return this.#update(documentId, existing);
      case 'delete':
        return this.#delete(this.#concerned(existing));
      case 'unpublish':
        return this.#unpublish(existing);
      case 'publish':
        return this.#publishDrafts(existing);
      case 'discardDraft':
        return this.#discardDrafts(existing);
    }
  }

  async #withoutDocument(why: 'missing' | 'out of reach'): Promise<number | undefined> {
    const { action, ifMatch } = this.#plan;
    if (ifMatch !== undefined && action !== 'delete') throw ApiError.of('document.changed', undefined);
    if (action === 'delete') return undefined;
    if (action === 'update' && this.#type.kind === 'singleType' && why === 'missing') return this.#create(this.#plan.newDocumentId);
    throw ApiError.of('document.not-found', undefined);
  }

  // --- reading

  async #readTargets(body: BodyEntry): Promise<void> {
    await this.#targets.read(body, this.#source(this.#locale(), 'draft'));
    await this.#rows.lock(this.#taken(body, 'id'));
  }

  /** Locks of the documents that a body takes from whoever has them: they may be at work on the same links from the other side. */
  #taken(body: BodyEntry | undefined, by: 'documentId' | 'id'): string[] {
    return [...(body?.relations ?? [])].flatMap(([name, change]) => {
      const attribute = this.#type.attributes.get(name);
      const target = attribute?.kind === 'relation' && takesOver(attribute) ? attribute.target : undefined;
      const type = target === undefined ? undefined : this.#model.contentTypes.get(target);
      if (type === undefined) return [];
      const named = change.kind === 'set' ? change.targets : change.connect.map((each) => each.target);
      return named.flatMap((each) => (each.by === by ? documentLock(type, this.#targets.documentIdOf(each) ?? '') : []));
    });
  }

  async #singleDocumentId(): Promise<string | undefined> {
    const { quote } = this.#rows.dialect;
    const [row] = await this.#rows.query(`SELECT document_id FROM ${quote(this.#type.table)} ORDER BY id LIMIT 1`, []);
    return row === undefined ? undefined : String(row[0]);
  }

  async #documentRows(documentId: string): Promise<DocumentRow[]> {
    // No documentId holds a NUL, which one of the engines cannot even be asked for.
    if (documentId.includes('\0')) return [];
    const { dialect } = this.#rows;
    const column = (name: string, type: 'datetime') => dialect.select(`r.${name}`, type);
    const found = await this.#rows.query(
      `SELECT r.id, r.locale, CASE WHEN r.published_at IS NULL THEN 0 ELSE 1 END, ${column('created_at', 'datetime')}, ${column('updated_at', 'datetime')} ` +
        `FROM ${dialect.quote(this.#type.table)} AS r WHERE r.document_id = ${dialect.comparand(dialect.placeholder(1), 'string', documentId)} ORDER BY r.id`,
      [documentId],
    );
    return found.map(([id, locale, published, createdAt, updatedAt]) => ({
      id: Number(id),
      documentId,
      locale: this.#type.localized && locale !== null ? String(locale) : null,
      published: Number(published) === 1,
      createdAt: milliseconds(createdAt),
      updatedAt: milliseconds(updatedAt),
    }));
  }

  #load(rows: readonly (DocumentRow | undefined)[], wanted: (attribute: Attribute) => boolean): Promise<Map<number, Entry>> {
    const ids = rows.flatMap((row) => row?.id ?? []);
    const components = mostLoaded(this.#plan.rules.components);
    return loadEntries(this.#type, ids, { own: wanted, components }, this.#rows, this.#model);
  }

  /** Other versions of what an entry links to. */
  async #readCounterparts(entry: Entry): Promise<void> {
    const documents = new Map<string, Set<string>>();
    for (const { row } of linksOf(entry)) {
      if (row.documentId === null || this.#model.contentTypes.get(row.uid)?.draftAndPublish !== true) continue;
      const ids = documents.get(row.uid) ?? new Set();
      documents.set(row.uid, ids.add(row.documentId));
    }
    for (const [uid, ids] of documents) await this.#targets.readDocuments(uid, [...ids]);
  }

  // --- which rows

  #locale(): string | null {
    const { locale } = this.#plan;
    if (!this.#type.localized) return null;
    return locale.kind === 'one' ? locale.code : (this.#plan.defaultLocale ?? null);
  }

  #source(locale: string | null, status: 'draft' | 'published'): Source {
    return { type: this.#type, locale, status: this.#type.draftAndPublish ? status : undefined };
  }

  #concerned(existing: readonly DocumentRow[]): readonly DocumentRow[] {
    const { locale } = this.#plan;
    if (!this.#type.localized || locale.kind === 'all') return existing;
    const codes: readonly (string | null)[] = locale.kind === 'one' ? [locale.code] : locale.codes;
    return existing.filter((row) => codes.includes(row.locale));
  }

  /** Every version in the locales concerned; of a new locale, every version of those that it shares with. */
  #reached(existing: readonly DocumentRow[]): readonly DocumentRow[] {
    const concerned = this.#concerned(existing);
    return concerned.length === 0 ? existing : concerned;
  }

  #versions(existing: readonly DocumentRow[]): Version[] {
    const concerned = this.#concerned(existing);
    return [...new Set(concerned.map(({ locale }) => locale))].map((locale) => this.#version(concerned, locale));
  }

  #version(existing: readonly DocumentRow[], locale: string | null): Version {
    const inLocale = existing.filter((row) => row.locale === locale);
    if (!this.#type.draftAndPublish) return { locale, draft: inLocale[0], published: undefined };
    return { locale, draft: inLocale.find(({ published }) => !published), published: inLocale.find(({ published }) => published) };
  }

  #checkVersion(existing: readonly DocumentRow[]): void {
    const { ifMatch } = this.#plan;
    if (ifMatch === undefined || ifMatch === '*') return;
    const concerned = this.#concerned(existing);
    if (!concerned.some((row) => ifMatch.includes(rowVersion(row.id, row.updatedAt)))) throw ApiError.of('document.changed', undefined);
  }

  /** Later than every change so far, even within one millisecond. */
  #moment(existing: readonly DocumentRow[]): number {
    return Math.max(this.#plan.now, ...existing.map(({ updatedAt }) => (updatedAt ?? 0) + 1));
  }

  // --- create and update

  async #create(documentId: string): Promise<number | undefined> {
    const { data } = this.#plan;
    const locale = this.#locale();
    const body = this.#bodyOf(data);
    if (this.#plan.action === 'create' && body !== undefined) {
      await this.#rows.lock(this.#taken(body, 'documentId'));
      await this.#readTargets(body);
    }
    this.#refuseList(data);
    const draft = this.#applied(body ?? noBody, undefined, undefined);
    await this.#rests.rest();
    this.#refuseProblems(draft, undefined);
    return this.#saveVersion(documentId, { locale, draft: undefined, published: undefined }, draft, undefined, undefined, []);
  }

  async #update(documentId: string, existing: readonly DocumentRow[]): Promise<number | undefined> {
    const { data } = this.#plan;
    const body = this.#bodyOf(data) ?? noBody;
    this.#refuseList(data);
    const version = this.#version(existing, this.#locale());
    const isPublishing = this.#isPublishing();
    const hasLocales = this.#type.localized && existing.some(({ locale }) => locale !== version.locale);
    const named = (attribute: Attribute) =>
      body.scalars.has(attribute.name) || body.relations.has(attribute.name) || body.components.has(attribute.name);
    const lacksDraft = version.draft === undefined && version.published !== undefined;
    const isWhole = isPublishing || lacksDraft;
    const fills = isPublishing || !this.#type.draftAndPublish;
    const wanted = (attribute: Attribute) =>
      isWhole || named(attribute) || (hasLocales && isShared(attribute, this.#type)) || (fills && requiredWithDefault(attribute));
    const entries = await this.#load([version.draft, isWhole ? version.published : undefined], wanted);
    const current = version.draft === undefined ? undefined : entries.get(version.draft.id);
    const published = version.published === undefined ? undefined : entries.get(version.published.id);
    if (!this.#plan.partial) this.#requireEveryField(body);
    const copied = version.draft === undefined && !lacksDraft ? await this.#copyForLocale(existing, version.locale) : undefined;
    // Rows that a script wrote may have no draft. It begins as what is published: what the body leaves out must not be emptied.
    const restored = lacksDraft && published !== undefined ? await this.#draftOf(published, version.locale) : undefined;
    await this.#rests.rest();
    const applied = this.#applied(body, current ?? restored, copied);
    if (fills) fillDefaults(applied, body, current ?? restored);
    await this.#rests.rest();
    this.#refuseProblems(applied, current ?? restored);
    const changed = restored === undefined ? applied : merged(restored, applied);
    return this.#saveVersion(documentId, version, changed, current, published, existing);
  }

  #bodyOf = (data: BodyData | undefined): BodyEntry | undefined => (data?.kind === 'entry' ? data.entry : undefined);

  #refuseList(data: BodyData | undefined): void {
    if (data?.kind !== 'list') return;
    this.#problems.addValue([], wrongType('object', null, data.value));
    this.#problems.throwIfAny();
  }

  #isPublishing(): boolean {
    return this.#type.draftAndPublish && this.#plan.status === 'published';
  }

  #applied(body: BodyEntry, current: Entry | undefined, copied: Entry | undefined): Entry {
    const applier = new BodyApplier({
      model: this.#model,
      targets: this.#targets,
      source: this.#source(this.#locale(), 'draft'),
      rules: this.#plan.rules,
      strict: !this.#type.draftAndPublish,
      hashes: this.#plan.hashes,
      problems: this.#problems,
    });
    return applier.document(body, this.#type, current, copied);
  }

  /** What keeps a body from being published is told together with what keeps it from being a draft. Strapi tells one after the other. */
  #refuseProblems(changed: Entry, current: Entry | undefined): void {
    if (!this.#problems.none && this.#isPublishing() && this.#plan.rules.enforceSchema) {
      const further = new Problems();
      checkPublished(current === undefined ? changed : merged(current, changed), this.#plan.rules, further);
      this.#problems.addFurther(further);
    }
    // Without drafts, what must be unique is told together with everything else.
    if (this.#type.draftAndPublish) this.#problems.throwIfAny();
  }

  #requireEveryField(body: BodyEntry): void {
    const explanation = 'a PUT names every field, null clears one, and PATCH changes only some (policies.partialPut)';
    for (const attribute of this.#type.attributes.values()) {
      if (!isFullBodyAttribute(attribute) || body.scalars.has(attribute.name)) continue;
      if (this.#plan.writable?.has(attribute.name) === false) continue;
      this.#problems.add([attribute.name], `${attribute.name} is missing: ${explanation}`);
      this.#problems.explain(explanation);
    }
  }

  /** What a new locale shares with those that are there, as its own. */
  async #copyForLocale(existing: readonly DocumentRow[], locale: string | null): Promise<Entry | undefined> {
    const origin = existing.findLast(({ published }) => published) ?? existing.at(-1);
    if (origin === undefined) return undefined;
    const shared = (attribute: Attribute) => isShared(attribute, this.#type);
    const entry = (await this.#load([origin], shared)).get(origin.id);
    if (entry === undefined) return undefined;
    await this.#readCounterparts(entry);
    return mirrored(entry, this.#source(locale, 'draft'), this.#targets);
  }

  async #draftOf(published: Entry, locale: string | null): Promise<Entry> {
    await this.#readCounterparts(published);
    return mirrored(published, this.#source(locale, 'draft'), this.#targets, isContent);
  }

  /** Writes the draft (or the only row), publishes it when asked to, and keeps the other locales in step. */
  async #saveVersion(
    documentId: string,
    version: Version,
    changed: Entry,
    current: Entry | undefined,
    published: Entry | undefined,
    existing: readonly DocumentRow[],
  ): Promise<number | undefined> {
    const now = this.#moment(existing);
    const { locale } = version;
    const hasDrafts = this.#type.draftAndPublish;
    const whole = current === undefined ? changed : merged(current, changed);
    const limit = this.#plan.rules.components;
    await refuseMoreComponents({ whole, current, type: this.#type, limit }, this.#rows, this.#model);
    await this.#rests.rest();
    if (!hasDrafts) await this.#checkUnique(changed, locale, version.draft?.id);
    const times = hasDrafts ? [moment('updated_at', now)] : [moment('updated_at', now), moment('published_at', now)];
    const system = version.draft === undefined ? [...this.#identity(documentId, locale, now), ...times] : times;
    await this.#limits.refuseOthers(changed, current, documentId);
    this.#changes.save(changed, current, system);
    await this.#rests.rest();
    this.#limits.wrote(changed, !hasDrafts);
    let shown: Entry = changed;
    let publishedForm: Entry | undefined;
    if (this.#isPublishing()) {
      publishedForm = await this.#publish(documentId, { ...version, createdAt: version.draft?.createdAt ?? now }, whole, published, now);
      shown = publishedForm;
    }
    await this.#sync(whole, publishedForm, version, existing, now);
    await this.#changes.write();
    // Nobody links to a draft that was not there before.
    const isFollowed = version.draft !== undefined && version.published === undefined;
    if (publishedForm !== undefined && isFollowed) await this.#follow(changed, publishedForm);
    await this.#limits.refuseOutside();
    return shown.id;
  }

  async #checkUnique(entry: Entry, locale: string | null, ownId: number | undefined): Promise<void> {
    await this.#rows.lock(uniqueKeys(entry));
    await checkUnique(entry, { type: this.#type, locale, ownId }, this.#rows, this.#problems);
    this.#problems.throwIfAny();
  }

  #identity(documentId: string, locale: string | null, now: number): Cell[] {
    return [
      { name: 'document_id', type: 'string', value: documentId },
      moment('created_at', now),
      { name: 'locale', type: 'string', value: locale },
    ];
  }

  async #follow(draft: Entry, published: Entry): Promise<void> {
    if (draft.id !== undefined && published.id !== undefined)
      await followPublished(this.#type, draft.id, published.id, this.#rows, this.#model);
  }

  // --- publishing

  /** The published row takes the draft's content; the row stays, and with it whatever links to it. */
  async #publish(
    documentId: string,
    { locale, published: row, createdAt }: Version & { readonly createdAt: number | null },
    draft: Entry,
    current: Entry | undefined,
    now: number,
  ): Promise<Entry> {
    await this.#readCounterparts(draft);
    const own: TargetRow = { uid: this.#type.uid, id: row?.id ?? 0, documentId, locale, published: true };
    // A document may link to itself; its published row is there when links are written.
    if (row === undefined && this.#targets.knows(own.uid, documentId)) this.#targets.add(own);
    const copy = mirrored(draft, this.#source(locale, 'published'), this.#targets, isContent);
    await this.#rests.rest();
    checkPublished(copy, this.#plan.rules, this.#problems);
    await this.#rests.rest();
    await this.#checkUnique(withoutSame(copy, current), locale, row?.id);
    const wanted = current === undefined ? copy : adopting(copy, current);
    await this.#rests.rest();
    const times = [moment('updated_at', now), moment('published_at', now)];
    const system = row === undefined ? [...this.#identity(documentId, locale, createdAt ?? now), ...times] : times;
    await this.#limits.refuseOthers(wanted, current, documentId);
    this.#changes.save(wanted, current, system);
    await this.#rests.rest();
    this.#limits.wrote(wanted, true);
    this.#changes.whenInserted(wanted, (id) => {
      own.id = id;
    });
    return wanted;
  }

  async #publishDrafts(existing: readonly DocumentRow[]): Promise<number | undefined> {
    const versions = this.#versions(existing).filter(({ draft }) => draft !== undefined);
    const [first] = versions;
    if (first === undefined) throw ApiError.of('document.not-found', undefined);
    const entries = await this.#load(
      versions.flatMap(({ draft, published }) => [draft, published]),
      isContent,
    );
    const now = this.#moment(existing);
    // Locales that are published together are as their own drafts are.
    const others = existing.filter(({ locale }) => !versions.some((version) => version.locale === locale));
    const firsts: { draft: Entry; published: Entry }[] = [];
    let shown: Entry | undefined;
    for (const version of versions) {
      const draft = entries.get(version.draft?.id ?? 0);
      if (draft?.id === undefined || version.draft === undefined) continue;
      const current = version.published === undefined ? undefined : entries.get(version.published.id);
      const form = await this.#publish(version.draft.documentId, { ...version, createdAt: version.draft.createdAt }, draft, current, now);
      // Equal times say that nothing was changed since.
      this.#changes.save({ ...draft, values: new Map(), links: new Map(), parts: new Map() }, draft, [moment('updated_at', now)]);
      await this.#sync(draft, form, version, others, now);
      if (version.published === undefined) firsts.push({ draft, published: form });
      shown ??= form;
    }
    await this.#changes.write();
    for (const { draft, published } of firsts) await this.#follow(draft, published);
    await this.#limits.refuseOutside();
    return shown?.id;
  }

  async #unpublish(existing: readonly DocumentRow[]): Promise<undefined> {
    const versions = this.#versions(existing);
    if (versions.length === 0) throw ApiError.of('document.not-found', undefined);
    return this.#delete(versions.flatMap(({ published }) => published ?? []));
  }

  async #discardDrafts(existing: readonly DocumentRow[]): Promise<number | undefined> {
    const versions = this.#versions(existing).filter(({ published }) => published !== undefined);
    const [first] = versions;
    if (first === undefined) throw ApiError.of('document.not-found', undefined);
    const entries = await this.#load(
      versions.flatMap(({ draft, published }) => [draft, published]),
      isContent,
    );
    let shown: Entry | undefined;
    for (const { draft, published, locale } of versions) {
      const origin = entries.get(published?.id ?? 0);
      if (origin === undefined || published === undefined) continue;
      await this.#readCounterparts(origin);
      const copy = mirrored(origin, this.#source(locale, 'draft'), this.#targets, isContent);
      const current = draft === undefined ? undefined : entries.get(draft.id);
      const wanted = current === undefined ? copy : adopting(copy, current);
      const times = [moment('updated_at', published.updatedAt ?? this.#plan.now)];
      const system =
        draft === undefined ? [...this.#identity(published.documentId, locale, published.createdAt ?? this.#plan.now), ...times] : times;
      this.#changes.save(wanted, current, system);
      this.#limits.wrote(wanted, false);
      shown ??= wanted;
    }
    await this.#changes.write();
    await this.#limits.refuseOutside();
    return shown?.id;
  }

  async #delete(rows: readonly DocumentRow[]): Promise<undefined> {
    if (rows.length === 0) return undefined;
    const ids = rows.map(({ id }) => id);
    const wanted = { own: isPartAttribute, inParts: isPartAttribute, unseen: true };
    const entries = await loadEntries(this.#type, ids, wanted, this.#rows, this.#model);
    this.#changes.delete([...entries.values()]);
    await this.#changes.write();
    return undefined;
  }

  // --- locales

  /** What is not localized is the same in all locales: among published rows, among drafts, or among both where the policy says so. */
  async #sync(draft: Entry, published: Entry | undefined, version: Version, existing: readonly DocumentRow[], now: number): Promise<void> {
    if (!this.#type.localized) return;
    const others = existing.filter(({ locale }) => locale !== version.locale);
    if (others.length === 0) return;
    const isSynced = (row: DocumentRow) => {
      if (!this.#type.draftAndPublish) return true;
      if (published === undefined) return !row.published;
      return row.published || this.#plan.rules.syncDrafts;
    };
    const synced = others.filter(isSynced);
    const shared = (attribute: Attribute) => isShared(attribute, this.#type);
    // Where drafts may lag behind, a write that is not about what locales share must not bring the old back to them. Strapi
    // takes it to be when it leaves something else than the document's oldest row had.
    const [oldest] = this.#plan.rules.syncDrafts ? [] : existing;
    const entries = await this.#load([...new Set([...synced, oldest])], shared);
    await this.#readCounterparts(draft);
    const differing = (row: DocumentRow) => {
      const current = entries.get(row.id);
      if (current === undefined) return undefined;
      const copy = mirrored(draft, this.#source(row.locale, row.published ? 'published' : 'draft'), this.#targets, shared);
      return sameContent(copy, current) ? undefined : { copy, current };
    };
    if (oldest !== undefined && differing(oldest) === undefined) return;
    const changed: { readonly row: DocumentRow; readonly wanted: Entry; readonly current: Entry }[] = [];
    for (const row of synced) {
      const found = differing(row);
      if (found !== undefined) changed.push({ row, wanted: adopting(found.copy, found.current), current: found.current });
      await this.#rests.rest();
    }
    await this.#limits.refuseUnreachable(changed.map(({ row }) => row));
    for (const { row, wanted, current } of changed) {
      this.#changes.save(wanted, current, [moment('updated_at', now)]);
      this.#limits.wrote(wanted, row.published);
    }
  }
}

/** A single type is locked as a whole, before it is known which document it has. */
const moment = (name: string, value: number): Cell => ({ name, type: 'datetime', value });

const milliseconds = (value: unknown): number | null =>
  value === null || value === undefined || Number.isNaN(Number(value)) ? null : Number(value);
