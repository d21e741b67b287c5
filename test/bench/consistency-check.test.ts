/** The checker of the consistency test, with small histories: each anomaly is found, and what is allowed is not. */
import { expect, it } from 'vitest';

interface Checked {
  readonly anomalies: readonly { readonly kind: string; readonly text: string }[];
  readonly figures: { readonly withPosition: number; readonly oldestAge: number };
}
const { checkHistory }: { checkHistory(lines: readonly object[]): Checked } = await import(
  new URL('../../bench/consistency/check.mjs', import.meta.url).href
);

/** Milliseconds that a read without a position may be old. */
const staleness = 100;

/** An operation from `start` to `end`; `type` is how it ended. */
interface Written {
  readonly f: string;
  readonly start: number;
  readonly end: number;
  readonly type?: 'ok' | 'fail' | 'info';
  /** What is written, or what a read shows. */
  readonly value: unknown;
  /** That the read sends. */
  readonly position?: string;
  /** What else the beginning and the end have. */
  readonly asked?: object;
  readonly got?: object;
}

/** The lines of a history in which each operation has a process of its own. */
function historyOf(workload: string, operations: readonly Written[]): object[] {
  const lines = operations.flatMap(({ f, start, end, type = 'ok', value, position, asked, got }, process) => {
    const common = { process, workload, f, key: 'a' };
    const isRead = f === 'read';
    const shown = isRead || (workload === 'register' && type === 'ok') ? { value } : {};
    const invoke = { type: 'invoke', ...common, ...(isRead ? {} : { value }), ...(position && { position }), ...asked, time: start };
    return [invoke, { type, ...common, server: 0, status: type === 'ok' ? 200 : 400, ...shown, ...got, time: end }];
  });
  return [{ type: 'info', f: 'begin', staleness, time: 0 }, ...lines.sort((a, b) => a.time - b.time)];
}

const write = (value: unknown, start: number, end: number, more: Partial<Written> = {}): Written => ({
  f: 'write',
  value,
  start,
  end,
  ...more,
});
const cas = (from: string, value: string, start: number, end: number, more: Partial<Written> = {}) =>
  write(value, start, end, { f: 'cas', asked: { from }, ...more });
const read = (value: unknown, start: number, end: number, more: Partial<Written> = {}): Written => ({
  f: 'read',
  value,
  start,
  end,
  ...more,
});
const last = { asked: { last: true } };
const at = (position: string) => ({ got: { position } });
const append = (value: string, list: readonly string[], start: number, end: number) => write(value, start, end, { got: { list } });
const claim = (title: string, code: string, start: number, end: number) => write(title, start, end, { got: { code } });

const good: Record<string, readonly [workload: string, operations: readonly Written[]]> = {
  'compare-and-sets in a chain': ['register', [write('1', 0, 10), cas('1', '2', 20, 30), cas('2', '3', 25, 50), read('3', 60, 70)]],
  'a write within the times of a read': ['register', [write('1', 0, 10), write('2', 20, 40), read('1', 25, 30), read('2', 31, 35)]],
  'a read that is no older than promised': ['register', [write('1', 0, 10), write('2', 20, 30), read('2', 40, 50), read('1', 125, 130)]],
  'an unknown write that is seen much later': [
    'register',
    [write('1', 0, 10), write('2', 20, 30, { type: 'info' }), read('1', 400, 410), read('2', 900, 910)],
  ],
  'an unknown write that never happened': ['set', [write('1', 0, 10), write('2', 20, 30, { type: 'info' }), read(['1'], 900, 910, last)]],
  'a refused value that is nowhere': ['set', [write('1', 0, 10), write('2', 20, 30, { type: 'fail' }), read(['1'], 900, 910, last)]],
  'a document that is not there yet': ['register', [write('1', 0, 10), read(null, 20, 30), read('1', 40, 50)]],
  'a position of an earlier write': ['set', [write('1', 0, 10, at('p1')), write('2', 20, 30), read(['1'], 40, 50, { position: 'p1' })]],
  'one of two gets a title': [
    'unique',
    [
      claim('x', 'n', 0, 10),
      write('x', 0, 12, { type: 'fail' }),
      claim('y', 'n-1', 0, 10),
      read(
        [
          ['x', 'n'],
          ['y', 'n-1'],
        ],
        200,
        210,
      ),
    ],
  ],
  'a target that is taken': ['owner', [write('pad0', 0, 10), write('pad1', 5, 20), read(['pad0'], 30, 40), read(['pad1'], 200, 210)]],
  'appends, and beginnings of the list': [
    'list',
    [append('1', ['1'], 0, 10), append('2', ['1', '2'], 5, 20), read(['1'], 25, 30), read(['1', '2'], 200, 210, last)],
  ],
};

it.each(Object.entries(good))('allows %s', (_, [workload, operations]) => {
  expect(checkHistory(historyOf(workload, operations)).anomalies).toEqual([]);
});

