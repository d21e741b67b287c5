/** Relations keep their order through publishing, edits of the other side and locales: random commands over HTTP, held against a model after each.
 *  A failing sequence is shrunk and printed as requests. `LECTERN_TEST_ORDER_SEED` varies the sequences, `LECTERN_TEST_ORDER_RUNS` makes more.
 *
 *  The rules speak of versions: a document of a type with drafts has a draft and perhaps a published version in each of its locales, one of a
 *  type without drafts is one version. Drafts link to drafts, published versions to published ones, and what has no drafts links to either.
 *
 *  1. A body gives its own list the order that it says: `set` as it stands there, `connect` at its position or at the end, and what is there
 *     already moves. What it does not name stays where it is. A type without drafts links to both versions of what its body names.
 *  2. In the lists of the other side, what comes is the last, what goes leaves no gap, and what stays keeps its place.
 *  3. Publishing gives the published version the draft's lists in the draft's order, without the targets that have no published version.
 *     Discarding a draft does the same the other way round.
 *  4. What rule 3 brings into the list of another version stands there before the first of those that follow it in that version's draft (when a
 *     draft is discarded: in its published version), at the end when there is none. So lists in the same order stay in the same order. In the
 *     list of what has no drafts it stands behind the version that it was copied from.
 *  5. When a document gets its first published version, published versions whose drafts link to it one-way link to it, too, at the place of
 *     rule 4; so does what has no drafts.
 *  6. A book stands on one shelf: it leaves the list of the one, as in rule 2, when it comes into that of another.
 *  7. A new locale has no relations but those of its body. What is deleted or unpublished leaves all lists. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles, type WrittenType } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import type { RunningServer } from '../../support/server.ts';

// --- the types

const locales = ['en', 'fr'] as const;
type Locale = (typeof locales)[number];
type TypeName = 'book' | 'tag' | 'shelf' | 'badge';
interface Type {
  readonly drafts: boolean;
  readonly localized: boolean;
}
const types: Readonly<Record<TypeName, Type>> = {
  book: { drafts: true, localized: true },
  tag: { drafts: true, localized: true },
  shelf: { drafts: true, localized: false },
  badge: { drafts: false, localized: false },
};

/** `attribute` of the one type leads to the other, whose `inverse` leads back. */
interface Relation {
  readonly type: TypeName;
  readonly attribute: string;
  readonly kind: 'manyToMany' | 'oneToMany';
  readonly target: TypeName;
  readonly inverse?: string;
}
const relations: readonly Relation[] = [
  { type: 'book', attribute: 'tags', kind: 'manyToMany', target: 'tag', inverse: 'books' },
  { type: 'book', attribute: 'cites', kind: 'manyToMany', target: 'book', inverse: 'citedBy' },
  { type: 'book', attribute: 'badges', kind: 'manyToMany', target: 'badge', inverse: 'books' },
  { type: 'shelf', attribute: 'books', kind: 'oneToMany', target: 'book', inverse: 'shelf' },
  { type: 'book', attribute: 'picks', kind: 'manyToMany', target: 'tag' },
  { type: 'book', attribute: 'similar', kind: 'oneToMany', target: 'book' },
  { type: 'badge', attribute: 'favourites', kind: 'oneToMany', target: 'book' },
];

/** One side of a relation, as the type sees it that has the attribute. */
interface Side {
  readonly relation: Relation;
  readonly attribute: string;
  readonly type: TypeName;
  readonly target: TypeName;
  readonly toOne: boolean;
  readonly owning: boolean;
}
const sides: readonly Side[] = relations.flatMap((relation) => {
  const { attribute, type, target, inverse, kind } = relation;
  const own = { relation, attribute, type, target, toOne: false, owning: true };
  if (inverse === undefined) return [own];
  return [own, { relation, attribute: inverse, type: target, target: type, toOne: kind === 'oneToMany', owning: false }];
});
const sidesOf = (type: TypeName) => sides.filter((side) => side.type === type);
const otherSide = ({ relation, owning }: Side) => sides.find((side) => side.relation === relation && side.owning !== owning);

