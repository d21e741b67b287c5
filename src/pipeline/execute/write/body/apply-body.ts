/** A body, and the entry that it changes → the entry that is wanted. Only what the body concerns is in it; a new entry is whole. */
import { ApiError } from '../../../../errors/api-error.ts';
import { fileKind } from '../../../../media/types/file-kind.ts';
import type { StoredValue } from '../../../../model/attributes/attribute-type.ts';
import { wrongType } from '../../../../model/attributes/cast.ts';
import { defaultOf } from '../../../../model/attributes/default-of.ts';
import type {
  Attribute,
  ComponentAttribute,
  ContentModel,
  DynamicZoneAttribute,
  MediaAttribute,
  ScalarAttribute,
  Schema,
} from '../../../../model/content-model.ts';
import type { BodyComponents, BodyEntry, BodyItem, RelationChange, Target } from '../../../parse/body/types.ts';
import type { WriteRules } from '../../../plan/types.ts';
import {
  type Entry,
  emptyEntry,
  isContent,
  isLinkAttribute,
  isPartAttribute,
  type Link,
  type LinkAttribute,
  type Part,
  type PartAttribute,
  type TargetRow,
} from '../entry/entry.ts';
import type { Source, Targets, Unit } from '../entry/link-targets.ts';
import { type Problems, writtenPath } from './body-problems.ts';
import { orderUnits, type Placed } from './order-units.ts';

export interface ApplyParts {
  readonly model: ContentModel;
  readonly targets: Targets;
  readonly source: Source;
  readonly rules: WriteRules;
  /** False for drafts, of which less is asked. */
  readonly strict: boolean;
  readonly hashes: ReadonlyMap<string, string>;
  readonly problems: Problems;
}

/** `creation` asks for what is required and fills in defaults; `update` leaves alone what is not named. */
export type Mode = 'creation' | 'update';

const invalidRelations = 'Invalid relations';
const noComponent = 'Cannot build relations store from dynamiczone, component identifier is undefined';

const nothing: BodyEntry = { uid: '', id: undefined, scalars: new Map(), relations: new Map(), components: new Map() };

export class BodyApplier {
  readonly #parts: ApplyParts;
  /** Row ids that the body names and nobody has, by type; Strapi counts them in one message. */
  readonly #missing = new Map<string, Set<number>>();
  /** Strapi's message for the first value that cannot be read. */
  #unreadable: string | undefined;

  constructor(parts: ApplyParts) {
    this.#parts = parts;
  }

  /** `copied` gives a new locale what it shares with the others, where the body has nothing. */
  document(body: BodyEntry, schema: Schema, current: Entry | undefined, copied: Entry | undefined): Entry {
    const entry = this.#entry(body, schema, current, copied, [], current === undefined ? 'creation' : 'update');
    const { problems } = this.#parts;
    if (this.#unreadable !== undefined) problems.add([], this.#unreadable);
    for (const [type, ids] of this.#missing) {
      problems.add([], `${ids.size} relation(s) of type ${type} associated with this entity do not exist`);
    }
    return entry;
  }

  #entry(
    body: BodyEntry,
    schema: Schema,
    current: Entry | undefined,
    copied: Entry | undefined,
    path: readonly string[],
    mode: Mode,
  ): Entry {
    const entry = emptyEntry(schema, current?.id);
    for (const attribute of schema.attributes.values()) {
      if (!isContent(attribute)) continue;
      const place = [...path, attribute.name];
      if (attribute.kind === 'scalar') {
        const value = this.#scalar(body, attribute, copied, place, mode, current === undefined);
        if (value !== undefined) entry.values.set(attribute.name, value);
      } else if (isLinkAttribute(attribute)) {
        const links = this.#links(body, attribute, current, copied, place, mode);
        if (links !== undefined) entry.links.set(attribute.name, links);
      } else if (isPartAttribute(attribute)) {
        const parts = this.#components(body, attribute, current, copied, place, mode);
        if (parts !== undefined) entry.parts.set(attribute.name, parts);
      }
    }
    return entry;
  }

