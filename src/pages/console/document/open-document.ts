/** A document in its form: what is stored, what was typed, and what is on its way. */
import { batch, computed, type Signal, signal } from '@preact/signals';
import { flushEditors } from '../editors/shared/delayed-changes.ts';
import { separatorOf } from '../fields/scalars/number-text.ts';
import { wrongValues } from '../fields/wrong-values.ts';
import { componentOf, type DescribedAttribute, type DescribedType, may, typeOf } from '../server/me.ts';
import { type Answer, type FieldProblem, request } from '../server/request.ts';
import { region, say } from '../words/say.ts';
import { bodyOf } from './body-of.ts';
import { combine, type TypedValues } from './combine-work.ts';
import type { Conflict } from './conflict.ts';
import { apiPathOf, pageHrefOf } from './document-paths.ts';
import { documentQuery, isScalar } from './document-query.ts';
import { DocumentWork } from './document-work.ts';
import { explainProblems } from './explain-problems.ts';
import { findProblems } from './find-problems.ts';
import { joinerOf } from './links.ts';
import { inAnotherLocale } from './other-locale.ts';
import { requestDocument } from './request-document.ts';
import { changedNames, copyOf, defaultsOf, type IsSame, merge, sameIn, type Values, withKeys } from './values.ts';

/** How often one save takes over what others have saved, before it gives up. */
const mergesAtMost = 3;

export class OpenDocument {
  readonly type: DescribedType;
  readonly locale: string | undefined;
  /** What tells unsaved work on new documents apart. */
  draftName: string | undefined;
  readonly documentId = signal<string | undefined>(undefined);
  readonly state = signal<'loading' | 'ready' | 'missing' | 'failed'>('loading');
  /** Why it could not be loaded. */
  readonly loadProblem = signal('');
  /** As it is stored; empty for a new document. */
  readonly stored = signal<Values>({});
  /** Whether this locale, or the document, is stored at all. */
  readonly isStored = signal(false);
  readonly problems = signal<readonly FieldProblem[]>([]);
  /** What the user has to choose, one after the other. */
  readonly conflicts = signal<readonly Conflict[]>([]);
  readonly conflict = computed((): Conflict | undefined => this.conflicts.value[0]);
  readonly isSaving = signal(false);
  readonly #values = new Map<string, Signal<unknown>>();
  readonly #same: IsSame;
  #etag: string | undefined;
  readonly work = new DocumentWork(this);
  /** Whether the form was left while something was on its way. */
  isLeft = false;
  /** Whether the last save has taken over what others had changed meanwhile. */
  hasMerged = false;
  /** A new document whose fate is unknown: the server did not respond. */
  #sent: Values | undefined;
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
    // What is linked and cannot be read could only be replaced as a whole, unseen.
    return this.type.attributes.filter((each) => !each.isSystem && (each.canRead || (this.mayWrite(each) && isScalar(each))));
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
    this.work.form.keep();
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

  /** Where the API has the document. */
  get apiPath(): string {
    return apiPathOf(this.type, this.documentId.value);
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
    // What closed and crashed tabs left behind.
    await this.work.form.open();
    if (this.state.value === 'loading') this.state.value = 'ready';
  }

  /** Where it has more links than the server sends, they are only counted. */
  async #readAll() {
    const read = () => requestDocument(this.type, 'GET', this.apiPath, { query: this.#query() });
    const answer = await read();
    this.#countsLinks = answer.failure?.code === 'limit.rows';
    return this.#countsLinks ? read() : answer;
  }

  /** A document that lacks this locale begins with what is the same in all of them. */
  async #beginLocale(): Promise<void> {
    const isSingle = this.type.kind === 'singleType';
    const other = this.type.localized ? await inAnotherLocale(this.locale, (locale) => this.readVersion({ locale })) : undefined;
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
    this.work.form.keep();
  }

