/** Connections to a SQLite file: of reading and writing threads, and of the main thread. */
import { Mutex } from 'async-mutex';
import type BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { Connection, Database, LiveIndex, LiveTable, LockWaiters, ThreadReader } from './database.ts';
import type { Row } from './dialect.ts';
import { onCopyOfFile, rolledBack } from './rehearsal.ts';
import { foldFunction, sqlite, stopFunction } from './sqlite.ts';
import { Driver } from './sqlite-driver.ts';
import { errorKindOf, isBusy, StoppedError } from './sqlite-errors.ts';
import { FileIsLost, fileIdentity, watchedFile } from './sqlite-file.ts';
import { SqliteStatistics } from './sqlite-statistics.ts';
import { SqliteVersions, type VersionSources } from './sqlite-versions.ts';
import { type OwnCommit, WriteRecord } from './sqlite-writes.ts';
import type { Changed } from './transaction-changes.ts';

type Handle = BetterSqlite3.Database;
type Prepared = BetterSqlite3.Statement<unknown[], Row>;

/** A connection caches this many prepared statements, whose texts do not vary with values. */
const preparedStatements = 500;

/** Returns whether the work of this connection was stopped. */
type IsStopped = () => boolean;

/** Nothing long runs on the connections of the main thread. */
const neverStopped: IsStopped = () => false;

function open(filename: string, options: BetterSqlite3.Options, isStopped: IsStopped = neverStopped): Handle {
  const handle = new Driver(filename, options);
  handle.function(foldFunction, { deterministic: true }, (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : text));
  // Without `deterministic`, by which a statement would call it only once.
  handle.function(stopFunction, () => {
    if (isStopped()) throw new StoppedError();
    return 1;
  });
  return handle;
}

class SqliteConnection implements Connection {
  readonly dialect = sqlite;
  readonly #handle: Handle;
  readonly #record: WriteRecord | undefined;
  readonly #isStopped: IsStopped;
  readonly #prepared = new LRUCache<string, Prepared>({ max: preparedStatements });
  /** Whether the statements belong to a transaction. After some errors, such as that of a full
   *  disk, SQLite itself rolls back; what a write still has to do would then be committed by
   *  itself. */
  isInTransaction = false;

  constructor(handle: Handle, isStopped = neverStopped, record?: WriteRecord) {
    this.#handle = handle;
    this.#record = record;
    this.#isStopped = isStopped;
  }

