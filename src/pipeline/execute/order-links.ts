/** Computes the order in which an entry's populated attributes are written, which is Strapi's.
 *  Strapi has one queue of the statements of a level. When a statement returns, the statements of
 *  the level below are put at the end, and so are the steps that wait for a whole level. So
 *  attributes without a level below come first, and attributes with several types late. */
import type { CompiledLink, Shape } from '../compile/types.ts';
import type { LinkRows, Links } from './types.ts';

type Step = () => void;

/** Fills in `order` on every level. */
export function orderLinks(shape: Shape, links: Links): void {
  const queue: Step[] = [];
  const later = (step: Step) => void queue.push(step);
  level(shape, links, later, () => undefined);
  for (let next = 0; next < queue.length; next++) queue[next]?.();
}

function level(shape: Shape, { found, order }: Links, later: (step: Step) => void, done: Step): void {
  const count = found.length;
  if (shape.links.length === 0) done();
  else if (count === 0) later(done);
  for (const [index, link] of shape.links.entries()) {
    const rows = found[index];
    if (rows === undefined) continue;
    attribute(link, rows, later, () => {
      order.push(index);
      if (order.length === count) later(done);
    });
  }
}

const nothingBelow: Links = { found: [], order: [] };

function attribute(link: CompiledLink, rows: LinkRows, later: (step: Step) => void, done: Step): void {
  if (link.kind === 'polymorphic') ofTypes(link, rows, later, done);
  else if (link.kind === 'count' || rows.kind !== 'rows') later(done);
  // If every key is null, Strapi runs no statement.
  else if (rows.byParent.size === 0 && link.keyInRow) done();
  else later(() => level(link.shape, rows.byParent.size === 0 ? nothingBelow : rows.links, later, done));
}

type PolymorphicLink = Extract<CompiledLink, { kind: 'polymorphic' }>;

function ofTypes(link: PolymorphicLink, rows: LinkRows, later: (step: Step) => void, done: Step): void {
  const types = rows.kind === 'polymorphic' ? [...rows.branches] : [];
  const one = ([type, { byId, links }]: (typeof types)[number], after: Step) => {
    const branch = link.branches.get(type);
    later(() => (branch === undefined ? after() : level(branch.shape, byId.size === 0 ? nothingBelow : links, later, after)));
  };
  if (link.cardinality === 'one') oneAfterAnother(types, one, done);
  else later(() => inParallel(types, one, types.length === 0 ? () => later(done) : done));
}

function inParallel<T>(items: readonly T[], each: (item: T, after: Step) => void, done: Step): void {
  let left = items.length;
  if (left === 0) done();
  for (const item of items) {
    each(item, () => {
      left--;
      if (left === 0) done();
    });
  }
}

/** Handles items one after another, as Strapi populates the types of a relation to any type. */
function oneAfterAnother<T>([first, ...others]: readonly T[], each: (item: T, after: Step) => void, done: Step): void {
  if (first === undefined) done();
  else each(first, () => oneAfterAnother(others, each, done));
}