  /** Another version of the document. Undefined if there is none. */
  async readVersion({ locale = this.locale, isDraft = this.isDraft }): Promise<Values | undefined> {
    const answer = await requestDocument(this.type, 'GET', this.apiPath, { query: this.#query(locale, isDraft) });
    return answer.json?.data;
  }

  get href(): string {
    return this.hrefIn(this.locale);
  }

  /** The address of the same document in another locale. */
  hrefIn(locale: string | undefined): string {
    return pageHrefOf(this.type, { documentId: this.documentId.value, locale, draftName: this.draftName });
  }

  /** Takes over what a closed tab left behind, which it may have typed into a later version. */
  async takeOver(): Promise<void> {
    if (this.isStored.value) await this.#reload();
    await this.work.form.takeOver();
  }

  readonly takeTyped = (parts: readonly TypedValues[]): void => {
    const asked = this.conflicts.value;
    const own = { changes: this.changes.value, base: this.stored.value };
    const { changes, base, rivals } = combine([...parts, own], { same: this.#same, join: joinerOf(this.type.attributes) });
    this.#mergeWith(changes, base, { values: this.stored.value, etag: this.#etag });
    this.#ask([...asked, ...this.conflicts.value, ...rivals]);
  };

  /** Gives up what was typed. */
  async discard(): Promise<void> {
    batch(() => {
      for (const [name, value] of this.#values) value.value = this.stored.value[name];
      this.problems.value = [];
      this.conflicts.value = [];
      this.work.orphaned.value = [];
      this.work.restoredFrom.value = undefined;
    });
    await this.work.settle();
  }

  /** The form is no longer shown. */
  leave(): void {
    this.isLeft = true;
    void this.work.form.close();
  }

  #mergeWith(typed: Values, base: Values, current: { readonly values: Values; readonly etag: string | undefined }): void {
    const merged = merge(typed, base, current.values, { same: this.#same, join: joinerOf(this.type.attributes) });
    batch(() => {
      this.#take(current.values, current.etag, this.isStored.value);
      for (const [name, value] of Object.entries(merged.kept)) this.#put(name, value);
      this.#ask([{ with: 'others', names: merged.conflicts, values: current.values }]);
    });
  }

  #ask(conflicts: readonly Conflict[]): void {
    const differing = ({ names, values }: Conflict) => names.filter((name) => !this.#same(name, this.valueOf(name).value, values[name]));
    this.conflicts.value = conflicts.map((each) => ({ ...each, names: differing(each) })).filter(({ names }) => names.length > 0);
  }

  /** `theirs`: the attributes whose other value is taken. */
  settle(theirs: ReadonlySet<string>): void {
    const [conflict, ...next] = this.conflicts.value;
    batch(() => {
      for (const name of theirs) this.#put(name, conflict?.values[name]);
      this.#ask(next);
    });
    this.work.form.keep();
  }

  /** Resolves with whether everything that was typed is stored. */
  save(): Promise<boolean> {
    flushEditors();
    this.hasMerged = false;
    // While the user has to choose, what is stored is not what was typed.
    return this.conflict.value === undefined ? this.#alone(() => this.#save(mergesAtMost)) : Promise.resolve(false);
  }

  /** One at a time: resolves with false while another one goes on. */
  async #alone(work: () => Promise<boolean>): Promise<boolean> {
    if (this.isSaving.value) return false;
    this.isSaving.value = true;
    try {
      return await work();
    } finally {
      this.isSaving.value = false;
    }
  }

  async #save(merges: number): Promise<boolean> {
    // A repetition has to say the same, or the server refuses it.
    const changes = this.#sent ?? this.changes.value;
    const isNew = !this.isStored.value;
    if (!isNew && Object.keys(changes).length === 0) return true;
    const wrong = wrongValues(this.attributes, changes, componentOf, separatorOf(region.value));
    if (wrong.length > 0) {
      this.problems.value = wrong.map(({ path, word }) => ({ path, message: say(word) }));
      return false;
    }
    const isPost = isNew && this.documentId.value === undefined && this.type.kind === 'collectionType';
    const answer = await requestDocument(this.type, isPost ? 'POST' : 'PATCH', this.apiPath, {
      query: this.#query(),
      body: { data: this.#body(changes) },
      headers: isPost ? { 'Idempotency-Key': `console-${this.draftName}` } : this.#etag === undefined ? {} : { 'If-Match': this.#etag },
    });
    this.#sent = isPost && (answer.status === 0 || answer.status >= 500) ? changes : undefined;
    if (!answer.ok) return this.#refused(answer, merges);
    await this.work.form.settled();
    const now = this.#current();
    const typedMeanwhile = changedNames(now, { ...this.stored.value, ...changes }, this.#same).map((name) => [name, now[name]] as const);
    const data = answer.json?.data;
    batch(() => {
      if (data?.documentId !== undefined) this.documentId.value = data.documentId;
      this.#take(data ?? {}, answer.etag, true);
      for (const [name, value] of typedMeanwhile) this.#put(name, value);
      this.problems.value = [];
      this.work.restoredFrom.value = undefined;
    });
    // Nothing is left of it, except for what was typed meanwhile.
    await this.work.settle();
    return true;
  }

  /** Resolves with whether the document could be published as it is in the form; all that is in the
   *  way is in `problems`. */
  check(): Promise<boolean> {
    flushEditors();
    return this.#alone(() => this.#check());
  }

  async #check(): Promise<boolean> {
    // Whatever else is wrong is said by the write itself.
    this.#setProblems(await findProblems(this.type.uid, this.documentId.value, this.locale, this.#body(this.changes.value)));
    return this.problems.value.length === 0;
  }

  #body(changes: Values): Values {
    const written = this.attributes.filter((each) => each.name in changes && this.mayWrite(each));
    return Object.fromEntries(
      written.map((each) => [each.name, bodyOf(each, changes[each.name], this.stored.value[each.name], componentOf)]),
    );
  }

  async #refused({ status, failure }: Answer, merges: number): Promise<boolean> {
    if (status === 412 && merges > 0) {
      const current = await requestDocument(this.type, 'GET', this.apiPath, { query: this.#query() });
      if (current.ok) {
        // With what was typed meanwhile.
        flushEditors();
        this.#mergeWith(this.changes.value, this.stored.value, { values: current.json?.data ?? {}, etag: current.etag });
        this.hasMerged = true;
        // Others have changed something else: the user need not choose.
        if (this.conflict.value === undefined) return this.#save(merges - 1);
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
  act(action: 'publish' | 'unpublish' | 'discard-draft'): Promise<boolean> {
    return this.#alone(() => this.#act(action));
  }

  async #act(action: 'publish' | 'unpublish' | 'discard-draft'): Promise<boolean> {
    const answer = await request('POST', `${this.apiPath}/actions/${action}`, {
      query: this.locale === undefined ? '' : `locale=${encodeURIComponent(this.locale)}`,
      headers: this.#etag === undefined ? {} : { 'If-Match': this.#etag },
    });
    if (!answer.ok) {
      // The user sees what others have saved, and can try again.
      if (answer.status === 412) await this.#reload();
      this.#report(answer.failure);
      return false;
    }
    if (action === 'discard-draft') await this.discard();
    await this.#reload();
    return true;
  }

  async #reload(): Promise<void> {
    const answer = await requestDocument(this.type, 'GET', this.apiPath, { query: this.#query() });
    if (answer.ok) this.#mergeWith(this.changes.value, this.stored.value, { values: answer.json?.data ?? {}, etag: answer.etag });
  }

  /** `all`: in every locale. */
  async remove(all: boolean): Promise<boolean> {
    const locale = all ? '*' : this.locale;
    const answer = await request('DELETE', this.apiPath, { query: locale === undefined ? '' : `locale=${encodeURIComponent(locale)}` });
    if (!answer.ok) {
      this.#report(answer.failure);
      return false;
    }
    await this.discard();
    return true;
  }
}