  query(text: string, parameters: readonly unknown[]): Row[] {
    if (this.#isStopped()) throw new StoppedError();
    const statement = this.#prepare(text, parameters);
    if (statement.reader) return statement.all(parameters);
    statement.run(parameters);
    return [];
  }

  send(text: string, parameters: readonly unknown[]): void {
    this.query(text, parameters);
  }

  /** SQLite allows only one writing transaction at a time. */
  lock(): void {}

  changes(keys: Iterable<number>, tables: Iterable<string>): void {
    this.#record?.noteChanges(keys, tables);
  }

  each(text: string, parameters: readonly unknown[], each: (row: Row) => void): void {
    for (const row of this.#prepare(text, parameters).iterate(parameters)) {
      // The rows may be long, and a statement that starts from a list of ids has no stop point.
      if (this.#isStopped()) throw new StoppedError();
      each(row);
    }
  }

  #prepare(text: string, parameters: readonly unknown[]): Prepared {
    if (this.isInTransaction && !this.#handle.inTransaction) throw new Error('SQLite has rolled the transaction back');
    let statement = this.#prepared.get(text);
    if (statement === undefined) {
      statement = this.#handle.prepare<unknown[], Row>(text);
      if (statement.reader) statement.raw(true);
      this.#prepared.set(text, statement);
    }
    if (!statement.readonly) this.#record?.note(text, parameters);
    return statement;
  }
}

/** How often reads check whether the file was moved. A late check loses no data. Milliseconds. */
const readCheckEvery = 20;

/** Opens the file for reading only. Waits for a writer for up to five seconds, in which this thread
 *  is blocked. Long statements call `isStopped` every few rows. */
export function openSqliteReader(filename: string, file: string | undefined, isStopped: IsStopped): ThreadReader {
  const checkFile = watchedFile(filename, readCheckEvery, file);
  const openReader = () => {
    const handle = open(filename, { readonly: true, fileMustExist: true, timeout: 5000 }, isStopped);
    handle.pragma('cache_size = -8000');
    // A reader must never read another file that stands at the path when it starts.
    if (file !== undefined && fileIdentity(filename) !== file) {
      handle.close();
      throw new FileIsLost(filename);
    }
    return {
      handle,
      connection: new SqliteConnection(handle, isStopped),
      begin: handle.prepare('BEGIN'),
      commit: handle.prepare('COMMIT'),
    };
  };
  let reader: ReturnType<typeof openReader> | undefined;
  return {
    async snapshot(work) {
      checkFile();
      reader ??= openReader();
      reader.begin.run();
      try {
        return await work(reader.connection);
      } finally {
        // SQLite itself has rolled back after some errors, such as that of a full disk.
        if (reader.handle.inTransaction) reader.commit.run();
      }
    },
    dialect: sqlite,
    errorKindOf,
    close: () => reader?.handle.close(),
  };
}

interface WaitingWrite {
  /** When it has waited long enough for the lock, its time in this queue included. */
  readonly until: number;
  readonly work: (connection: Connection) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** At most this many writes share one commit. */
const groupLength = 32;

/** The event loop must not wait for a lock, so the main thread retries instead of the driver. */
const retryMilliseconds = 5;
const retryFor = 5000;
const atOnce = Number.NEGATIVE_INFINITY;

export interface SqliteOptions {
  readonly create: boolean;
  readonly durable?: boolean;
  readonly committed?: (changed: Changed, commit?: OwnCommit) => void;
  readonly waiters?: LockWaiters;
  readonly askWriter?: VersionSources['askWriter'];
  readonly isStopped?: IsStopped;
  /** The file is a copy that is deleted after use. */
  readonly isTemporary?: boolean;
}

/** Opens a file for small look-ups, writes and checks. `create` makes a new one, in WAL mode. */
export function openSqliteDatabase(filename: string, options: SqliteOptions): Database {
  // Opening reads the file, so it may have to wait for another writer.
  const { isStopped = neverStopped } = options;
  const handle = open(filename, { fileMustExist: !options.create, timeout: retryFor }, isStopped);
  if (options.create) handle.pragma('journal_mode = WAL');
  handle.pragma('foreign_keys = ON');
  // In WAL mode, the default may lose the last commits after a power failure.
  if (options.durable) handle.pragma('synchronous = FULL');
  const record = new WriteRecord(handle);
  const statistics = new SqliteStatistics(handle);
  /** Whether this server has written to the file, by this connection or by the writing thread. */
  let hasWritten = false;
  const connection = new SqliteConnection(handle, isStopped, record);
  // Reads have a separate connection, since a write that waits for its lock must not delay them. A
  // database in memory has only one.
  const readHandle = handle.memory ? handle : open(filename, { readonly: true, fileMustExist: true, timeout: retryFor });
  const readConnection = new SqliteConnection(readHandle);
  const dataVersion = readHandle.prepare<[], number>('PRAGMA data_version').pluck(true);
  for (const each of [handle, readHandle]) each.pragma('busy_timeout = 0');
  const checkFile = watchedFile(filename);
  const checkReadFile = watchedFile(filename, readCheckEvery);
  // Read anew for each request: a commit may just have been acknowledged. Measured: 3 µs.
  const versions = new SqliteVersions({
    observe: () => dataVersion.get() ?? 0,
    askWriter: options.askWriter ?? (() => undefined),
  });
  // A mutex allows one transaction at a time on each connection, since the work inside may await.
  const mutex = new Mutex();
  const readMutex = readHandle === handle ? mutex : new Mutex();

  async function read<T>(work: (connection: SqliteConnection) => T | Promise<T>): Promise<T> {
    checkFile();
    readHandle.exec('BEGIN');
    try {
      return await work(readConnection);
    } finally {
      if (readHandle.inTransaction) readHandle.exec('COMMIT');
    }
  }

  const reading = <T>(work: (connection: SqliteConnection) => T | Promise<T>): Promise<T> =>
    readMutex.runExclusive(() => retrying(() => read(work)));

  async function transaction<T>(
    work: (connection: Connection) => T | Promise<T>,
    waits: { readonly forLockUntil: number; readonly forReaders: boolean },
  ): Promise<T> {
    checkFile();
    await lock(waits.forLockUntil);
    try {
      record.begin();
      connection.isInTransaction = true;
      // Inside a snapshot, the connection for reads does not see what was committed since.
      const before = readHandle !== handle && readHandle.inTransaction ? undefined : versions.known();
      const result = await work(connection);
      // A write into a deleted or replaced file must not be acknowledged.
      checkFile();
      // Without a WAL, a commit has to wait for all reads.
      if (waits.forReaders) await retrying(() => handle.exec('COMMIT'));
      else handle.exec('COMMIT');
      hasWritten = true;
      const commit = record.commit();
      versions.noteCommit(before, commit, () => record.isAlone());
      options.committed?.(commit.changed, commit);
      return result;
    } catch (error) {
      if (handle.inTransaction) handle.exec('ROLLBACK');
      throw error;
    } finally {
      connection.isInTransaction = false;
    }
  }

  const begin = () => handle.exec('BEGIN IMMEDIATE');
  /** Statistics only make reads faster: nothing waits for them, and errors are left to writes. */
  async function renewStatistics(): Promise<void> {
    if (handle.memory || options.isTemporary) return;
    await transaction(() => statistics.renew(), { forLockUntil: atOnce, forReaders: false }).catch(() => undefined);
  }
  async function lock(until: number): Promise<void> {
    try {
      begin();
    } catch (error) {
      if (!isBusy(error) || until < performance.now()) throw error;
      options.waiters?.add();
      await retrying(begin, until).finally(() => options.waiters?.remove());
    }
  }

  /** Waiting writes. When one begins, the others join its transaction, so that they share one
   *  commit. Each has its own savepoint. */
  const waiting: WaitingWrite[] = [];
  const writeWaiting = async () => {
    // The write has joined an earlier transaction.
    if (waiting.length === 0) return;
    // After this, requests that arrived during the last commit are in the queue.
    await new Promise((resolve) => setImmediate(resolve));
    const group = waiting.splice(0, groupLength);
    const outcomes = group.length === 1 ? undefined : await together(group).catch(() => undefined);
    if (outcomes === undefined) for (const each of group) await alone(each);
    else for (const settle of outcomes) settle();
  };
  const alone = ({ work, resolve, reject, until }: WaitingWrite) =>
    transaction(work, { forLockUntil: until, forReaders: true }).then(resolve, reject);
  /** Runs several writes in one transaction. Throws if the transaction as a whole fails; it is then
   *  rolled back, and each write can be retried alone. */
  const together = (group: readonly WaitingWrite[]) =>
    transaction(
      async () => {
        const outcomes: (() => void)[] = [];
        for (const { work, resolve, reject } of group) {
          handle.exec('SAVEPOINT write');
          try {
            const result = await work(connection);
            outcomes.push(() => resolve(result));
          } catch (error) {
            // A full disk ends the whole transaction.
            if (!handle.inTransaction) throw error;
            handle.exec('ROLLBACK TO write');
            outcomes.push(() => reject(error));
          }
          handle.exec('RELEASE write');
          record.endWrite();
        }
        return outcomes;
      },
      { forLockUntil: Math.min(...group.map(({ until }) => until)), forReaders: true },
    );

  return {
    dialect: sqlite,
    read: reading,
    readAtOnce: reading,
    write: <T>(work: (connection: Connection) => T | Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (result: unknown) => void, reject, until: performance.now() + retryFor });
        void mutex.runExclusive(writeWaiting);
      }),
    writeIfFree: (work) =>
      mutex.runExclusive(async () => {
        let hasBegun = false;
        try {
          await transaction(
            (each) => {
              hasBegun = true;
              return work(each);
            },
            { forLockUntil: atOnce, forReaders: true },
          );
        } catch (error) {
          if (isBusy(error) && !hasBegun) return false;
          throw error;
        }
        return true;
      }),
    definitions: undefined,
    tables: () => reading(liveTables),
    indexes: () => reading(liveIndexes),
    rehearse: (work) =>
      onCopyOfFile(
        filename,
        (copy) => openSqliteDatabase(copy, { create: false, isTemporary: true }),
        (copy) => work((attempt) => rolledBack((each) => copy.write(each), attempt)),
      ),
    maintain: (work) =>
      mutex.runExclusive(() => {
        checkFile();
        versions.forget();
        hasWritten = true;
        const query = (text: string, parameters: readonly unknown[]) => retrying(() => connection.query(text, parameters));
        return work({
          dialect: sqlite,
          query,
          send: (text, parameters) => connection.send(text, parameters),
          lock: () => connection.lock(),
          changes: () => undefined,
          each: (text, parameters, each) => connection.each(text, parameters, each),
        });
      }),
    dataVersion() {
      const retried = (error: unknown) => (isBusy(error) ? retrying(() => versions.current()).catch(() => undefined) : undefined);
      try {
        checkReadFile();
        const version = versions.current();
        return version instanceof Promise ? version.catch(retried) : version;
      } catch (error) {
        // Without a WAL, another process that is committing blocks this. An earlier version cannot
        // stand in: other commits may have followed it.
        return retried(error);
      }
    },
    hasWritingNodes: false,
    unversioned: undefined,
    host: () => undefined,
    writer: {
      noteCommit(commit) {
        hasWritten ||= commit !== undefined;
        versions.noteWriter(commit);
        if (commit !== undefined) options.committed?.(commit.changed, commit);
      },
      state() {
        try {
          return record.state();
        } catch {
          return undefined;
        }
      },
    },
    formerLogRemoval: async () => [],
    connections: () => undefined,
    lostConnections: () => 0,
    collectStatistics: () => statistics.allowCreation(),
    async renewStatistics() {
      if (statistics.isCheckDue) await mutex.runExclusive(renewStatistics);
    },
    errorKindOf,
    async close() {
      await Promise.all([mutex, readMutex].map((each) => each.runExclusive(() => undefined)));
      // A server that only read leaves the file as it was.
      if (hasWritten) await renewStatistics();
      readHandle.close();
      handle.close();
    },
  };
}

async function retrying<T>(work: () => T | Promise<T>, until = performance.now() + retryFor): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
    }
  }
}

function liveTables(connection: SqliteConnection): LiveTable[] {
  // The tables that a virtual table consists of are no tables of their own.
  const names = connection.query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')",
    [],
  );
  return names.map(([name]) => ({
    name: String(name),
    columns: new Map(
      connection.query('SELECT name, type FROM pragma_table_info(?)', [name]).map(([column, type]) => [String(column), String(type)]),
    ),
    indexes: connection
      .query("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?", [name])
      .map(([index]) => String(index)),
    // SQLite has no use for names of constraints: two may be equal, and none can be renamed.
    constraints: [],
  }));
}

function liveIndexes(connection: SqliteConnection): LiveIndex[] {
  const indexes = connection.query("SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'index' ORDER BY tbl_name, name", []);
  return indexes.map(([table, name, text]) => ({
    table: String(table),
    name: String(name),
    columns: connection
      .query('SELECT name FROM pragma_index_info(?) ORDER BY seqno', [name])
      .map(([column]) => (column === null ? null : String(column))),
    where: /\)\s+WHERE\s+(.+)$/is.exec(String(text ?? ''))?.[1],
    isValid: true,
  }));
}
