import { expect, it } from 'vitest';
import type { Dialect } from '../dialects/dialect.ts';
import { mysqlDialect } from '../dialects/mysql.ts';
import { serverOf } from '../dialects/mysql-servers.ts';
import { sqlite } from '../dialects/sqlite.ts';
import type { Table } from '../tables/table.ts';
import { PlannedDatabase } from './planned-database.ts';

const notes: Table = {
  name: 'notes',
  origin: { uid: 'api::note.note' },
  columns: [{ name: 'published_at', type: 'datetime' }],
  indexes: [],
  foreignKeys: [],
  ownIndexes: [
    { name: 'lectern_notes_published', columns: ['id'], unique: false, where: { column: 'published_at', isNull: false } },
    { name: 'lectern_notes_sorted', columns: ['published_at'], unique: false, replacesPartial: true },
  ],
};

it.each<[string, Dialect, string]>([
  ['SQLite', sqlite, 'lectern_notes_published'],
  ['MariaDB', mysqlDialect(serverOf('10.11.8-MariaDB'), true), 'lectern_notes_sorted'],
])('A changed table should have the indexes that %s can have', (_, dialect, expected) => {
  const live = [{ name: 'notes', columns: new Map(), indexes: ['lectern_notes_code_unique'], constraints: [] }];
  const planned = new PlannedDatabase({ live, record: new Map(), wanted: [notes], today: new Date(0) }, dialect);
  expect(planned.indexesOf(notes).map(({ name }) => name)).toEqual([expected]);
});
