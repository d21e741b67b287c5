/** The chosen rows of a list, and the one that keys act on. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Row } from './rows.ts';

export class Selection {
  readonly #rows: Signal<readonly Row[] | undefined>;
  readonly #picked = signal<ReadonlySet<string>>(new Set());
  /** Only rows that are shown can be chosen: what nobody sees is not deleted by mistake. */
  readonly ids: ReadonlySignal<readonly string[]>;
  /** The index of the row that keys act on. */
  readonly current = signal(0);
  /** Where a range begins. */
  #anchor = 0;

  constructor(rows: Signal<readonly Row[] | undefined>) {
    this.#rows = rows;
    this.ids = computed(() => this.#shown().filter((id) => this.#picked.value.has(id)));
  }

  #shown(): readonly string[] {
    return (this.#rows.value ?? []).map(({ documentId }) => documentId);
  }

  has(documentId: string): boolean {
    return this.#picked.value.has(documentId);
  }

  get isWhole(): boolean {
    const { length } = this.#shown();
    return length > 0 && this.ids.value.length === length;
  }

  /** Chooses a row or drops it; with `isRange` also those between it and the one before. */
  toggle(index: number, isRange: boolean): void {
    const shown = this.#shown();
    const isChosen = !this.has(shown[index] ?? '');
    const from = isRange ? Math.min(this.#anchor, index) : index;
    const to = isRange ? Math.max(this.#anchor, index) : index;
    this.#set(shown.slice(from, to + 1), isRange || isChosen);
    this.#anchor = index;
    this.current.value = index;
  }

  /** All rows that are shown, or none. */
  toggleAll(): void {
    this.#set(this.#shown(), !this.isWhole);
  }

  clear(): void {
    this.#picked.value = new Set();
  }

  #set(ids: readonly string[], isChosen: boolean): void {
    const picked = new Set(this.ids.value);
    for (const id of ids) {
      if (isChosen) picked.add(id);
      else picked.delete(id);
    }
    this.#picked.value = picked;
  }
}