  /** Undefined: stays as it is. */
  #scalar(
    body: BodyEntry,
    attribute: ScalarAttribute,
    copied: Entry | undefined,
    path: readonly string[],
    mode: Mode,
    isNew: boolean,
  ): StoredValue | undefined {
    const { strict, problems, hashes } = this.#parts;
    const read = body.scalars.get(attribute.name);
    const inherited = copied?.values.get(attribute.name);
    if ((read === undefined || read.ok === 'null') && inherited !== undefined && inherited !== null) return inherited;
    // What the other locales have emptied stays empty: a default would be written back to them.
    if (read === undefined && inherited !== null) {
      if (!isNew) return undefined;
      const initial = defaultOf(attribute);
      if (initial === undefined && attribute.required && strict && mode === 'creation')
        problems.add(path, () => `${writtenPath(path)} must be defined.`);
      return initial === undefined || attribute.type === 'password' ? null : initial;
    }
    if (read === undefined || read.ok === 'null') {
      if (attribute.required && strict) problems.addValue(path, () => requiredNull(attribute));
      return null;
    }
    if (read.ok === 'unread') {
      problems.stop();
      return null;
    }
    if (!read.ok) {
      for (const problem of read.problems) problems.addValue(path, problem);
      if (read.unread) problems.stop();
      return null;
    }
    if (attribute.type !== 'password' || typeof read.value !== 'string') return read.value;
    // Without a hash there is no password: the plain text is never written.
    return hashes.get(read.value) ?? null;
  }

  #links(
    body: BodyEntry,
    attribute: LinkAttribute,
    current: Entry | undefined,
    copied: Entry | undefined,
    path: readonly string[],
    mode: Mode,
  ): readonly Link[] | undefined {
    const change = body.relations.get(attribute.name);
    const inherited = copied?.links.get(attribute.name);
    const before = current?.links.get(attribute.name) ?? inherited ?? [];
    const { strict, rules, problems } = this.#parts;
    let links: readonly Link[] | undefined;
    const isGiven = change !== undefined && !(inherited !== undefined && change.kind === 'set' && change.isNull === true);
    if (change?.kind === 'set' && change.problem !== undefined) {
      const { problem } = change;
      problems.add(path, () => `${writtenPath(path)} ${problem}`);
      return current === undefined ? [] : undefined;
    }
    if (!isGiven) links = current === undefined ? (inherited ?? []) : undefined;
    else links = this.#changed(attribute, change, before, path, current === undefined);
    const asked = links !== undefined && (mode === 'creation' || change !== undefined);
    if (asked && links?.length === 0 && attribute.required && strict && rules.requireRelations) {
      problems.add(path, () => `${writtenPath(path)} must be defined.`);
    }
    if (attribute.kind === 'media' && links !== undefined && rules.enforceSchema) this.#checkFiles(attribute, links, path);
    return links;
  }

  #changed(
    attribute: LinkAttribute,
    change: RelationChange,
    before: readonly Link[],
    path: readonly string[],
    isNew: boolean,
  ): readonly Link[] {
    const { targets, source } = this.#parts;
    const units = new Map<string, Unit>();
    const order: string[] = [];
    for (const { row } of before) {
      const { key } = targets.unitOf(row, source);
      const unit = units.get(key);
      units.set(key, { key, rows: [...(unit?.rows ?? []), row] });
      if (unit === undefined) order.push(key);
    }
    // Files that are attached already may stay, be moved and be taken away by callers who may not find them.
    const attached = attribute.kind === 'media' ? rowsByName(before) : undefined;
    const reached = (target: Target): Unit | undefined => {
      const row = target.by === 'unreadable' ? undefined : attached?.get(target.by === 'id' ? target.id : target.documentId);
      return row === undefined ? targets.unit(target, source) : targets.unitOf(row, source);
    };
    const find = (target: Target): Unit | undefined => {
      const unit = reached(target);
      if (unit === undefined) this.#reportMissing(target);
      return unit;
    };
    // With all its versions: of a document that is linked already, the other side may have unlinked one.
    const link = (target: Target): string | undefined => {
      const unit = find(target);
      if (unit !== undefined) units.set(unit.key, unit);
      return unit?.key;
    };
    const toOne = attribute.kind === 'relation' && attribute.cardinality === 'one';
    let wanted: readonly string[];
    if (change.kind === 'set') {
      const set = [...new Set(change.targets.flatMap((target) => link(target) ?? []))];
      // As recorded: of several for one, the last of a list counts, and the first that is connected.
      wanted = toOne ? set.slice(-1) : set;
    } else {
      // Disconnecting what is nobody's row id is as good as done.
      const disconnected = new Set(change.disconnect.flatMap((target) => reached(target)?.key ?? []));
      const exact = this.#parts.rules.enforceSchema;
      // As in Strapi, new documents and new components ignore `options.strict: false`.
      const strict = exact || change.strict || isNew;
      const linked = new Set(before.map(({ row }) => rowKey(row.uid, row.id)));
      const anchors = new Set(order);
      const placed = change.connect.flatMap(({ target, position, isPlaced }): Placed[] => {
        const key = link(target);
        const beside = 'anchor' in position ? (strict ? find : reached)(position.anchor) : undefined;
        const [row] = beside?.rows ?? [];
        // To Strapi, what is linked as its published version alone is not there.
        if (!exact && beside !== undefined && row !== undefined && !linked.has(rowKey(row.uid, row.id))) anchors.delete(beside.key);
        return key === undefined ? [] : [{ key, at: position.at, anchor: beside?.key, isPlaced, id: idOf(units.get(key), attribute) }];
      });
      const first = placed[0];
      if (!toOne) wanted = orderUnits(order, placed, disconnected, { path: writtenPath(path), anchors, strict });
      else wanted = first !== undefined ? [first.key] : order.filter((key) => !disconnected.has(key));
    }
    // As recorded: `connect` of a new entry counts from 0, everything else from 1.
    const from = isNew && change.kind === 'change' ? 0 : 1;
    const existing = new Map(before.map((link) => [`${link.row.uid} ${link.row.id}`, link]));
    return wanted
      .flatMap((key) => units.get(key)?.rows ?? [])
      .map((row, index) => {
        const same = existing.get(`${row.uid} ${row.id}`);
        return same === undefined ? { row, id: undefined, order: from + index, inverseOrder: undefined } : { ...same, order: from + index };
      });
  }

  #reportMissing(target: Target): void {
    if (target.by === 'id') {
      const ids = this.#missing.get(target.type) ?? new Set();
      this.#missing.set(target.type, ids.add(target.id));
    } else this.#unreadable ??= invalidRelations;
  }

  #checkFiles(attribute: MediaAttribute, links: readonly Link[], path: readonly string[]): void {
    const { problems } = this.#parts;
    if (attribute.cardinality === 'one' && links.length > 1) problems.add(path, () => `${writtenPath(path)} takes one file`);
    const { allowedTypes } = attribute;
    if (allowedTypes === undefined || allowedTypes.length === 0) return;
    const refused = links.find(({ row }) => row.mime !== undefined && !allowedTypes.includes(fileKind(row.mime)));
    if (refused !== undefined)
      problems.add(path, () => `${writtenPath(path)} takes ${allowedTypes.join(', ')} only, not ${refused.row.mime}`);
  }

  #components(
    body: BodyEntry,
    attribute: PartAttribute,
    current: Entry | undefined,
    copied: Entry | undefined,
    path: readonly string[],
    mode: Mode,
  ): readonly Part[] | undefined {
    const given = body.components.get(attribute.name);
    const inherited = copied?.parts.get(attribute.name);
    const { strict, problems } = this.#parts;
    const isList = attribute.kind === 'dynamiczone' || attribute.cardinality === 'many';
    if (inherited !== undefined && (given === undefined || given.value === null) && inherited.length > 0) return inherited;
    if (given === undefined) {
      if (current !== undefined) return undefined;
      // As in Strapi: of drafts, too, a list is asked for, though it may be empty.
      const isAsked = isList ? inherited === undefined : strict;
      if (attribute.required && isAsked && mode === 'creation') problems.add(path, () => `${writtenPath(path)} must be defined.`);
      return [];
    }
    if (isList) return this.#list(attribute, given, current, path, mode);
    if (given.value === null) {
      if (attribute.required && strict) problems.addValue(path, () => wrongType('object', null, undefined));
      return [];
    }
    const [item] = given.items;
    if (Array.isArray(given.value) || item?.kind !== 'entry') {
      problems.addValue(path, () => wrongType('object', given.value, undefined));
      return [];
    }
    const there = current && byRow(current.parts.get(attribute.name) ?? []);
    return [this.#part(attribute, item, there, path, mode)].flatMap((part) => part ?? []);
  }

  #list(
    attribute: PartAttribute,
    { value, items }: BodyComponents,
    current: Entry | undefined,
    path: readonly string[],
    mode: Mode,
  ): readonly Part[] {
    const { problems, strict } = this.#parts;
    if (!Array.isArray(value)) {
      problems.addValue(path, () => wrongType('array', value, undefined));
      return [];
    }
    const there = current && byRow(current.parts.get(attribute.name) ?? []);
    const parts = items.flatMap((item, index) => this.#part(attribute, item, there, [...path, String(index)], mode) ?? []);
    if (strict) checkCount(attribute, items.length, path, problems);
    const ids = parts.flatMap(({ join }) => join?.id ?? []);
    if (new Set(ids).size < ids.length) this.#notRelated(attribute);
    return parts;
  }

  /** `there`: the components that the attribute has; undefined in a new entry. */
  #part(attribute: PartAttribute, item: BodyItem, there: PartsByRow | undefined, path: readonly string[], mode: Mode): Part | undefined {
    const { model, rules, problems } = this.#parts;
    if (item.kind !== 'entry') {
      if (item.kind === 'malformed') this.#malformed(attribute, item.value, path);
      else problems.addUnlisted();
      return undefined;
    }
    const { entry } = item;
    const schema = model.components.get(entry.uid);
    if (schema === undefined) return undefined;
    if (attribute.kind === 'dynamiczone' && rules.enforceSchema && !attribute.components.includes(entry.uid)) {
      problems.add(
        [...path, '__component'],
        () => `${writtenPath(path)} cannot be a ${entry.uid}; this zone takes ${attribute.components.join(', ')}`,
        entry.uid,
      );
    }
    // The id of a component in a new entry means nothing, as in Strapi.
    if (entry.id === undefined || there === undefined) {
      return { entry: this.#entry(entry, schema, undefined, undefined, path, rules.enforceSchema ? 'creation' : mode), join: undefined };
    }
    const id =
      typeof entry.id === 'number' ? entry.id : typeof entry.id === 'string' && /^\d{1,15}$/.test(entry.id) ? Number(entry.id) : Number.NaN;
    const part = there.get(rowKey(entry.uid, id));
    if (part === undefined) {
      this.#notRelated(attribute);
      return undefined;
    }
    return { entry: this.#entry(entry, schema, part.entry, undefined, path, 'update'), join: part.join };
  }

  #notRelated(attribute: PartAttribute): void {
    const at = {
      attribute: attribute.name,
      hint: this.#parts.strict ? '' : ' (on a type with drafts, ids are those that status=draft shows)',
    };
    // Strapi's error for zones has another name and no details.
    const code = attribute.kind === 'dynamiczone' ? 'zone.not-related' : 'component.not-related';
    this.#parts.problems.later(() => ApiError.of(code, at));
  }

  #malformed(attribute: PartAttribute, value: unknown, path: readonly string[]): void {
    const { problems, model } = this.#parts;
    if (attribute.kind === 'component' || typeof value !== 'object' || value === null || Array.isArray(value)) {
      problems.addValue(path, () => wrongType('object', null, value ?? undefined));
      if (attribute.kind === 'dynamiczone') this.#unreadable ??= invalidRelations;
      return;
    }
    const place = [...path, '__component'];
    const name: unknown = '__component' in value ? value.__component : undefined;
    if (name === undefined) problems.add(place, () => `${writtenPath(place)} is a required field`);
    else {
      if (typeof name === 'object') problems.addValue(place, () => wrongType('string', name, undefined));
      problems.add(
        place,
        () => `${writtenPath(place)} must be one of the following values: ${[...model.components.keys()].join(', ')}`,
        typeof name === 'object' ? name : String(name),
      );
    }
    this.#unreadable ??= name === undefined || name === null || name === '' ? noComponent : invalidRelations;
  }
}

