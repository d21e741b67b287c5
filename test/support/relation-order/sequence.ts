import { expect } from 'vitest';
import type { RunningServer } from '../server.ts';
import type { Command } from './commands.ts';
import { type Change, type Doc, Model, type Named, nameOf, same, type Version } from './model.ts';
import { type Locale, locales, type Relation, type Side, sides, sidesOf, type TypeName, types } from './types.ts';

const chosen = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];
const distinct = <T>(list: readonly T[]): T[] => [...new Set(list)];
/** A target in a body: a document and its locale, which is optional between types with locales. */
const written = ({ doc, locale }: Named) => ({ documentId: doc.documentId, ...(locale === undefined ? {} : { locale }) });

/** Carries commands out over HTTP and on the model. */
export class Sequence {
  readonly #server: RunningServer;
  readonly #run: number;
  readonly #sides: readonly Side[];
  readonly #model = new Model();
  readonly #docs: Doc[] = [];
  readonly #sent: string[] = [];
  #isCompared = true;

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
        const response = await this.#send('POST', path, { data: { run: this.#run } });
        const { documentId } = (response as { data: { documentId: string } }).data;
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

  /** Carries the command out on both sides, unless it means nothing now. */
  async run(command: Command): Promise<void> {
    const edits = command.action === 'set' || command.action === 'change';
    if (await (edits ? this.#edit(command) : this.#act(command))) this.#isCompared = false;
  }

  /** Compares both sides, unless nothing has changed since. */
  async compare(): Promise<void> {
    if (this.#isCompared) return;
    this.#isCompared = true;
    for (const status of ['draft', 'published'] as const) {
      const [expected, shown] = [this.#model.shown(status), await this.#shown(status)];
      expect(shown, `${status}, after\n${this.#sent.join('\n')}\n`).toEqual(expected);
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
    if (method !== 'GET') this.#sent.push(this.#readable(`${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`));
    const response = await this.#server.send({ method, path, body });
    if (response.status >= 300) throw new Error(`${response.status} ${response.text.slice(0, 300)}\nafter\n${this.#sent.join('\n')}`);
    return response.text === '' ? undefined : response.json();
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
