import type { Entry } from '../../../entry/entry.ts';

/** Lists that are being filled, by entry and attribute. Lists can be long, so items are appended without copying the list. */
export class EntryLists<T> {
  readonly #lists = new Map<Entry, Map<string, T[]>>();

  begin(entry: Entry, name: string): readonly T[] {
    const list: T[] = [];
    const byName = this.#lists.get(entry);
    if (byName === undefined) this.#lists.set(entry, new Map([[name, list]]));
    else byName.set(name, list);
    return list;
  }

  of(entry: Entry | undefined, name: string): T[] | undefined {
    return entry === undefined ? undefined : this.#lists.get(entry)?.get(name);
  }
}

export const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