function attributesOf(name: TypeName) {
  const attributes = sidesOf(name).map(({ relation: { inverse, kind, attribute: own }, attribute, target, owning, toOne }) => {
    const other = owning ? inverse : own;
    // The many side of a one-to-many relation has the link table.
    const mapped = kind === 'oneToMany' ? owning : !owning;
    return [
      attribute,
      relation(toOne ? 'manyToOne' : kind, target, other === undefined ? {} : { [mapped ? 'mappedBy' : 'inversedBy']: other }),
    ];
  });
  return { run: { type: 'integer' }, ...Object.fromEntries(attributes) };
}

// --- the model

interface Doc {
  readonly name: string;
  readonly type: TypeName;
  readonly documentId: string;
}
interface Version {
  readonly doc: Doc;
  readonly locale: Locale | undefined;
  readonly status: 'draft' | 'published' | 'only';
}
const nameOf = ({ doc, locale, status }: Version) => [doc.name, locale, status].filter((part) => part !== undefined).join(' ');

/** Entries of `list` with `entry` before the one at `index`. */
const inserted = <T>(list: readonly T[], index: number, entry: T): T[] => [...list.slice(0, index), entry, ...list.slice(index)];

interface Named {
  readonly doc: Doc;
  readonly locale: Locale | undefined;
}
interface Placed extends Named {
  readonly at: 'none' | 'start' | 'end' | 'before' | 'after';
  readonly anchor: Named | undefined;
}
type Change =
  | { readonly kind: 'set'; readonly targets: readonly Named[] }
  | { readonly kind: 'change'; readonly connect: readonly Placed[]; readonly disconnect: readonly Named[] };

const same = (a: Named, b: Named) => a.doc === b.doc && a.locale === b.locale;

class Model {
  readonly #versions = new Map<string, Version>();
  readonly #lists = new Map<Side, Map<Version, readonly Version[]>>(sides.map((side) => [side, new Map()]));

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
      const list = this.list(side, from).flatMap((target) => counterpart(target) ?? []);
      this.write(side, copy, list, (other, target) => placeIn(other, target, from));
    }
    if (!isNew || to !== 'published') return;
    for (const side of sides) {
      if (side.target !== from.doc.type || otherSide(side) !== undefined) continue;
      for (const version of this.versions) {
        if (!this.list(side, version).includes(from)) continue;
        const owner = counterpart(version);
        if (owner !== undefined && !this.list(side, owner).includes(copy))
          this.#setList(side, owner, inserted(this.list(side, owner), placeIn(side, owner, from), copy));
      }
    }
  }

  /** Rule 7. */
  remove(version: Version): void {
    this.#versions.delete(nameOf(version));
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

// --- the commands

/** Numbers choose among what there is when the command is carried out, so that any sequence means something and shrinks well. */
interface Command {
  readonly action: 'set' | 'change' | 'publish' | 'unpublish' | 'discard' | 'delete';
  readonly doc: number;
  readonly locale: Locale;
  readonly side: number;
  readonly targets: readonly number[];
  readonly disconnect: readonly number[];
  readonly at: Placed['at'];
  readonly anchor: number;
  /** In a body: the document is published too. In other commands: they apply to all locales. */
  readonly published: boolean;
}

const number = fc.nat({ max: 11 });
const command: fc.Arbitrary<Command> = fc.record({
  action: fc.oneof(
    { weight: 6, arbitrary: fc.constant('set' as const) },
    { weight: 8, arbitrary: fc.constant('change' as const) },
    { weight: 8, arbitrary: fc.constant('publish' as const) },
    { weight: 2, arbitrary: fc.constant('unpublish' as const) },
    { weight: 2, arbitrary: fc.constant('discard' as const) },
    { weight: 1, arbitrary: fc.constant('delete' as const) },
  ),
  doc: number,
  locale: fc.oneof({ weight: 4, arbitrary: fc.constant('en' as const) }, { weight: 1, arbitrary: fc.constant('fr' as const) }),
  side: number,
  targets: fc.array(number, { maxLength: 4 }),
  disconnect: fc.array(number, { maxLength: 2 }),
  at: fc.constantFrom('none', 'start', 'end', 'before', 'after'),
  anchor: number,
  published: fc.boolean(),
});

const documents = [0, 1, 2, 3, 4, 5];
const none: Omit<Command, 'action'> = {
  doc: 0,
  locale: 'en',
  side: 0,
  targets: [],
  disconnect: [],
  at: 'none',
  anchor: 0,
  published: false,
};
/** Each side of each relation: lists of all that there is, one way and the other, of which something is published later, twice. */
const eachSide = sides.map(({ relation: each, owning }): [Relation[], Command[]] => {
  const lists = [
    [0, 1, 2],
    [2, 1, 0],
  ].map((targets, doc): Command => ({ ...none, action: 'set', doc, side: owning ? 0 : 1, targets, published: true }));
  const all = (action: Command['action']) => documents.map((doc): Command => ({ ...none, action, doc }));
  return [[each], [...lists, ...all('publish'), ...all('unpublish'), ...all('publish').reverse()]];
});

/** A book that cites itself, cited by another one before. */
const itself = [1, 0].map((doc): Command => ({ ...none, action: 'change', doc, targets: [0], published: doc === 0 }));
/** A book that comes onto a shelf in two locales, the second one first, and is published in both at once. */
const inLocales: Command[] = [
  ...(['fr', 'en'] as const).map((locale): Command => ({ ...none, action: 'set', locale, side: 1, targets: [0] })),
  { ...none, action: 'unpublish' },
  { ...none, action: 'publish', published: true },
];
const examples: [Relation[], Command[]][] = [
  ...eachSide,
  [relations.filter(({ inverse }) => inverse === 'citedBy'), itself],
  [relations.filter(({ inverse }) => inverse === 'shelf'), inLocales],
];

const chosen = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];
const distinct = <T>(list: readonly T[]): T[] => [...new Set(list)];
/** A target in a body: a document and its locale, which is optional between types with locales. */
const written = ({ doc, locale }: Named) => ({ documentId: doc.documentId, ...(locale === undefined ? {} : { locale }) });

