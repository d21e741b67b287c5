/** Tries on a SQLite file what depends on its file system: two connections must exclude each other.
 *  Nothing is committed. */
import type { DatabaseConfig } from '../../config/config.ts';
import { sqlite } from '../sqlite.ts';
import { Driver } from '../sqlite-driver.ts';
import { isBusy } from '../sqlite-errors.ts';
import { type Need, type ProbeOptions, type ProbeReport, tryAll } from './need.ts';
import { definitionOf, probeName } from './probe-table.ts';

interface SqliteSession {
  readonly one: InstanceType<typeof Driver>;
  readonly two: InstanceType<typeof Driver>;
  readonly table: string;
}

const needs: readonly Need<SqliteSession>[] = [
  {
    what: 'a file that can be written',
    usedFor: 'all writes',
    without: 'nothing can be stored: check the rights on the file and its folder, and the space on the disk',
    isEssential: true,
    async try({ one, table }) {
      one.exec('BEGIN IMMEDIATE');
      one.exec(definitionOf(table, sqlite.tables));
      one.exec(`INSERT INTO ${table} (title) VALUES ('a')`);
      return [];
    },
  },
  {
    what: 'locks of the file system',
    usedFor: 'writes of several processes, one after another',
    without: '**writes are not safe** on this file system, which may be a network one: put the file on a disk of this machine',
    isEssential: true,
    async try({ one, two }) {
      one.exec('BEGIN IMMEDIATE');
      try {
        two.exec('BEGIN IMMEDIATE');
      } catch (error) {
        if (isBusy(error)) return [];
        throw error;
      }
      return ['two connections write at once'];
    },
  },
  {
    what: 'write-ahead log (journal_mode WAL)',
    usedFor: 'reads beside a write',
    without: 'reads and writes wait for each other; `PRAGMA journal_mode = WAL` in the file ends that',
    isEssential: false,
    async try({ one }) {
      const mode = String(one.pragma('journal_mode', { simple: true }));
      return mode === 'wal' ? [] : [`journal_mode is ${mode}`];
    },
  },
];

export async function probeSqlite({ filename }: Pick<DatabaseConfig, 'filename'>, { signal }: ProbeOptions): Promise<ProbeReport> {
  const open = () => new Driver(filename, { fileMustExist: true, timeout: 0 });
  const one = open();
  try {
    const two = open();
    try {
      const reset = async () => {
        for (const each of [one, two]) if (each.inTransaction) each.exec('ROLLBACK');
      };
      const isRefusal = (error: unknown): error is Error => error instanceof Driver.SqliteError;
      const findings = await tryAll({ needs, session: { one, two, table: probeName() }, signal, isRefusal, reset });
      const version = one.prepare('SELECT sqlite_version()').pluck().get();
      return { engine: `SQLite ${String(version)}`, findings, notes: [] };
    } finally {
      two.close();
    }
  } finally {
    one.close();
  }
}
