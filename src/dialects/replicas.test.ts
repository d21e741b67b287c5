import { expect, it } from 'vitest';
import { reasonOf } from './replicas.ts';

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
