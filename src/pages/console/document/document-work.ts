/** The unsaved work on a document: what the browser keeps of its form, and what comes back. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { DescribedAttribute, DescribedType } from '../../../http/endpoints/me/described-me.ts';
import { componentOf } from '../server/me.ts';
import { FormWork, type WorkContent } from '../work/form-work.ts';
import { newName } from '../work/new-name.ts';
import { type Work, workKey } from '../work/work-store.ts';
import type { TypedValues } from './combine-work.ts';
import { pageHrefOf } from './document-paths.ts';
import { keptOf, movedTo } from './kept-values.ts';
import type { Values } from './values.ts';

/** A document in its form. */
interface Worked {
  readonly type: DescribedType;
  readonly locale: string | undefined;
  readonly draftName: string | undefined;
  readonly documentId: ReadonlySignal<string | undefined>;
  readonly state: ReadonlySignal<string>;
  readonly title: ReadonlySignal<string>;
  readonly href: string;
  readonly attributes: readonly DescribedAttribute[];
  readonly changes: ReadonlySignal<Values>;
  readonly stored: ReadonlySignal<Values>;
  readonly isChanged: ReadonlySignal<boolean>;
  readonly conflict: ReadonlySignal<unknown>;
  /** Fills the form with what was typed before, the oldest first. */
  readonly takeTyped: (parts: readonly TypedValues[]) => void;
}

export class DocumentWork {
  /** When the work was typed that was found in this browser. */
  readonly restoredFrom = signal<string | undefined>(undefined);
  /** What was typed into a document that is missing now. */
  readonly orphaned = signal<readonly Work[]>([]);
  readonly form: FormWork;
  readonly #document: Worked;

  constructor(document: Worked) {
    this.#document = document;
    this.form = new FormWork({
      documentKey: () => this.#keyOf(document.documentId.value ?? document.draftName),
      content: () => this.#content(),
      take: (works) => this.#take(works),
      mustChoose: () => document.conflict.value !== undefined || this.orphaned.value.length > 0,
    });
  }

  #keyOf(name: string | undefined): string {
    const { type, locale } = this.#document;
    return workKey(type.uid, type.kind === 'singleType' ? undefined : name, locale);
  }

  #content(): WorkContent | undefined {
    const { type, changes, stored, href, title } = this.#document;
    const kept = keptOf(type, changes.value, stored.value, componentOf);
    if (Object.keys(kept.changes).length === 0) return undefined;
    return { ...kept, href, title: title.value, typeLabel: type.label, changedAt: new Date().toISOString() };
  }

  #take(works: readonly Work[]): void {
    const { state, isChanged, conflict, takeTyped } = this.#document;
    if (state.value === 'missing') {
      this.orphaned.value = works;
      return;
    }
    takeTyped(works);
    this.restoredFrom.value = isChanged.value || conflict.value !== undefined ? works.at(-1)?.changedAt : undefined;
  }

  /** Makes the work on a missing document that of a new one. Resolves with where that is; undefined if
   *  the browser did not store it. */
  async beginAnew(): Promise<string | undefined> {
    const { type, locale, attributes } = this.#document;
    const draftName = newName();
    const href = pageHrefOf(type, { documentId: undefined, locale, draftName });
    const moved = this.orphaned.value.map((work) => {
      const id = newName();
      const values = movedTo(attributes, work, { componentOf, locale, title: type.title });
      return { ...work, ...values, href, id, key: `${this.#keyOf(draftName)} ${id}` };
    });
    return (await this.form.replaceTaken(moved)) ? href : undefined;
  }

  /** Brings the record to what the form has now: nothing, once that is saved or discarded. */
  async settle(): Promise<void> {
    this.form.keep();
    await this.form.settled();
  }
}