class Sequence {
  readonly #server: RunningServer;
  readonly #run: number;
  readonly #sides: readonly Side[];
  readonly #model = new Model();
  readonly #docs: Doc[] = [];
  readonly #told: string[] = [];

  /** Few relations, so that commands come across each other. */
  constructor(server: RunningServer, run: number, among: readonly Relation[]) {
    this.#server = server;
    this.#run = run;
    this.#sides = sides.filter(({ relation }) => among.includes(relation));
  }

  async begin(): Promise<void> {
    const first: readonly [TypeName, count: number, published: number][] = [
      ['book', 3, 2],
      ['tag', 3, 2],
      ['shelf', 2, 1],
      ['badge', 2, 2],
    ];
    const concerned = first.filter(([type]) => this.#sides.some((side) => side.type === type || side.target === type));
    const made = concerned.flatMap(([type, count, published]) =>
      Array.from({ length: count }, async (_each, index): Promise<[Doc, boolean]> => {
        const path = `/api/${type}s?status=${index < published ? 'published' : 'draft'}`;
        const answer = await this.#send('POST', path, { data: { run: this.#run } });
        const { documentId } = (answer as { data: { documentId: string } }).data;
        return [{ name: `${type}${index + 1}`, type, documentId }, index < published];
      }),
    );
    for (const [doc, published] of await Promise.all(made)) {
      const { drafts, localized } = types[doc.type];
      this.#docs.push(doc);
      const version = this.#model.add({ doc, locale: localized ? 'en' : undefined, status: drafts ? 'draft' : 'only' });
      if (drafts && published) this.#model.copy(version, 'published');
    }
  }

  /** Carries the command out on both sides, unless it means nothing now, and compares them. */
  async run(command: Command): Promise<void> {
    const edits = command.action === 'set' || command.action === 'change';
    if (!(await (edits ? this.#edit(command) : this.#act(command)))) return;
    for (const status of ['draft', 'published'] as const) {
      const [expected, shown] = [this.#model.shown(status), await this.#shown(status)];
      expect(shown, `${status}, after\n${this.#told.join('\n')}\n`).toEqual(expected);
    }
  }

  async #edit(command: Command): Promise<boolean> {
    const side = chosen(this.#sides, command.side);
    const doc = chosen(
      this.#docs.filter(({ type }) => type === side?.type),
      command.doc,
    );
    if (side === undefined || doc === undefined) return false;
    const { drafts, localized } = types[doc.type];
    const locale = localized ? command.locale : undefined;
    const model = this.#model;
    const version: Version = model.edited(doc, locale) ?? { doc, locale, status: 'draft' };
    // The first version of a document that is gone, or was never there, cannot be edited.
    if (!model.versions.some((each) => each.doc === doc)) return false;
    const linkable: Named[] = model.versions.filter(
      (each) =>
        each.doc.type === side.target &&
        each.status !== 'published' &&
        // A document that is made by this very request is not there to be linked.
        (locale === undefined || each.locale === undefined || each.locale === locale),
    );
    const targets = distinct(command.targets.flatMap((index) => chosen(linkable, index) ?? [])).slice(0, side.toOne ? 1 : undefined);
    const present = model.list(side, version).filter((each) => !targets.some((target) => same(each, target)));
    const anchor = chosen(present, command.anchor);
    const at = anchor === undefined && (command.at === 'before' || command.at === 'after') ? 'none' : command.at;
    const disconnect = distinct(command.disconnect.flatMap((index) => chosen(linkable, index) ?? []));
    const change: Change =
      command.action === 'set'
        ? { kind: 'set', targets }
        : { kind: 'change', connect: targets.map((target) => ({ ...target, at, anchor })), disconnect };
    const query = [...(locale === undefined ? [] : [`locale=${locale}`]), ...(drafts && !command.published ? ['status=draft'] : [])];
    await this.#send('PATCH', `/api/${doc.type}s/${doc.documentId}?${query.join('&')}`, {
      data: { run: this.#run, [side.attribute]: bodyOf(change) },
    });
    const edited = model.edited(doc, locale) ?? model.add(version);
    model.change(side, edited, change);
    if (drafts && command.published) model.copy(edited, 'published');
    return true;
  }

  async #act({ action, doc: index, locale: asked, published: everywhere }: Command): Promise<boolean> {
    const doc = chosen(this.#docs, index);
    if (doc === undefined) return false;
    const { localized } = types[doc.type];
    const model = this.#model;
    const codes = !localized ? [undefined] : everywhere ? locales : [asked];
    const needed = action === 'publish' ? 'draft' : 'published';
    const concerned = codes.flatMap((locale) => {
      const versions =
        action === 'delete' ? [model.edited(doc, locale), model.version(doc, locale, 'published')] : [model.version(doc, locale, needed)];
      return versions.filter((version) => version !== undefined);
    });
    if (concerned.length === 0) return false;
    const path = `/api/${doc.type}s/${doc.documentId}`;
    const query = localized ? `?locale=${everywhere ? '*' : asked}` : '';
    if (action === 'delete') await this.#send('DELETE', `${path}${query}`);
    else await this.#send('POST', `${path}/actions/${action === 'discard' ? 'discard-draft' : action}${query}`);
    for (const version of concerned) {
      if (action === 'publish') model.copy(version, 'published');
      else if (action === 'discard') model.copy(version, 'draft');
      else model.remove(version);
    }
    return true;
  }

  async #shown(status: 'draft' | 'published'): Promise<Record<string, readonly string[]>> {
    const lists = await Promise.all(
      distinct(this.#docs.map(({ type }) => type)).map(async (type) => {
        const { localized } = types[type];
        const populate = sidesOf(type).map(({ attribute }) => `populate[${attribute}][fields]=run`);
        const query = [`filters[run]=${this.#run}`, `status=${status}`, ...(localized ? ['locale=*'] : []), ...populate].join('&');
        const { data } = (await this.#send('GET', `/api/${type}s?${query}`)) as { data: readonly Entry[] };
        return data.map((entry) => ({ type, entry }));
      }),
    );
    const rows = lists.flat();
    const names = new Map(rows.map(({ type, entry }) => [`${type} ${entry.id}`, this.#nameOf(type, entry, status)]));
    return Object.fromEntries(
      rows.flatMap(({ type, entry }) =>
        sidesOf(type).map(({ attribute, target }) => {
          const value = entry[attribute] as Entry | readonly Entry[] | null;
          const targets = value === null ? [] : Array.isArray(value) ? (value as readonly Entry[]) : [value as Entry];
          return [
            `${this.#nameOf(type, entry, status)}: ${attribute}`,
            targets.map(({ id }) => names.get(`${target} ${id}`) ?? `row ${id}`),
          ];
        }),
      ),
    );
  }

  #nameOf(type: TypeName, { documentId, locale }: Entry, status: 'draft' | 'published'): string {
    const doc = this.#docs.find((each) => each.documentId === documentId);
    if (doc === undefined) return `${type} ${documentId}`;
    const { drafts, localized } = types[type];
    return nameOf({ doc, locale: localized ? locale : undefined, status: drafts ? status : 'only' });
  }

  async #send(method: string, path: string, body?: unknown): Promise<unknown> {
    if (method !== 'GET') this.#told.push(this.#readable(`${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`));
    const answer = await this.#server.send({ method, path, body });
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}\nafter\n${this.#told.join('\n')}`);
    return answer.text === '' ? undefined : answer.json();
  }

  /** With names in place of documentIds. */
  #readable = (text: string) => this.#docs.reduce((all, { name, documentId }) => all.replaceAll(documentId, name), text);
}

interface Entry {
  readonly id: number;
  readonly documentId: string;
  readonly locale: Locale;
  readonly [attribute: string]: unknown;
}

function bodyOf(change: Change): unknown {
  if (change.kind === 'set') return { set: change.targets.map(written) };
  const connect = change.connect.map((placed) => {
    if (placed.at === 'none') return written(placed);
    const { anchor } = placed;
    const beside = anchor === undefined ? {} : { [placed.at]: anchor.doc.documentId, locale: anchor.locale };
    return { ...written(placed), position: placed.at === 'before' || placed.at === 'after' ? beside : { [placed.at]: true } };
  });
  return { connect, disconnect: change.disconnect.map(written) };
}

const seed = Number(process.env.LECTERN_TEST_ORDER_SEED ?? 20_261_121);
const numRuns = Number(process.env.LECTERN_TEST_ORDER_RUNS ?? 25);

const names = Object.keys(types) as TypeName[];
const files = schemaFiles(
  Object.fromEntries(
    names.map((name): [string, WrittenType] => {
      const { drafts, localized } = types[name];
      return [name, { ...(drafts && { drafts }), ...(localized && { localized }), attributes: attributesOf(name) }];
    }),
  ),
);
const rights = names.flatMap((name) =>
  ['find', 'findOne', 'findDraft', 'create', 'update', 'delete', 'publish'].map((right) => `api::${name}.${name}.${right}`),
);

describe.each(engines)('%s: the order of relations', (engine) => {
  const project = useProject(engine, { files, locales: locales.map((code) => ({ code, name: code })), public: rights });

  it('is that of the model, after every command', { timeout: 600_000 }, async () => {
    let runs = 0;
    const some = fc.uniqueArray(fc.constantFrom(...relations), { minLength: 1, maxLength: 2 });
    const property = fc.asyncProperty(some, fc.array(command, { minLength: 1, maxLength: 20, size: 'max' }), async (among, commands) => {
      runs++;
      const sequence = new Sequence(project.server, runs, among);
      await sequence.begin();
      for (const each of commands) await sequence.run(each);
    });
    await fc.assert(property, { seed, numRuns: numRuns + examples.length, examples });
  });
});
