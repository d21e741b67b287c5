/** Applies a relation or media attribute of a body. */
import { fileKind } from '../../media/types/file-kind.ts';
import type { MediaAttribute } from '../../model/content-model.ts';
import type { Link, LinkAttribute, TargetRow } from '../entry/entry.ts';
import type { RelationChange, Target } from '../parse/body/types.ts';
import { writtenPath } from './body-problems.ts';
import { isOwn } from './body-targets.ts';
import { type ConnectedTarget, orderTargets } from './order-targets.ts';
import type { BodyContext, BodyObject, ObjectContext, TargetDocument } from './types.ts';

/** Returns the wanted links; undefined if they stay as they are. */
export function applyLinks(
  attribute: LinkAttribute,
  { body, current, copied, mode }: BodyObject,
  path: readonly string[],
  context: ObjectContext,
): readonly Link[] | undefined {
  const { strict, rules, problems } = context;
  const change = body.relations.get(attribute.name);
  const inherited = copied?.links.get(attribute.name);
  const before = current?.links.get(attribute.name) ?? inherited ?? [];
  const isInBody = change !== undefined && !(inherited !== undefined && change.kind === 'set' && change.isNull === true);
  if (change?.kind === 'set' && change.problem !== undefined) {
    const { problem } = change;
    problems.add(path, () => `${writtenPath(path)} ${problem}`);
    return current === undefined ? [] : undefined;
  }
  let links: readonly Link[] | undefined;
  if (!isInBody) links = current === undefined ? (inherited ?? []) : undefined;
  else links = new LinkChange(attribute, before, context).apply(change, path, current === undefined);
  const isEnforced = links !== undefined && (mode === 'creation' || change !== undefined);
  if (isEnforced && links?.length === 0 && attribute.required && strict && rules.requireRelations) {
    problems.addUndefined(path, attribute, false);
  }
  if (attribute.kind === 'media' && links !== undefined && rules.enforceSchema) checkFiles(attribute, links, path, context);
  return links;
}

/** Applies an attribute's change. Orders documents, not rows: several rows of one can be linked. */
class LinkChange {
  readonly #attribute: LinkAttribute;
  readonly #before: readonly Link[];
  readonly #context: ObjectContext;
  readonly #documents = new Map<string, TargetDocument>();
  /** The keys of the linked documents, in order. */
  readonly #order: string[] = [];
  /** Attached files. Callers may keep, move and detach them without the right to find them. */
  readonly #attached: ReadonlyMap<number | string | null, TargetRow> | undefined;

  constructor(attribute: LinkAttribute, before: readonly Link[], context: ObjectContext) {
    this.#attribute = attribute;
    this.#before = before;
    this.#context = context;
    this.#attached = attribute.kind === 'media' ? rowsByName(before) : undefined;
    for (const { row } of before) {
      const { key } = context.targets.versionOf(row, context.source);
      const document = this.#documents.get(key);
      this.#documents.set(key, { key, rows: [...(document?.rows ?? []), row] });
      if (document === undefined) this.#order.push(key);
    }
  }

