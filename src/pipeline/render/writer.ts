/** The JSON writer of a shape. Made once a plan; writes text straight from rows, with no objects in between. */
import type { Row } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { SignAddress } from '../../media/address-signer.ts';
import { attributeTypes } from '../../model/attributes/attribute-types.ts';
import type { CompiledLink, Shape } from '../compile/types.ts';
import type { LinkRows } from '../execute/types.ts';
import { addressWriter } from './addresses.ts';

/** Writes one row with its populated attributes. */
export type WriteEntry = (row: Row, links: readonly LinkRows[], budget: ByteBudget) => string;

/** Text grows with every level that rows are shared on, far beyond the rows themselves. */
export class ByteBudget {
  #left: number;
  readonly #limit: number;

  constructor(limit: number) {
    this.#left = limit;
    this.#limit = limit;
  }

  spend(text: string): void {
    this.#left -= text.length;
    if (this.#left < 0) throw ApiError.of('limit.response-bytes', { limit: this.#limit });
  }
}

/** Writes one member of an entry, with the comma before it. */
type WriteMember = WriteEntry;
/** One that the row alone tells. */
export type WriteColumn = (row: Row) => string;
type WriteLink = (parent: number, found: LinkRows, budget: ByteBudget) => string;

export interface Manner {
  readonly v4: boolean;
  readonly signAddress: SignAddress | undefined;
}

/** `last`: the member that each entry ends with. */
export function makeWriter(shape: Shape, manner: Manner, last?: WriteColumn): WriteEntry {
  const { v4, signAddress } = manner;
  const nested = v4 && !shape.component;
  const isTop = (key: string) => nested && (key === 'id' || key === 'documentId');
  const top = shape.columns.filter(({ key }) => isTop(key)).map((column) => columnWriter(column, signAddress));
  const members: readonly WriteMember[] = [
    ...shape.columns.filter(({ key }) => !isTop(key)).map((column) => columnWriter(column, signAddress)),
    ...shape.links.map((link, index) => linkWriter(link, index, shape.id, manner)),
    ...(last === undefined ? [] : [last]),
  ];
  if (!nested) return (row, links, budget) => `{${write(members, row, links, budget)}}`;
  return (row, links, budget) => `{${write(top, row, links, budget)},"attributes":{${write(members, row, links, budget)}}}`;
}

function write(members: readonly WriteMember[], row: Row, links: readonly LinkRows[], budget: ByteBudget): string {
  let text = '';
  for (const member of members) text += member(row, links, budget);
  return text.slice(1);
}

function columnWriter({ key, type, index, holds }: Shape['columns'][number], signAddress: SignAddress | undefined): WriteColumn {
  const name = `,${JSON.stringify(key)}:`;
  const absent = `${name}null`;
  const { writeJson: plain } = attributeTypes[type];
  const writeJson = holds === undefined || signAddress === undefined ? plain : addressWriter(holds, plain, signAddress);
  return (row) => {
    const value = row[index];
    return value === null || value === undefined ? absent : name + writeJson(value);
  };
}

function linkWriter(link: CompiledLink, index: number, parentIndex: number, manner: Manner): WriteMember {
  const counted = link.kind === 'count' || (link.kind === 'polymorphic' && link.count);
  const wrapped = manner.v4 && !counted && !link.component;
  const name = `,${JSON.stringify(link.key)}:${wrapped ? '{"data":' : ''}`;
  const end = wrapped ? '}' : '';
  const value = linkValueWriter(link, manner);
  return (row, links, budget) => {
    const found = links[index];
    const text = found === undefined ? 'null' : value(Number(row[parentIndex]), found, budget);
    budget.spend(text);
    return name + text + end;
  };
}

function linkValueWriter(link: CompiledLink, manner: Manner): WriteLink {
  switch (link.kind) {
    case 'count':
      return (parent, found) => `{"count":${found.kind === 'count' ? (found.byParent.get(parent) ?? 0) : 0}}`;
    case 'rows': {
      const entry = makeWriter(link.shape, manner);
      return (parent, found, budget) => {
        if (found.kind !== 'rows') return 'null';
        const rows = found.byParent.get(parent);
        const entries = rows === undefined ? [] : rows.map((row) => entry(row, found.links, budget));
        return link.cardinality === 'one' ? (entries[0] ?? 'null') : `[${entries.join(',')}]`;
      };
    }
    case 'polymorphic': {
      // The name of the type comes last in the entry.
      const entries = new Map(
        [...link.branches].map(([uid, { shape }]) => {
          const typeName = `,${JSON.stringify(link.typeKey)}:${JSON.stringify(uid)}`;
          return [uid, makeWriter(shape, manner, () => typeName)];
        }),
      );
      return (parent, found, budget) => {
        if (found.kind !== 'polymorphic') return 'null';
        const texts: string[] = [];
        for (const { id, type } of found.references.get(parent) ?? []) {
          const branch = found.branches.get(type);
          const row = branch?.byId.get(id);
          // A row of another type than asked for, or one that its reference has outlived.
          if (branch !== undefined && row !== undefined) texts.push(entries.get(type)?.(row, branch.links, budget) ?? 'null');
        }
        // Counted after the rows were found: only what the caller may see.
        if (link.count) return `{"count":${texts.length}}`;
        return link.cardinality === 'one' ? (texts[0] ?? 'null') : `[${texts.join(',')}]`;
      };
    }
  }
}
