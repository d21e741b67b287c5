import { expect, it } from 'vitest';
import { type ConnectedTarget, orderTargets } from './order-targets.ts';

const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);
const none: ReadonlySet<string> = new Set();
const placing = (anchors: readonly string[]) => ({ path: 'list', anchors: new Set(anchors), strict: true });

it.each<[string, readonly ConnectedTarget[], string]>([
  ['moves to the end', [{ key: 'k0', at: 'end', anchor: undefined, hasPosition: true, id: '' }], 'k1 k2 k3 k0'],
  ['moves to the start', [{ key: 'k2', at: 'start', anchor: undefined, hasPosition: true, id: '' }], 'k2 k0 k1 k3'],
  ['adds before the first', [{ key: 'n', at: 'before', anchor: 'k0', hasPosition: true, id: '' }], 'n k0 k1 k2 k3'],
  ['adds after the last', [{ key: 'n', at: 'after', anchor: 'k3', hasPosition: true, id: '' }], 'k0 k1 k2 k3 n'],
  ['moves beside a neighbour', [{ key: 'k1', at: 'after', anchor: 'k2', hasPosition: true, id: '' }], 'k0 k2 k1 k3'],
  [
    'takes anchors in any order',
    [
      { key: 'n', at: 'after', anchor: 'm', hasPosition: true, id: '' },
      { key: 'm', at: 'before', anchor: 'k1', hasPosition: true, id: '' },
    ],
    'k0 m n k1 k2 k3',
  ],
])('%s', (_, connect, order) => {
  expect(orderTargets(keys(4), connect, none, placing(keys(4))).join(' ')).toBe(order);
});

it('a disconnected target can be an anchor', () => {
  const connect: ConnectedTarget[] = [{ key: 'n', at: 'before', anchor: 'k1', hasPosition: true, id: '' }];
  expect(orderTargets(keys(3), connect, new Set(['k1']), placing(keys(3)))).toEqual(['k0', 'n', 'k2']);
});

it('200,000 moves in a list of as many take no longer for the length of the list', () => {
  const list = keys(200_000);
  const reversed = orderTargets(
    list,
    list.map((key) => ({ key, at: 'start', anchor: undefined, hasPosition: true, id: '' })),
    none,
    placing(list),
  );
  expect(reversed[0]).toBe('k199999');
  expect(reversed).toHaveLength(200_000);
});
