import { describe, expect, it } from 'vitest';
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
          rows,
          size: rows,
          test: { kind: 'text', index: 0, value: { kind: 'slot', index: 0 }, folds: false, negated: false },
          decidesTime: true,
        },
      },
    },
  },
};
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

  it('measures each search after two through held values were slow', () => {
    const speeds = new ReadSpeeds();
    measuredHeld(speeds);
    speeds.noteSlow(search('slow'), { wasHeld: true });
    measuredHeld(speeds);
    expect(speeds.isQuick(search('other'))).toBe(true);
    speeds.noteSlow(search('slow'), { wasHeld: true });
    measuredHeld(speeds);
    expect(speeds.isQuick(search('other'))).toBe(false);
  });

  it('measures each search after two through held values kept a thread busy, while nothing counted as held', () => {
    const speeds = new ReadSpeeds();
    measuredHeld(speeds);
    for (const text of ['slow', 'slow as well']) {
      speeds.noteSlow(search(text), { wasHeld: false });
      speeds.noteLate(search(text));
    }
    measuredHeld(speeds);
    expect(speeds.isQuick(search('other'))).toBe(false);
  });
});
