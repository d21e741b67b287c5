/** The JSON writer of a shape. Made once for each plan; writes text directly from rows, without objects in between. */
import type { Row } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { SignUrl } from '../../media/storage/url-signer.ts';
import { attributeTypes } from '../../model/attributes/attribute-types.ts';
import type { CompiledLink, Shape } from '../compile/types.ts';
import type { LinkRows, Links } from '../execute/types.ts';
import { urlWriter } from './file-urls.ts';

/** Writes one row with its populated attributes. */
export type WriteEntry = (row: Row, links: Links, budget: ByteBudget) => string;

/** Limits the bytes of a response. A row that several parents share is written for each of them, so the text can be far longer than the rows: each
 *  member is counted when it is written. */
export class ByteBudget {
  #left: number;
  readonly #limit: number;

  constructor(limit: number) {
    this.#left = limit;
    this.#limit = limit;
  }

  spend(text: string): void {
    this.#left -= text.length;
    if (this.#left < 0) this.#refuse();
  }

  /** Checks the exact size in bytes: before this, each character counted as one byte. */
  check(whole: string): void {
    if (mostBytes * whole.length > this.#limit && Buffer.byteLength(whole) > this.#limit) this.#refuse();
  }

  #refuse(): never {
    throw ApiError.of('limit.response-bytes', { limit: this.#limit });
  }
}
/** The most bytes of one UTF-16 code unit in UTF-8. */
const mostBytes = 3;

/** Writes one member of an entry. */
type WriteMember = WriteEntry;
/** Writes a member whose value depends only on the row, without a comma before it. */
export type WriteColumn = (row: Row) => string;
type WriteLink = (parent: number, found: LinkRows, budget: ByteBudget) => string;

export interface Manner {
  readonly v4: boolean;
  readonly signUrl: SignUrl | undefined;
}

/** Makes the writer of a member, given the text before the member: a comma, or nothing before the first. */
type MakeMember = (before: string) => WriteMember;

/** `last` writes the last member of each entry. */
export function makeWriter(shape: Shape, manner: Manner, last?: WriteColumn): WriteEntry {
  const { v4, signUrl } = manner;
  const nested = v4 && !shape.component;
  const isTop = (key: string) => nested && (key === 'id' || key === 'documentId');
  const column = (each: Shape['columns'][number]): MakeMember => counted(columnWriter(each, signUrl));
  const top = object(shape.columns.filter(({ key }) => isTop(key)).map(column), [], undefined);
  const columns = shape.columns.filter(({ key }) => !isTop(key)).map(column);
  const populated = shape.links.map((link, index) => linkWriter(link, index, shape.id, manner));
  const members = object(columns, populated, last === undefined ? undefined : counted(last));
  if (!nested) return (row, links, budget) => `{${members(row, links, budget)}}`;
  return (row, links, budget) => `{${top(row, links, budget)},"attributes":{${members(row, links, budget)}}}`;
}

/** Each member is written with the comma before it, since removing a comma afterwards would copy the text at each level. */
function object(columns: readonly MakeMember[], populated: readonly MakeMember[], last: MakeMember | undefined): WriteMember {
  const fixed = columns.map((make, index) => make(index === 0 ? '' : ','));
  const [first, further] = ['', ','].map((before) => populated.map((make) => make(before)));
  const end = last?.(columns.length + populated.length === 0 ? '' : ',');
  return (row, links, budget) => {
    let text = '';
    for (const member of fixed) text += member(row, links, budget);
    for (const index of links.order) text += (text === '' ? first : further)?.[index]?.(row, links, budget) ?? '';
    return end === undefined ? text : text + end(row, links, budget);
  };
}

const counted =
  (column: WriteColumn): MakeMember =>
  (before) =>
  (row, _, budget) => {
    const text = before + column(row);
    budget.spend(text);
    return text;
  };

function columnWriter({ key, type, index, holds }: Shape['columns'][number], signUrl: SignUrl | undefined): WriteColumn {
  const name = `${JSON.stringify(key)}:`;
  const absent = `${name}null`;
  const { writeJson: plain } = attributeTypes[type];
  const writeJson = holds === undefined || signUrl === undefined ? plain : urlWriter(holds, plain, signUrl);
  return (row) => {
    const value = row[index];
    return value === null || value === undefined ? absent : name + writeJson(value);
  };
}

function linkWriter(link: CompiledLink, index: number, parentIndex: number, manner: Manner): MakeMember {
  const isCount = link.kind === 'count' || (link.kind === 'polymorphic' && link.count);
  const wrapped = manner.v4 && !isCount && !link.component;
  const end = wrapped ? '}' : '';
  const value = linkValueWriter(link, manner);
  return (before) => {
    const name = `${before}${JSON.stringify(link.key)}:${wrapped ? '{"data":' : ''}`;
    return (row, links, budget) => {
      const found = links.found[index];
      budget.spend(name);
      return name + (found === undefined ? 'null' : value(Number(row[parentIndex]), found, budget)) + end;
    };
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
        if (link.cardinality === 'one') return rows?.[0] === undefined ? 'null' : entry(rows[0], found.links, budget);
        // The text is appended, since a join at each level would copy the text of the levels below.
        let text = '';
        for (const row of rows ?? []) text += `${text === '' ? '' : ','}${entry(row, found.links, budget)}`;
        return `[${text}]`;
      };
    }
    case 'polymorphic': {
      // The name of the type comes last in the entry.
      const entries = new Map(
        [...link.branches].map(([uid, { shape }]) => {
          const typeName = `${JSON.stringify(link.typeKey)}:${JSON.stringify(uid)}`;
          return [uid, makeWriter(shape, manner, () => typeName)];
        }),
      );
      return (parent, found, budget) => {
        if (found.kind !== 'polymorphic') return 'null';
        let count = 0;
        let text = '';
        for (const { id, type } of found.references.get(parent) ?? []) {
          const branch = found.branches.get(type);
          const row = branch?.byId.get(id);
          // The row has a type that was not requested, or it was deleted.
          if (branch === undefined || row === undefined) continue;
          count++;
          // Only rows that were found count, since the caller may not see the others.
          if (link.count) continue;
          const written = entries.get(type)?.(row, branch.links, budget) ?? 'null';
          if (link.cardinality === 'one') return written;
          text += `${text === '' ? '' : ','}${written}`;
        }
        if (link.count) return `{"count":${count}}`;
        return link.cardinality === 'one' ? 'null' : `[${text}]`;
      };
    }
  }
}
