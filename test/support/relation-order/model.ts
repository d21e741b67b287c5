/** What the rules at the head of `relation-order.test.ts` make of each command. */
import { type Locale, otherSide, type Side, sides, sidesOf, type TypeName, types } from './types.ts';

export interface Doc {
  readonly name: string;
  readonly type: TypeName;
  readonly documentId: string;
}
export interface Version {
  readonly doc: Doc;
  readonly locale: Locale | undefined;
  readonly status: 'draft' | 'published' | 'only';
}
export const nameOf = ({ doc, locale, status }: Version) => [doc.name, locale, status].filter((part) => part !== undefined).join(' ');

/** Entries of `list` with `entry` before the one at `index`. */
const inserted = <T>(list: readonly T[], index: number, entry: T): T[] => [...list.slice(0, index), entry, ...list.slice(index)];

export interface Named {
  readonly doc: Doc;
  readonly locale: Locale | undefined;
}
export interface Placed extends Named {
  readonly at: 'none' | 'start' | 'end' | 'before' | 'after';
  readonly anchor: Named | undefined;
}
export type Change =
  | { readonly kind: 'set'; readonly targets: readonly Named[] }
  | { readonly kind: 'change'; readonly connect: readonly Placed[]; readonly disconnect: readonly Named[] };

export const same = (a: Named, b: Named) => a.doc === b.doc && a.locale === b.locale;

export class Model {
  readonly #versions = new Map<string, Version>();
  readonly #lists = new Map<Side, Map<Version, readonly Version[]>>(sides.map((side) => [side, new Map()]));
  /** What versions were published with, of one-way relations: also what had no published version. */
  readonly #publishedWith = new Map<Side, Map<Version, readonly Named[]>>(sides.map((side) => [side, new Map()]));

  get versions(): readonly Version[] {
    return [...this.#versions.values()];
  }

  version(doc: Doc, locale: Locale | undefined, status: Version['status']): Version | undefined {
    return this.#versions.get(nameOf({ doc, locale, status }));
  }

  /** The version that bodies change: the draft, or the only version. */
  edited = (doc: Doc, locale: Locale | undefined) => this.version(doc, locale, types[doc.type].drafts ? 'draft' : 'only');

  add(version: Version): Version {
    this.#versions.set(nameOf(version), version);
    return version;
  }

  list(side: Side, version: Version): readonly Version[] {
    return this.#lists.get(side)?.get(version) ?? [];
  }

  #setList(side: Side, version: Version, list: readonly Version[]): void {
    this.#lists.get(side)?.set(version, list);
  }

  /** Rules 1, 2, 6. `place` says where the version comes into the lists of the other side. */
  write(side: Side, version: Version, list: readonly Version[], place: (other: Side, target: Version) => number): void {
    const other = otherSide(side);
    const before = this.list(side, version);
    if (other !== undefined) {
      for (const target of before) if (!list.includes(target)) this.#remove(other, target, version);
      for (const target of list) {
        if (before.includes(target)) continue;
        if (other.toOne) for (const owner of this.list(other, target)) this.#unlink(other, target, owner);
        this.#setList(other, target, inserted(this.list(other, target), place(other, target), version));
      }
    }
    this.#setList(side, version, list);
  }