const bad: Record<string, readonly [kind: string, workload: string, operations: readonly Written[]]> = {
  'two that replaced one version': [
    'lost update',
    'register',
    [write('1', 0, 10), cas('1', '2', 20, 30), cas('1', '3', 22, 35), read('3', 400, 410)],
  ],
  'an acknowledged write that is overwritten by an older value': [
    'lost',
    'register',
    [write('1', 0, 10), write('2', 20, 30), read('2', 40, 50), read('1', 500, 510, last)],
  ],
  'a compare-and-set that brings back what was before': [
    'lost update',
    'register',
    [write('1', 0, 10), write('2', 20, 30), cas('1', '3', 40, 50), read('3', 60, 70)],
  ],
  'a read that is older than promised': [
    'stale',
    'register',
    [write('1', 0, 10), write('2', 20, 30), read('1', 200, 210), read('2', 300, 310)],
  ],
  'a read with a position that lacks the write': [
    'stale',
    'register',
    [write('1', 0, 10), cas('1', '2', 20, 30, at('p2')), read('1', 40, 50, { position: 'p2' })],
  ],
  'a read with a position that lacks what was before it': [
    'stale',
    'register',
    [write('1', 0, 10), write('2', 20, 30), write('3', 35, 40, at('p3')), read('1', 45, 50, { position: 'p3' }), read('3', 60, 65)],
  ],
  'versions that are equal': [
    'version',
    'register',
    [write('1', 0, 10, { got: { version: 'v' } }), write('2', 20, 30, { got: { version: 'v' } }), read('2', 40, 50)],
  ],
  'a response with the value of another': [
    'lost',
    'register',
    [write('1', 0, 10), write('2', 20, 30, { got: { value: '1' } }), read('2', 40, 50)],
  ],
  'a document that went away': ['lost', 'register', [write('1', 0, 10), read(null, 500, 510, last)]],
  'a value that nobody wrote': ['phantom', 'register', [write('1', 0, 10), read('7', 20, 30)]],
  'a value before it was written': ['phantom', 'set', [write('1', 50, 60), read(['1'], 20, 30)]],
  'a refused value that is there': ['refused', 'set', [write('1', 0, 10), write('2', 0, 10, { type: 'fail' }), read(['1', '2'], 20, 30)]],
  'an added value that is lost': ['lost', 'set', [write('1', 0, 10), write('2', 0, 10), read(['1'], 500, 510, last)]],
  'an added value that is there twice': ['twice', 'set', [write('1', 0, 10), read(['1', '1'], 20, 30)]],
  'a position of another caller': [
    'stale',
    'set',
    [write('1', 0, 10), write('2', 20, 30, at('p2')), read(['1'], 40, 50, { position: 'p2' })],
  ],
  'a read that goes back': ['backwards', 'set', [write('1', 0, 10), read(['1'], 15, 20, at('p1')), read([], 25, 30, { position: 'p1' })]],
  'a title that two have': ['unique', 'unique', [claim('x', 'n', 0, 10), claim('x', 'n-1', 0, 12), read([['x', 'n']], 15, 20)]],
  'a uid that two have': ['unique', 'unique', [claim('x', 'n', 0, 10), claim('y', 'n', 0, 12), read([['x', 'n']], 15, 20)]],
  'a title that nobody got': ['unique', 'unique', [claim('x', 'n', 0, 10), write('y', 0, 9, { type: 'fail' }), read([['x', 'n']], 15, 20)]],
  'a target with two owners': ['owner', 'owner', [write('pad0', 0, 10), write('pad1', 5, 20), read(['pad0', 'pad1'], 30, 40)]],
  'a target without an owner': ['owner', 'owner', [write('pad0', 0, 10), read([], 500, 510)]],
  'a target with an earlier owner': ['lost', 'owner', [write('pad0', 0, 10), write('pad1', 15, 20), read(['pad0'], 500, 510, last)]],
  'reads in another order': [
    'order',
    'list',
    [append('1', ['1'], 0, 10), append('2', ['1', '2'], 5, 20), read(['2'], 25, 30), read(['1', '2'], 200, 210, last)],
  ],
  'an order against the time': [
    'order',
    'list',
    [append('1', ['2', '1'], 0, 10), append('2', ['2'], 20, 30), read(['2', '1'], 200, 210, last)],
  ],
  'an append that is lost': ['lost', 'list', [append('1', ['1'], 0, 10), append('2', ['1', '2'], 5, 20), read(['1'], 500, 510, last)]],
  'an append whose response lacks it': ['order', 'list', [append('1', [], 0, 10), read(['1'], 15, 20)]],
  'an error of the server': [
    'status',
    'set',
    [write('1', 0, 10), write('2', 0, 10, { type: 'info', got: { status: 500 } }), read(['1'], 20, 30)],
  ],
  'a run in which nothing was read': ['idle', 'set', Array.from({ length: 20 }, (_, index) => write(`${index}`, 0, 10))],
};

it.each(Object.entries(bad))('finds %s', (_, [kind, workload, operations]) => {
  const { anomalies } = checkHistory(historyOf(workload, operations));
  expect(anomalies.map((each) => each.kind)).toContain(kind);
});

it('counts reads with a position, and reports how old a read was', () => {
  const operations = [write('1', 0, 10, at('p1')), write('2', 20, 30), read(['1'], 90, 95, { position: 'p1' })];
  expect(checkHistory(historyOf('set', operations)).figures).toMatchObject({ withPosition: 1, oldestAge: 60 });
});