  apply(change: RelationChange, path: readonly string[], isNew: boolean): readonly Link[] {
    const wanted = change.kind === 'set' ? this.#set(change.targets, path) : this.#changed(change, path, isNew);
    // As recorded, `connect` in a new entry counts positions from 0, everything else from 1.
    const from = isNew && change.kind === 'change' ? 0 : 1;
    const stored = new Map(this.#before.map((link) => [rowKey(link.row), link]));
    return wanted
      .flatMap((key) => this.#documents.get(key)?.rows ?? [])
      .map((row, index) => {
        const same = stored.get(rowKey(row));
        return same === undefined ? { row, id: undefined, order: from + index, inverseOrder: undefined } : { ...same, order: from + index };
      });
  }

  get #isToOne(): boolean {
    return this.#attribute.kind === 'relation' && this.#attribute.cardinality === 'one';
  }

  #set(targets: readonly Target[], path: readonly string[]): readonly string[] {
    const set = [...new Set(targets.flatMap((target) => this.#link(target, path) ?? []))];
    // As recorded, a relation to one takes the last target of a list, but the first of `connect`.
    return this.#isToOne ? set.slice(-1) : set;
  }

  #changed(change: RelationChange & { readonly kind: 'change' }, path: readonly string[], isNew: boolean): readonly string[] {
    // Disconnecting a row id that does not exist has no effect.
    const disconnected = new Set(change.disconnect.flatMap((target) => this.#reached(target)?.key ?? []));
    const exact = this.#context.rules.enforceSchema;
    // As in Strapi, new documents and new components ignore `options.strict: false`.
    const strict = exact || change.strict || isNew;
    const linked = new Set(this.#before.map(({ row }) => rowKey(row)));
    const anchors = new Set(this.#order);
    const connected = change.connect.flatMap(({ target, position, hasPosition }): ConnectedTarget[] => {
      const key = this.#link(target, path);
      const beside = 'anchor' in position ? (strict ? this.#find(position.anchor, path) : this.#reached(position.anchor)) : undefined;
      const [row] = beside?.rows ?? [];
      // In Strapi, a document of which only the published row is linked cannot be an anchor.
      if (!exact && beside !== undefined && row !== undefined && !linked.has(rowKey(row))) anchors.delete(beside.key);
      return key === undefined ? [] : [{ key, at: position.at, anchor: beside?.key, hasPosition, id: this.#nameOf(key) }];
    });
    const [first] = connected;
    if (!this.#isToOne) return orderTargets(this.#order, connected, disconnected, { path: writtenPath(path), anchors, strict });
    return first !== undefined ? [first.key] : this.#order.filter((key) => !disconnected.has(key));
  }

  #reached(target: Target): TargetDocument | undefined {
    const { targets, source } = this.#context;
    const row = target.by === 'unreadable' ? undefined : this.#attached?.get(target.by === 'id' ? target.id : target.documentId);
    return row === undefined ? targets.find(target, source) : targets.versionOf(row, source);
  }

  #find(target: Target, path: readonly string[]): TargetDocument | undefined {
    const document = this.#reached(target);
    if (document === undefined && !isOwn(target)) this.#context.missing.add(target, path);
    return document;
  }

  /** Links a document's versions: the other side may have unlinked one version of a linked one. */
  #link(target: Target, path: readonly string[]): string | undefined {
    const document = this.#find(target, path);
    if (document !== undefined) this.#documents.set(document.key, document);
    return document?.key;
  }

  /** A target's name in Strapi's errors: the id of the row that a draft links to, with the type in
   *  a relation to any type. */
  #nameOf(key: string): string {
    const [row] = this.#documents.get(key)?.rows ?? [];
    if (row === undefined) return '';
    return this.#attribute.kind === 'relation' && this.#attribute.target === undefined ? `${row.id}:::${row.uid}` : String(row.id);
  }
}

function checkFiles(
  { cardinality, allowedTypes }: MediaAttribute,
  links: readonly Link[],
  path: readonly string[],
  { problems }: BodyContext,
): void {
  if (cardinality === 'one' && links.length > 1) problems.add(path, () => `${writtenPath(path)} takes one file`);
  if (allowedTypes === undefined || allowedTypes.length === 0) return;
  const refused = links.find(({ row }) => row.mime !== undefined && !allowedTypes.includes(fileKind(row.mime)));
  if (refused !== undefined)
    problems.add(path, () => `${writtenPath(path)} takes ${allowedTypes.join(', ')} only, not ${refused.row.mime}`);
}

/** Returns the linked rows by row id and by documentId. */
const rowsByName = (links: readonly Link[]): ReadonlyMap<number | string | null, TargetRow> =>
  new Map(
    links.flatMap(({ row }): [number | string | null, TargetRow][] => [
      [row.id, row],
      [row.documentId, row],
    ]),
  );

const rowKey = ({ uid, id }: TargetRow): string => `${uid} ${id}`;
