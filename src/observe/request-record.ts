/** What a request has done, for metrics, spans and the log of slow requests. Requests have a record
 *  only if one of these is on. It goes the way of the request as a part of its caller, since a
 *  queue starts the work of one request where that of another has ended. */
import type { Connection, Database } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';

export interface RanStatement {
  /** Without values. Empty where only the time was asked for. */
  readonly text: string;
  /** When it began, in milliseconds of `performance.now()` of this process; undefined
   *  for one of another process. */
  readonly at: number | undefined;
  /** Until its rows had arrived. Statements that are sent together take this time together. */
  readonly milliseconds: number;
}

/** How a statement would be run: the lines of the engine's plan. */
export interface StatementPlan {
  readonly name: string;
  readonly sql: string;
  readonly plan: readonly string[];
}

/** A read has a statement for each populated path, and a write several for each
 *  entry; more are counted only. */
const maxStatements = 100;

export class RequestRecord {
  readonly statements: RanStatement[] = [];
  /** All statements, those beyond `maxStatements` as well. */
  ran = 0;
  /** For how long a read waited for a connection or a reading thread, and from when on. */
  wait: { readonly milliseconds: number; readonly at: number } | undefined;
  /** Returns the plans of the statements of a read. */
  explain: (() => Promise<readonly StatementPlan[]>) | undefined;
  readonly withTexts: boolean;
  /** Takes the times of statements that another process has run. */
  readonly #elsewhere: (milliseconds: number) => void;

  constructor(withTexts: boolean, elsewhere: (milliseconds: number) => void = () => undefined) {
    this.withTexts = withTexts;
    this.#elsewhere = elsewhere;
  }

  add(text: string, at: number | undefined, milliseconds: number): void {
    this.ran++;
    if (this.statements.length < maxStatements) this.statements.push({ text: this.withTexts ? text : '', at, milliseconds });
  }

  /** Adds what a process has run for this request, as its own record there has it. */
  addAll(statements: readonly RanStatement[] | undefined): void {
    for (const { text, milliseconds } of statements ?? []) {
      this.#elsewhere(milliseconds);
      this.add(text, undefined, milliseconds);
    }
  }
}

/** Called when a statement has ended, whether it succeeded or failed. */
type NoteStatement = (text: string, at: number, milliseconds: number) => void;

/** The connection for the work of a request that has a record. */
export const recordedConnection = (connection: Connection, record: RequestRecord | undefined): Connection =>
  record === undefined ? connection : new TimedConnection(connection, (text, at, milliseconds) => record.add(text, at, milliseconds));

/** A connection that reports how long its statements take. */
class TimedConnection implements Connection {
  readonly #connection: Connection;
  readonly #note: NoteStatement;

  constructor(connection: Connection, note: NoteStatement) {
    this.#connection = connection;
    this.#note = note;
  }

  get dialect() {
    return this.#connection.dialect;
  }

  query(text: string, parameters: readonly unknown[]): Row[] | Promise<Row[]> {
    return this.#timed(text, () => this.#connection.query(text, parameters));
  }

  send(text: string, parameters: readonly unknown[]): void {
    // Its response is not waited for, so that its time is unknown, unless the engine runs it at
    // once.
    this.#timed(text, () => this.#connection.send(text, parameters));
  }

  lock(keys: readonly bigint[]): void {
    this.#connection.lock(keys);
  }

  changes(keys: Iterable<number>, tables: Iterable<string>): void {
    this.#connection.changes(keys, tables);
  }

  each(text: string, parameters: readonly unknown[], each: (row: Row) => void): void | Promise<void> {
    return this.#timed(text, () => this.#connection.each(text, parameters, each));
  }

  #timed<T>(text: string, work: () => T): T {
    const at = performance.now();
    const done = () => this.#note(text, at, performance.now() - at);
    let result: T;
    try {
      result = work();
    } catch (error) {
      done();
      throw error;
    }
    if (!(result instanceof Promise)) {
      done();
      return result;
    }
    // Not `finally`: its promise would be a second one that nobody waits for.
    result.then(done, done);
    return result;
  }
}

/** A database that reports how long each statement takes, on every engine. */
export function timedDatabase(database: Database, note: (milliseconds: number) => void): Database {
  const timed =
    <T>(work: (connection: Connection) => T) =>
    (connection: Connection) =>
      work(new TimedConnection(connection, (_, _at, milliseconds) => note(milliseconds)));
  return {
    ...database,
    read: (work, stoppable) => database.read(timed(work), stoppable),
    readAtOnce: (work, stoppable) => database.readAtOnce(timed(work), stoppable),
    write: (work, stoppable) => database.write(timed(work), stoppable),
    writeIfFree: (work) => database.writeIfFree(timed(work)),
  };
}