/** As Strapi's errors call a target: the row that a draft links to, with the type where each target names its own. */
function idOf(unit: Unit | undefined, attribute: LinkAttribute): string {
  const [row] = unit?.rows ?? [];
  if (row === undefined) return '';
  return attribute.kind === 'relation' && attribute.target === undefined ? `${row.id}:::${row.uid}` : String(row.id);
}

/** By their ids, and by their documentIds. */
const rowsByName = (links: readonly Link[]): ReadonlyMap<number | string | null, TargetRow> =>
  new Map(
    links.flatMap(({ row }): [number | string | null, TargetRow][] => [
      [row.id, row],
      [row.documentId, row],
    ]),
  );

type PartsByRow = ReadonlyMap<string, Part>;
const rowKey = (uid: string, id: number | undefined) => `${uid} ${id}`;
const byRow = (parts: readonly Part[]): PartsByRow => new Map(parts.map((part) => [rowKey(part.entry.schema.uid, part.entry.id), part]));

/** What a new component gets where a body says nothing about it. */
export const noBody = nothing;

export function checkCount(attribute: PartAttribute, count: number, path: readonly string[], problems: Problems): void {
  const { min, max } = attribute as ComponentAttribute | DynamicZoneAttribute;
  if (max !== undefined && count > max) problems.add(path, () => `${writtenPath(path)} field must have less than or equal to ${max} items`);
  if (min !== undefined && count < min && (attribute.required || count > 0))
    problems.add(path, () => `${writtenPath(path)} field must have at least ${min} items`);
}

export function requiredNull(attribute: ScalarAttribute) {
  switch (attribute.type) {
    case 'integer':
    case 'float':
    case 'decimal':
      return wrongType('number', Number.NaN, undefined);
    case 'boolean':
      return wrongType('boolean', null, undefined);
    case 'json':
    case 'blocks':
    case 'date':
    case 'time':
    case 'datetime':
    case 'timestamp':
    case 'biginteger':
      return { path: [], message: '{path} cannot be null', value: null };
    default:
      return wrongType('string', null, undefined);
  }
}

/** Whether the attribute is one that a PUT has to name. */
export const isFullBodyAttribute = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar' && !attribute.system && attribute.writable && !attribute.private;