  #remove(side: Side, version: Version, removed: Version): void {
    this.#setList(
      side,
      version,
      this.list(side, version).filter((each) => each !== removed),
    );
  }

  #unlink(side: Side, version: Version, target: Version): void {
    this.#remove(side, version, target);
    const other = otherSide(side);
    if (other !== undefined) this.#remove(other, target, version);
  }

  /** Rule 1. */
  change(side: Side, version: Version, change: Change): void {
    const before = this.list(side, version);
    const present: Named[] = before.filter((each, index) => before.findIndex((other) => same(each, other)) === index);
    const named: readonly Named[] = change.kind === 'set' ? change.targets : change.connect;
    let order: Named[];
    if (change.kind === 'set') order = [...change.targets];
    else {
      order = present;
      for (const placed of change.connect) {
        order = order.filter((each) => !same(each, placed));
        const anchor = order.findIndex((each) => placed.anchor !== undefined && same(each, placed.anchor));
        const index = { none: order.length, end: order.length, start: 0, before: anchor, after: anchor + 1 }[placed.at];
        order = inserted(order, index, placed);
      }
      order = order.filter((each) => named.some((other) => same(each, other)) || !change.disconnect.some((other) => same(each, other)));
      if (side.toOne) order = change.connect.length > 0 ? change.connect.slice(0, 1) : order;
    }
    if (side.toOne) order = order.slice(-1);
    const list = order.flatMap((each) => {
      if (!named.some((other) => same(each, other))) return before.filter((present) => same(present, each));
      return this.#linkable(each, version);
    });
    this.write(side, version, list, (other, target) => this.list(other, target).length);
  }

  #linkable({ doc, locale }: Named, { status }: Version): Version[] {
    const statuses: readonly Version['status'][] = status === 'only' ? ['only', 'draft', 'published'] : ['only', status];
    return statuses.flatMap((each) => this.version(doc, locale, each) ?? []);
  }

  /** Rules 3, 4 and 5; `to` may be new. */
  copy(from: Version, to: 'published' | 'draft'): void {
    const counterpart = (version: Version) => (version.status === 'only' ? version : this.version(version.doc, version.locale, to));
    const origin = (version: Version) => this.version(version.doc, version.locale, from.status);
    const isNew = counterpart(from) === undefined;
    const copy = counterpart(from) ?? this.add({ ...from, status: to });
    /** Where the copy of `entry` comes into the list of `owner`. */
    const placeIn = (side: Side, owner: Version, entry: Version): number => {
      const list = this.list(side, owner);
      if (owner.status === 'only') return list.indexOf(entry) + 1;
      const originOfOwner = origin(owner);
      const originals = originOfOwner === undefined ? [] : this.list(side, originOfOwner);
      const following = originals.slice(originals.indexOf(entry) + 1).map(counterpart);
      const index = list.findIndex((each) => following.includes(each));
      return index === -1 ? list.length : index;
    };
    for (const side of sidesOf(from.doc.type)) {
      const isOneWay = otherSide(side) === undefined;
      const lists = this.#publishedWith.get(side);
      if (isOneWay && to === 'published') lists?.set(copy, this.list(side, from));
      const list =
        isOneWay && to === 'draft'
          ? (lists?.get(from) ?? []).flatMap(({ doc, locale }) => this.edited(doc, locale) ?? [])
          : this.list(side, from).flatMap((target) => counterpart(target) ?? []);
      this.write(side, copy, list, (other, target) => placeIn(other, target, from));
    }
    if (!isNew || to !== 'published') return;
    for (const side of sides) {
      if (side.target !== from.doc.type || otherSide(side) !== undefined) continue;
      for (const owner of this.versions) {
        if (owner.status === 'only' && this.list(side, owner).includes(from) && !this.list(side, owner).includes(copy))
          this.#setList(side, owner, inserted(this.list(side, owner), placeIn(side, owner, from), copy));
        const all = this.#publishedWith.get(side)?.get(owner) ?? [];
        if (!all.some((each) => same(each, copy))) continue;
        const now = all.flatMap(({ doc, locale }) => this.version(doc, locale, 'published') ?? this.version(doc, locale, 'only') ?? []);
        this.#setList(side, owner, now);
      }
    }
  }

  /** Rule 7. */
  remove(version: Version): void {
    this.#versions.delete(nameOf(version));
    for (const lists of this.#publishedWith.values()) {
      lists.delete(version);
      // An unpublished document may be published again.
      if (version.status === 'published') continue;
      for (const [owner, list] of lists)
        lists.set(
          owner,
          list.filter((each) => !same(each, version)),
        );
    }
    for (const [side, lists] of this.#lists) {
      lists.delete(version);
      for (const owner of [...lists.keys()]) this.#remove(side, owner, version);
    }
  }

  /** Every list that a reader of drafts or of published versions sees, by version and attribute. */
  shown(status: 'draft' | 'published'): Record<string, readonly string[]> {
    const visible = (version: Version) => version.status === 'only' || version.status === status;
    return Object.fromEntries(
      this.versions
        .filter(visible)
        .flatMap((version) =>
          sidesOf(version.doc.type).map((side): [string, string[]] => [
            `${nameOf(version)}: ${side.attribute}`,
            this.list(side, version).filter(visible).map(nameOf),
          ]),
        ),
    );
  }
}
