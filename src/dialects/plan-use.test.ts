import { expect, it } from 'vitest';
import { postgres } from './postgres.ts';
import { sqlite } from './sqlite.ts';

it.each([
  [sqlite, 'SCAN t1', { kind: 'scan', name: 't1' }],
  [sqlite, '  SCAN t1 USING COVERING INDEX notes_title', { kind: 'index', name: 'notes_title' }],
  [sqlite, 'SEARCH t1 USING INDEX notes_title (title=?)', { kind: 'index', name: 'notes_title' }],
  [sqlite, 'SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?)', undefined],
  [sqlite, 'SCAN t2 VIRTUAL TABLE INDEX 1:', undefined],
  [sqlite, 'USE TEMP B-TREE FOR ORDER BY', undefined],
  [postgres, '  ->  Seq Scan on notes t1  (cost=0.00..1.01 rows=1 width=8)', { kind: 'scan', name: 'notes' }],
  [postgres, 'Index Scan using notes_pkey on notes t1  (cost=0.15..8.17 rows=1 width=40)', { kind: 'index', name: 'notes_pkey' }],
  [postgres, 'Index Only Scan Backward using notes_pkey on notes t1', { kind: 'index', name: 'notes_pkey' }],
  [postgres, '->  Bitmap Index Scan on notes_title', { kind: 'index', name: 'notes_title' }],
  [postgres, 'Sort  (cost=1.02..1.03 rows=1 width=8)', undefined],
])('line %# of a plan', (dialect, line, use) => expect(dialect.planUse(line)).toEqual(use));
