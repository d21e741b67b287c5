import type { Shape } from '../compile/types.ts';
import { rowKey } from '../data-keys.ts';
import type { Links, ReadRows } from './types.ts';

/** Returns the keys of all rows that a response shows. */
export function shownKeys({ rows, links }: ReadRows, shape: Shape): Uint32Array<ArrayBuffer> {
  const keys: number[] = [];
  for (const { id } of rows) keys.push(rowKey(shape.table, id));
  addLinked(links, shape, keys);
  return Uint32Array.from(keys);
}

function addLinked({ found }: Links, shape: Shape, keys: number[]): void {
  for (const [index, linked] of found.entries()) {
    const link = shape.links[index];
    if (linked.kind === 'rows' && link?.kind === 'rows') {
      // A row that several parents share counts once.
      const ids = new Set<number>();
      for (const group of linked.byParent.values()) for (const { id } of group) ids.add(id);
      for (const id of ids) keys.push(rowKey(link.shape.table, id));
      addLinked(linked.links, link.shape, keys);
    } else if (linked.kind === 'polymorphic' && link?.kind === 'polymorphic') {
      for (const [type, { byId, links }] of linked.branches) {
        const branch = link.branches.get(type);
        if (branch === undefined) continue;
        for (const { id } of byId.values()) keys.push(rowKey(branch.shape.table, id));
        addLinked(links, branch.shape, keys);
      }
    }
  }
}
