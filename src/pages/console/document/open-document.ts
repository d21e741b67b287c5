/** A document in its form: what is stored, what was typed, and what is on its way. */
import { batch, computed, type Signal, signal } from '@preact/signals';
import { flushEditors } from '../editors/shared/delayed-changes.ts';
import { separatorOf } from '../fields/scalars/number-text.ts';
import { wrongValues } from '../fields/wrong-values.ts';
import { componentOf, type DescribedAttribute, type DescribedType, may, me, pathNameOf, typeOf } from '../server/me.ts';
import { type Answer, type FieldProblem, request } from '../server/request.ts';
import { hrefOf } from '../shell/location.ts';
import { region, say } from '../words/say.ts';
import { findWork, forgetWork, keepWork, workKey } from '../work/work-store.ts';
import { bodyOf } from './body-of.ts';
import type { Conflict } from './conflict.ts';
import { documentQuery } from './document-query.ts';
import { explainProblems } from './explain-problems.ts';
import { joinerOf } from './links.ts';
import { requestDocument } from './request-document.ts';
import { changedNames, copyOf, defaultsOf, type IsSame, merge, sameIn, type Values, withKeys } from './values.ts';

export class OpenDocument {
  readonly type: DescribedType;
  readonly locale: string | undefined;
  /** What tells unsaved work on new documents apart. */
  readonly draftName: string | undefined;
  readonly documentId = signal<string | undefined>(undefined);
  readonly state = signal<'loading' | 'ready' | 'missing' | 'failed'>('loading');
  /** Why it could not be loaded. */
  readonly loadProblem = signal('');
  /** As it is stored; empty for a new document. */
  readonly stored = signal<Values>({});
  /** Whether this locale, or the document, is stored at all. */
  readonly isStored = signal(false);
  readonly problems = signal<readonly FieldProblem[]>([]);
  readonly conflict = signal<Conflict | undefined>(undefined);
  /** When the work was typed that was found in this browser. */
  readonly restoredFrom = signal<string | undefined>(undefined);
  readonly isSaving = signal(false);
  readonly #values = new Map<string, Signal<unknown>>();
  readonly #same: IsSame;
  #etag: string | undefined;
  #keeping: Promise<void> | undefined;
  #isKeptLate = false;
  #countsLinks = false;

  constructor(
    type: DescribedType,
    { documentId, locale, draftName }: Readonly<Record<'documentId' | 'locale' | 'draftName', string | undefined>>,
  ) {
    this.type = type;
    this.#same = sameIn(type.attributes, componentOf);
    this.locale = type.localized ? locale : undefined;
    this.draftName = draftName;
    this.documentId.value = documentId;
    for (const { name } of type.attributes) this.#values.set(name, signal(undefined));
  }

  /** The attributes that the form shows. */
  get attributes(): readonly DescribedAttribute[] {
    return this.type.attributes.filter((each) => !each.isSystem && (each.canRead || this.mayWrite(each)));
  }

  mayWrite({ canCreate, canUpdate }: DescribedAttribute): boolean {
    return this.isStored.value ? canUpdate : canCreate || canUpdate;
  }

