import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReadStages } from '../../../../test/support/stages/read-stages.ts';
import { sqlite } from '../../../dialects/sqlite.ts';
import type { Statement } from '../../../sql/statement.ts';
import { ReadSpeeds } from './read-speeds.ts';
import type { CachedPlan } from './run-read.ts';

const rows: Statement = { text: 'the titles', parameters: [], tables: ['articles'] };
const compiled = new ReadStages().compile({ query: 'articles?filters[title][$contains]=a' }, sqlite);
/** A search whose text is bound. */
const plan: CachedPlan = {
  id: 1,
  size: 100,
  compiled: {
    ...compiled,
    valuesDecideTime: true,
    statements: {
      kind: 'separate',
      rows,
      count: rows,
      pageAndTotal: undefined,
      list: {
        ids: rows,
        rowsOfIds: rows,
        tested: {
          name: rows,
          rows,
          size: rows,
          test: { kind: 'text', index: 0, value: { kind: 'slot', index: 0 }, folds: false, negated: false },
          mayUseIndex: false,
          decidesTime: true,
        },
      },
    },
  },
};
/** The same, as if no index found the texts: each search takes as long as reading the table. */
const evenPlan: CachedPlan = { ...plan, id: 2, compiled: { ...compiled, valuesDecideTime: false } };
const search = (text: string) => ({ plan, bindings: { key: undefined, values: [text], pagination: { kind: 'none' as const } } });

describe('ReadSpeeds', () => {
  function measuredHeld(speeds: ReadSpeeds): void {
    speeds.noteHeld(search('measured'));
    speeds.noteQuick(search('measured'));
  }

  it('counts all searches of a held list as quick when one is', () => {
    const speeds = new ReadSpeeds();
    speeds.noteQuick(search('measured'));
    expect(speeds.isQuick(search('other'))).toBe(false);
    measuredHeld(speeds);
    expect(speeds.isQuick(search('other'))).toBe(true);
  });

  it('measures a held list again after the database was slow to search it', () => {
    const speeds = new ReadSpeeds();
    measuredHeld(speeds);
    speeds.noteSlow(search('slow'), { wasHeld: false });
    expect(speeds.isQuick(search('other'))).toBe(false);
    measuredHeld(speeds);
    expect(speeds.isQuick(search('other'))).toBe(true);
  });

  describe('after searches through held values that took long', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['performance'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    /** Whether other searches count as quick when these have happened, so many milliseconds after one another. */
    function isStillQuick(slow: (speeds: ReadSpeeds) => void, pauses: readonly number[]): boolean {
      const speeds = new ReadSpeeds();
      measuredHeld(speeds);
      for (const pause of pauses) {
        vi.advanceTimersByTime(pause);
        slow(speeds);
        measuredHeld(speeds);
      }
      return speeds.isQuick(search('other'));
    }
    const inProcess = (speeds: ReadSpeeds) => speeds.noteSlow(search('slow'), { wasHeld: true });
    /** It is noted while it runs, and when it has ended. */
    const inThread = (speeds: ReadSpeeds) => {
      speeds.noteSlow(search('slow'), { wasHeld: false });
      speeds.noteLate(search('slow'));
    };

    it.each([
      ['one in a process', inProcess, [0], true],
      ['two in processes', inProcess, [0, 11_000], false],
      ['two in processes in one stall of the machine', inProcess, [0, 100], true],
      ['two in processes, long after one another', inProcess, [0, 21_000], true],
      ['one in a thread', inThread, [0], true],
      ['two in threads', inThread, [0, 1000], false],
      ['two in threads in one stall of the machine', inThread, [0, 100], true],
    ] as const)('measures each search after two of them: %s', (_, slow, pauses, expected) => {
      expect(isStillQuick(slow, pauses)).toBe(expected);
    });
  });

  it.each([
    ['one was slow', [0], true],
    ['two were slow', [0, 1000], false],
    ['two were slow in one stall of the machine', [0, 100], true],
    ['two were slow, long after one another', [0, 21_000], true],
  ])('lets one quick read count for all values of an even plan until two reads were slow: %s', (_, pauses, expected) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const speeds = new ReadSpeeds();
      const read = (text: string) => ({ ...search(text), plan: evenPlan });
      for (const pause of pauses) {
        vi.advanceTimersByTime(pause);
        speeds.noteSlow(read('slow'), { wasHeld: false });
        speeds.noteQuick(read('measured'));
      }
      expect(speeds.isQuick(read('other'))).toBe(expected);
    } finally {
      vi.useRealTimers();
    }
  });

  it('measures each search of a list whose values take long to read', () => {
    const speeds = new ReadSpeeds();
    measuredHeld(speeds);
    speeds.refuseList(search('measured'));
    measuredHeld(speeds);
    expect(speeds.isQuick(search('other'))).toBe(false);
  });
});
