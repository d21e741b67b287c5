import { expect, it } from 'vitest';
import { beyondAll, isReached, logPosition, reasonOf } from './replicas.ts';

it.each([
  [new Error('connect ECONNREFUSED 127.0.0.1:1'), 'connect ECONNREFUSED 127.0.0.1:1'],
  [
    new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('connect ETIMEDOUT 10.0.0.1:1')]),
    'connect ECONNREFUSED ::1:1; connect ETIMEDOUT 10.0.0.1:1',
  ],
  [new AggregateError([]), 'AggregateError'],
  ['closed', 'closed'],
])('the reason of a failure that people read: %s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});

it.each<[string, bigint, bigint, boolean]>([
  ['its own position', logPosition(1, 5), logPosition(1, 5), true],
  ['an earlier one', logPosition(1, 5), logPosition(1, 6), true],
  ['a later one', logPosition(1, 6), logPosition(1, 5), false],
  ['an earlier one of another timeline', logPosition(1, 5), logPosition(2, 6), false],
  ['one that no server reaches', beyondAll, logPosition(2n ** 32n - 2n, 2n ** 64n - 1n), false],
])('a server has what is before %s', (_, position, replayed, expected) => {
  expect(isReached(position, replayed)).toBe(expected);
});
