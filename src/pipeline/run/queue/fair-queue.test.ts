import { describe, expect, it } from 'vitest';
import { FairTurns, type Place, type TimedJob } from './fair-queue.ts';

interface NamedJob extends TimedJob {
  readonly name: string;
}

const job = (name: string, plan: object): NamedJob => ({
  name,
  plan,
  caller: { key: name, hasLeft: () => false },
  reject: () => undefined,
});

/** One place; says in which order jobs were begun. */
function onePlace() {
  const begun: string[] = [];
  const place: Place<NamedJob> = { begin: ({ name }) => begun.push(name), stop: () => undefined };
  const turns = new FairTurns<NamedJob>({ queue: 100, statementTime: 10_000 }, { most: 1, open: () => undefined });
  turns.free(place);
  return { begun, place, turns };
}

describe('What was quick the last time', () => {
  it('goes before what many others wait for, and they have every fourth turn', () => {
    const { begun, place, turns } = onePlace();
    const quick = {};
    turns.add(job('first', quick));
    for (let index = 0; index < 20; index++) turns.add(job(`unknown ${index}`, {}));
    for (let index = 0; index < 6; index++) turns.add(job(`quick ${index}`, quick));
    for (let index = 0; index < 9; index++) turns.free(place);
    turns.close();
    expect(begun.slice(1)).toEqual(expect.arrayContaining([0, 1, 2, 3, 4, 5].map((index) => `quick ${index}`)));
    expect(begun.slice(1).filter((name) => name.startsWith('unknown')).length).toBeGreaterThanOrEqual(2);
  });

  it('is forgotten when its place is gone before it has ended', () => {
    const { begun, place, turns } = onePlace();
    const plan = {};
    turns.add(job('first', plan));
    turns.free(place);
    turns.add(job('second', plan));
    turns.add(job('unknown', {}));
    turns.add(job('third', plan));
    turns.gone(place);
    turns.free(place);
    turns.close();
    expect(begun).toEqual(['first', 'second', 'unknown']);
  });
});
