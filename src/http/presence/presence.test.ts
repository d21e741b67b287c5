import { expect, it } from 'vitest';
import { Editors } from './presence.ts';

const editor = (userId: number) => ({ userId, username: `user${userId}`, locale: null, field: null });

function editors() {
  const clock = { now: 1000 };
  const there = new Editors(() => clock.now);
  const note = (document: string, userId: number) => there.note(document, editor(userId)).map((each) => each.userId);
  return { clock, there, note };
}

it('returns the others who were there of late, the latest first', () => {
  const { clock, note } = editors();
  expect(note('a', 1)).toEqual([]);
  clock.now += 44_000;
  expect(note('a', 2)).toEqual([1]);
  expect(note('a', 3)).toEqual([2, 1]);
  expect(note('b', 4)).toEqual([]);
  clock.now += 1000;
  expect(note('a', 2)).toEqual([3]);
  expect(note('a', 3)).toEqual([2]);
});

it('forgets who leaves', () => {
  const { there, note } = editors();
  note('a', 1);
  there.leave('a', 1);
  there.leave('b', 1);
  expect(note('a', 2)).toEqual([]);
});

it('keeps nobody when the clock was set back', () => {
  const { clock, note } = editors();
  note('a', 1);
  clock.now -= 500;
  expect(note('a', 2)).toEqual([]);
});

it('shows twenty editors of a document, and forgets documents of long ago', () => {
  const { note } = editors();
  for (let id = 1; id <= 100; id++) note('a', id);
  expect(note('a', 101)).toEqual(Array.from({ length: 20 }, (_, index) => 100 - index));
  for (let index = 0; index < 5000; index++) note(`other ${index}`, 1);
  expect(note('a', 102)).toEqual([]);
});
