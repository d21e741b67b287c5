/** The JSON writer of a shape. Made once for each plan; writes directly from rows, without
 *  objects or texts in between. */
import type { SignUrl } from '../../media/storage/url-signer.ts';
import { attributeTypes } from '../../model/attributes/attribute-types.ts';
import type { CompiledLink, Shape } from '../compile/types.ts';
import type { FoundRow, LinkRows, Links } from '../execute/types.ts';
import { urlWriter } from './file-urls.ts';
import type { JsonOutput, WrittenColumn } from './json-output.ts';

/** Writes one row with its populated attributes. */
export type WriteEntry = (row: FoundRow, links: Links, output: JsonOutput) => void;

type WriteLinks = (parent: number, links: Links, output: JsonOutput) => void;
type WriteLink = (parent: number, found: LinkRows, output: JsonOutput) => void;

export interface Manner {
  readonly v4: boolean;
  readonly signUrl: SignUrl | undefined;
}

/** Makes the writer of a member, from the text before the member: a comma,
 *  or nothing before the first. */
type MakeMember<T> = (before: string) => T;
type WriteColumn = WrittenColumn['write'];

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
const absent = encoded('null');

/** `last` is the last member of each entry. */
export function makeWriter(shape: Shape, manner: Manner, last?: WrittenColumn): WriteEntry {
  const { v4, signUrl } = manner;
  const nested = v4 && !shape.component;
  const isTop = (key: string) => nested && (key === 'id' || key === 'documentId');
  const member = (each: Shape['columns'][number], index: number) => columnMember(writtenColumn(each, signUrl))(index === 0 ? '' : ',');
  const top = shape.columns.filter(({ key }) => isTop(key)).map(member);
  const columns = shape.columns.filter(({ key }) => !isTop(key)).map(member);
  const head = nested ? [literal('{'), ...top, literal(',"attributes":{'), ...columns] : [literal('{'), ...columns];
  const writeLinks = linksWriter(shape, manner, columns.length === 0);
  const isBare = columns.length + shape.links.length === 0;
  const writeLast = last === undefined ? undefined : columnMember(last)(isBare ? '' : ',');
  const close = encoded(nested ? '}}' : '}');
  return (row, links, output) => {
    for (const write of head) write(row.values, output);
    writeLinks(row.id, links, output);
    writeLast?.(row.values, output);
    output.encoded(close);
  };
}

function literal(text: string): WriteColumn {
  const bytes = encoded(text);
  return (_, output) => output.encoded(bytes);
}

/** `isFirst`: nothing comes before the populated attributes. */
function linksWriter(shape: Shape, manner: Manner, isFirst: boolean): WriteLinks {
  const populated = shape.links.map((link, index) => linkMember(link, index, manner));
  const first = populated.map((make) => make(isFirst ? '' : ','));
  const further = populated.map((make) => make(','));
  return (parent, links, output) => {
    let linked = first;
    for (const index of links.order) {
      linked[index]?.(parent, links, output);
      linked = further;
    }
  };
}

function writtenColumn({ key, type, index, holds }: Shape['columns'][number], signUrl: SignUrl | undefined): WrittenColumn {
  const { write: plain } = attributeTypes[type];
  const write = holds === undefined || signUrl === undefined ? plain : urlWriter(holds, plain, signUrl);
  return {
    key,
    write(row, output) {
      const value = row[index];
      if (value === null || value === undefined) output.encoded(absent);
      else write(value, output);
    },
  };
}

function columnMember({ key, write }: WrittenColumn): MakeMember<WriteColumn> {
  return (before) => {
    const name = encoded(`${before}${JSON.stringify(key)}:`);
    return (row, output) => {
      output.encoded(name);
      write(row, output);
    };
  };
}

function linkMember(link: CompiledLink, index: number, manner: Manner): MakeMember<WriteLinks> {
  const isCount = link.kind === 'count' || (link.kind === 'polymorphic' && link.count);
  const wrapped = manner.v4 && !isCount && !link.component;
  const end = encoded(wrapped ? '}' : '');
  const value = linkWriter(link, manner);
  return (before) => {
    const name = encoded(`${before}${JSON.stringify(link.key)}:${wrapped ? '{"data":' : ''}`);
    return (parent, links, output) => {
      const found = links.found[index];
      output.encoded(name);
      if (found === undefined) output.encoded(absent);
      else value(parent, found, output);
      output.encoded(end);
    };
  };
}

function linkWriter(link: CompiledLink, manner: Manner): WriteLink {
  switch (link.kind) {
    case 'count':
      return (parent, found, output) => writeCount(found.kind === 'count' ? (found.byParent.get(parent) ?? 0) : 0, output);
    case 'rows': {
      const entry = makeWriter(link.shape, manner);
      return (parent, found, output) => {
        if (found.kind !== 'rows') return output.encoded(absent);
        const { byParent, links, isShared } = found;
        writeEntries(byParent.get(parent) ?? [], link.cardinality, output, (row) =>
          isShared ? output.shared(row, () => entry(row, links, output)) : entry(row, links, output),
        );
      };
    }
    case 'polymorphic':
      return polymorphicWriter(link, manner);
  }
}

function polymorphicWriter(link: Extract<CompiledLink, { kind: 'polymorphic' }>, manner: Manner): WriteLink {
  // The name of the type comes last in the entry.
  const entries = new Map(
    [...link.branches].map(([uid, { shape }]) => {
      const name = JSON.stringify(uid);
      return [uid, makeWriter(shape, manner, { key: link.typeKey, write: (_, output) => output.json(name) })];
    }),
  );
  return (parent, found, output) => {
    if (found.kind !== 'polymorphic') return output.encoded(absent);
    const present = (found.references.get(parent) ?? []).flatMap(({ id, type }) => {
      const [branch, entry] = [found.branches.get(type), entries.get(type)];
      const row = branch?.byId.get(id);
      // The row has a type that was not requested, or it was deleted.
      return branch === undefined || entry === undefined || row === undefined ? [] : [{ entry, row, links: branch.links }];
    });
    // Only rows that were found count, since the caller may not see the others.
    if (link.count) writeCount(present.length, output);
    else writeEntries(present, link.cardinality, output, ({ entry, row, links }) => entry(row, links, output));
  };
}

const writeCount = (count: number, output: JsonOutput): void => output.json(`{"count":${count}}`);

/** Writes a list of entries, or the first one, or null. */
export function writeEntries<T>(entries: readonly T[], cardinality: 'one' | 'many', output: JsonOutput, write: (entry: T) => void): void {
  if (cardinality === 'many') {
    let before = '[';
    for (const entry of entries) {
      output.json(before);
      write(entry);
      before = ',';
    }
    output.json(before === '[' ? '[]' : ']');
  } else if (entries[0] === undefined) output.encoded(absent);
  else write(entries[0]);
}