  readonly changes = computed((): Values => {
    const values = this.#current();
    return Object.fromEntries(changedNames(values, this.stored.value, this.#same).map((name) => [name, values[name]]));
  });
  readonly isChanged = computed(() => Object.keys(this.changes.value).length > 0);

  valueOf(name: string): Signal<unknown> {
    const found = this.#values.get(name);
    if (found === undefined) throw new Error(`no attribute ${name}`);
    return found;
  }

  change(name: string, value: unknown): void {
    this.valueOf(name).value = value;
    this.#keep();
  }

  #put(name: string, value: unknown): void {
    const found = this.#values.get(name);
    if (found !== undefined) found.value = value;
  }

  /** The name of the document for people. */
  readonly title = computed((): string => {
    const { title } = this.type;
    const value = title === undefined ? undefined : this.valueOf(title).value;
    return typeof value === 'string' ? value : '';
  });

  #current(): Values {
    return Object.fromEntries([...this.#values].map(([name, value]) => [name, value.value]));
  }

  /** Drafts where the caller may see them; else what is published. */
  get isDraft(): boolean {
    return this.type.draftAndPublish && may(this.type, 'findDraft');
  }

  get #path(): string {
    const id = this.documentId.value;
    return this.type.kind === 'singleType' || id === undefined ? this.type.path : `${this.type.path}/${encodeURIComponent(id)}`;
  }

  #query(locale = this.locale, isDraft = this.isDraft): string {
    return documentQuery(this.type, { typeOf, componentOf }, { status: isDraft ? 'draft' : undefined, locale }, this.#countsLinks);
  }

  async load(): Promise<void> {
    const isNew = this.type.kind === 'collectionType' && this.documentId.value === undefined;
    // The server fills in the defaults itself.
    if (isNew) this.#take(defaultsOf(this.attributes), undefined, false);
    else {
      const answer = await this.#readAll();
      if (answer.status === 404) await this.#beginLocale();
      else if (!answer.ok) {
        this.loadProblem.value = answer.failure?.message ?? '';
        this.state.value = 'failed';
        return;
      } else this.#take(answer.json?.data ?? {}, answer.etag, true);
    }
    if (this.state.value === 'missing') return;
    await this.#restore();
    this.state.value = 'ready';
  }

  /** Where it has more links than the server sends, they are only counted. */
  async #readAll() {
    const read = () => requestDocument(this.type, 'GET', this.#path, { query: this.#query() });
    const answer = await read();
    this.#countsLinks = answer.failure?.code === 'limit.rows';
    return this.#countsLinks ? read() : answer;
  }

  /** A document that lacks this locale begins with what is the same in all of them. */
  async #beginLocale(): Promise<void> {
    const isSingle = this.type.kind === 'singleType';
    const others = this.type.localized
      ? await Promise.all(
          (me.value?.locales ?? [])
            .filter(({ code }) => code !== this.locale)
            .map(({ code }) => requestDocument(this.type, 'GET', this.#path, { query: this.#query(code) })),
        )
      : [];
    const other = others.find(({ ok }) => ok)?.json?.data;
    if (other === undefined && !isSingle) {
      this.state.value = 'missing';
      return;
    }
    const shared = this.attributes.filter(({ localized }) => !localized);
    const begun =
      other === undefined ? defaultsOf(this.attributes) : Object.fromEntries(shared.map((each) => [each.name, this.#copyOf(each, other)]));
    this.#take(begun, undefined, false);
  }

  #copyOf(attribute: DescribedAttribute, values: Values): unknown {
    return copyOf(attribute, values[attribute.name], componentOf, this.locale);
  }

  #take(read: Values, etag: string | undefined, isStored: boolean): void {
    const current = this.#current();
    const values = Object.fromEntries(Object.entries(read).map(([name, value]) => [name, withKeys(value, current[name])]));
    batch(() => {
      this.#etag = etag;
      this.isStored.value = isStored;
      this.stored.value = values;
      for (const [name, value] of this.#values) value.value = values[name];
    });
  }

  /** Fills the form, as from another locale; nothing is saved. */
  fill(values: Values): void {
    batch(() => {
      for (const attribute of this.attributes)
        if (attribute.name in values && this.mayWrite(attribute)) this.valueOf(attribute.name).value = this.#copyOf(attribute, values);
    });
    this.#keep();
  }

  /** Another version of the document. Undefined if there is none. */
  async readVersion({ locale = this.locale, isDraft = this.isDraft }): Promise<Values | undefined> {
    const answer = await requestDocument(this.type, 'GET', this.#path, { query: this.#query(locale, isDraft) });
    return answer.json?.data;
  }

  /* ---------------------------------------------------------------- work that is not saved */

  get #key(): string {
    return workKey(this.type.uid, this.documentId.value ?? this.draftName, this.locale);
  }

  get href(): string {
    const id = this.documentId.value;
    const path = ['content', pathNameOf(this.type)];
    const query = { ...(this.locale === undefined ? {} : { locale: this.locale }) };
    if (this.type.kind === 'singleType') return hrefOf(path, query);
    return id === undefined
      ? hrefOf([...path, 'new'], { ...query, ...(this.draftName === undefined ? {} : { draft: this.draftName }) })
      : hrefOf([...path, id], query);
  }

  /** Each change is kept at once; while one is being written, only the latest of the next waits. */
  #keep(): void {
    if (this.#keeping !== undefined) {
      this.#isKeptLate = true;
      return;
    }
    this.#keeping = this.#write().finally(() => {
      this.#keeping = undefined;
      if (!this.#isKeptLate) return;
      this.#isKeptLate = false;
      this.#keep();
    });
  }

  async #write(): Promise<void> {
    const changes = this.changes.value;
    // A password is kept nowhere.
    const isPassword = (name: string) => this.type.attributes.some((each) => each.name === name && each.type === 'password');
    const names = Object.keys(changes).filter((name) => !isPassword(name));
    if (names.length === 0) return forgetWork(this.#key);
    const { stored } = this;
    await keepWork({
      key: this.#key,
      href: this.href,
      title: this.title.value,
      typeLabel: this.type.label,
      changedAt: new Date().toISOString(),
      etag: this.#etag,
      changes: Object.fromEntries(names.map((name) => [name, changes[name]])),
      base: Object.fromEntries(names.map((name) => [name, stored.value[name]])),
    });
  }

  async #restore(): Promise<void> {
    const work = await findWork(this.#key);
    if (work === undefined) return;
    this.#mergeWith(work.changes, work.base, { values: this.stored.value, etag: this.#etag });
    this.restoredFrom.value = this.isChanged.value || this.conflict.value !== undefined ? work.changedAt : undefined;
  }

  /** Gives up what was typed. */
  async discard(): Promise<void> {
    batch(() => {
      for (const [name, value] of this.#values) value.value = this.stored.value[name];
      this.problems.value = [];
      this.restoredFrom.value = undefined;
    });
    await this.#keeping;
    await forgetWork(this.#key);
  }

  #mergeWith(typed: Values, base: Values, current: { readonly values: Values; readonly etag: string | undefined }): void {
    const merged = merge(typed, base, current.values, { same: this.#same, join: joinerOf(this.type.attributes) });
    batch(() => {
      this.#take(current.values, current.etag, this.isStored.value);
      for (const [name, value] of Object.entries(merged.kept)) this.#put(name, value);
      this.conflict.value = merged.conflicts.length === 0 ? undefined : { ...merged, current: current.values, etag: current.etag };
    });
  }

  /** `theirs`: the attributes whose stored value is taken. */
  settle(theirs: ReadonlySet<string>): void {
    const { conflict } = this;
    batch(() => {
      for (const name of theirs) this.valueOf(name).value = conflict.value?.current[name];
      conflict.value = undefined;
    });
    this.#keep();
  }

  /** Resolves with whether everything that was typed is stored. */
  async save(): Promise<boolean> {
    if (this.isSaving.value) return false;
    flushEditors();
    this.isSaving.value = true;
    try {
      return await this.#save();
    } finally {
      this.isSaving.value = false;
    }
  }

  async #save(): Promise<boolean> {
    const changes = this.changes.value;
    const isNew = !this.isStored.value;
    if (!isNew && Object.keys(changes).length === 0) return true;
    const wrong = wrongValues(this.attributes, changes, componentOf, separatorOf(region.value));
    if (wrong.length > 0) {
      this.problems.value = wrong.map(({ path, word }) => ({ path, message: say(word) }));
      return false;
    }
    const isPost = isNew && this.documentId.value === undefined && this.type.kind === 'collectionType';
    const key = this.#key;
    const answer = await requestDocument(this.type, isPost ? 'POST' : 'PATCH', this.#path, {
      query: this.#query(),
      body: { data: this.#body(changes) },
      headers: isPost ? { 'Idempotency-Key': `console-${this.draftName}` } : this.#etag === undefined ? {} : { 'If-Match': this.#etag },
    });
    if (!answer.ok) return this.#refused(answer, changes);
    await this.#keeping;
    const now = this.#current();
    const typedMeanwhile = changedNames(now, { ...this.stored.value, ...changes }, this.#same).map((name) => [name, now[name]] as const);
    const data = answer.json?.data;
    batch(() => {
      if (data?.documentId !== undefined) this.documentId.value = data.documentId;
      this.#take(data ?? {}, answer.etag, true);
      for (const [name, value] of typedMeanwhile) this.#put(name, value);
      this.problems.value = [];
      this.restoredFrom.value = undefined;
    });
    await forgetWork(key);
    if (this.isChanged.value) this.#keep();
    return true;
  }

  /** Resolves with whether the document could be published as it is in the form; all that is in the
   *  way is in `problems`. */
  async check(): Promise<boolean> {
    const scope = new URLSearchParams({ status: 'published', ...(this.locale === undefined ? {} : { locale: this.locale }) });
    const answer = await request<{ readonly data: { readonly errors: readonly FieldProblem[] } }>(
      'POST',
      `${me.value?.prefix}/_validate/${this.type.uid}`,
      { query: scope.toString(), body: { documentId: this.documentId.value ?? null, data: this.#body(this.changes.value) } },
    );
    // Whatever else is wrong is said by the write itself.
    this.#setProblems(answer.json?.data.errors ?? []);
    return this.problems.value.length === 0;
  }

  #body(changes: Values): Values {
    const written = this.attributes.filter((each) => each.name in changes && this.mayWrite(each));
    return Object.fromEntries(
      written.map((each) => [each.name, bodyOf(each, changes[each.name], this.stored.value[each.name], componentOf)]),
    );
  }

  async #refused({ status, failure }: Answer, changes: Values): Promise<boolean> {
    if (status === 412) {
      const current = await requestDocument(this.type, 'GET', this.#path, { query: this.#query() });
      if (current.ok) {
        this.#mergeWith(changes, this.stored.value, { values: current.json?.data ?? {}, etag: current.etag });
        // Others have changed something else: the user need not choose.
        if (this.conflict.value === undefined) return this.#save();
        return false;
      }
    }
    this.#report(failure);
    return false;
  }

  #setProblems(problems: readonly FieldProblem[]): void {
    this.problems.value = explainProblems(problems, { attributes: this.attributes, values: this.#current(), componentOf });
  }

  #report(failure: Answer['failure']): void {
    const { message = '', problems = [] } = failure ?? {};
    this.#setProblems(problems.length > 0 ? problems : [{ path: [], message }]);
    this.onFailure?.(failure);
  }

  /** Called when the server has refused something. */
  onFailure: ((failure: Answer['failure']) => void) | undefined;

  /** Publishing, unpublishing and discarding the draft. Resolves with whether it is done. */
  async act(action: 'publish' | 'unpublish' | 'discard-draft'): Promise<boolean> {
    const answer = await request('POST', `${this.#path}/actions/${action}`, {
      query: this.locale === undefined ? '' : `locale=${encodeURIComponent(this.locale)}`,
      headers: this.#etag === undefined ? {} : { 'If-Match': this.#etag },
    });
    if (!answer.ok) {
      this.#report(answer.failure);
      return false;
    }
    if (action === 'discard-draft') await this.discard();
    await this.#reload();
    return true;
  }

  async #reload(): Promise<void> {
    const answer = await requestDocument(this.type, 'GET', this.#path, { query: this.#query() });
    if (answer.ok) this.#mergeWith(this.changes.value, this.stored.value, { values: answer.json?.data ?? {}, etag: answer.etag });
  }

  /** `all`: in every locale. */
  async remove(all: boolean): Promise<boolean> {
    const locale = all ? '*' : this.locale;
    const answer = await request('DELETE', this.#path, { query: locale === undefined ? '' : `locale=${encodeURIComponent(locale)}` });
    if (!answer.ok) {
      this.#report(answer.failure);
      return false;
    }
    await forgetWork(this.#key);
    return true;
  }
}
