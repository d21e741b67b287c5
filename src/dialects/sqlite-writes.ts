/** Records which tables a connection to SQLite writes. The engine itself says so, in the program
 *  that it makes of a statement: cascades of foreign keys and triggers are in it. Whatever is not
 *  understood counts as a write to all tables. */
import type BetterSqlite3 from 'better-sqlite3';
import { searchPrefix } from './search/index-parts.ts';
import { type Changed, TransactionChanges } from './transaction-changes.ts';

export interface OwnCommit {
  readonly changed: Changed;
  /** Counts the commits of the connection. */
  readonly number: number;
  /** `PRAGMA data_version` of the connection when its transaction began: the same as at its last
   *  commit if nobody else has committed in between. */
  readonly dataVersion: number;
  /** Undefined: any table. */
  readonly tables: readonly string[] | undefined;
}

/** What a writing connection sees: it stays the same until somebody commits. */
export interface WriterState {
  readonly dataVersion: number;
  readonly commits: number;
}

/** The tables of this many statements are remembered. */
const rememberedStatements = 500;

/** `p2` is a root page, `p1` for `Clear`. Source: SQLite, "The SQLite Bytecode Engine". */
type Instruction = readonly [address: number, opcode: string, p1: number, p2: number, p3: number];

type EarlierWrites = Pick<OwnCommit, 'tables' | 'changed'>;
const nothingYet: EarlierWrites = { tables: [], changed: { keys: [], tables: [] } };

/** Undefined stands for all tables. */
const joined = (one: readonly string[] | undefined, other: readonly string[] | undefined): readonly string[] | undefined =>
  one === undefined || other === undefined ? undefined : [...new Set([...one, ...other])];

export class WriteRecord {
  readonly #handle: BetterSqlite3.Database;
  readonly #dataVersion: BetterSqlite3.Statement<[], number>;
  readonly #schemaVersion: BetterSqlite3.Statement<[], number>;
  /** The tables that a statement writes, by its text; undefined for any table. */
  readonly #tablesOf = new Map<string, readonly string[] | undefined>();
  #schema = Number.NaN;
  #tableOfRoot: ReadonlyMap<number, string> = new Map();
  /** Whether all virtual tables are full-text indexes of ours: they change only with the tables that
   *  their triggers watch, which responses with a search depend on. */
  #hasOwnVirtualTables = false;
  /** The tables that the present one of the writes that share the transaction has written. */
  #written = new Set<string>();
  #isAny = false;
  readonly #changes = new TransactionChanges();
  #earlier: EarlierWrites = nothingYet;
  #began = Number.NaN;
  #commits = 0;

  constructor(handle: BetterSqlite3.Database) {
    this.#handle = handle;
    this.#dataVersion = handle.prepare<[], number>('PRAGMA data_version').pluck(true);
    this.#schemaVersion = handle.prepare<[], number>('PRAGMA schema_version').pluck(true);
  }

  /** Must be called when a transaction has the lock: nobody else can commit from then on. */
  begin(): void {
    this.#began = this.#dataVersion.get() ?? 0;
    const schema = this.#schemaVersion.get() ?? 0;
    if (schema !== this.#schema) {
      this.#schema = schema;
      this.#tablesOf.clear();
      const roots = this.#handle.prepare<[], [number, string]>('SELECT rootpage, tbl_name FROM sqlite_master WHERE rootpage > 0');
      this.#tableOfRoot = new Map(roots.raw(true).all());
      const others = this.#handle.prepare<[string], number>(
        "SELECT count(*) FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%' AND name NOT LIKE ?",
      );
      this.#hasOwnVirtualTables = others.pluck(true).get(`${searchPrefix}%`) === 0;
    }
    this.#earlier = nothingYet;
    this.#startWrite();
  }

  /** Must be called after each of the writes that share a transaction: what one reports about a
   *  table does not cover another's changes there. */
  endWrite(): void {
    this.#earlier = this.#withPresent();
    this.#startWrite();
  }

  /** As `Connection.changes`. */
  noteChanges(keys: Iterable<number>, tables: Iterable<string>): void {
    this.#changes.note(keys, tables);
  }

  /** Must be called before a statement that writes is run. */
  note(text: string, parameters: readonly unknown[]): void {
    // The write already counts as one to any table: which ones the statement names changes nothing.
    if (this.#isAny) return;
    if (!this.#tablesOf.has(text)) {
      if (this.#tablesOf.size >= rememberedStatements) this.#tablesOf.clear();
      this.#tablesOf.set(text, this.#writtenBy(text, parameters));
    }
    const tables = this.#tablesOf.get(text);
    if (tables === undefined) this.#isAny = true;
    else for (const table of tables) this.#written.add(table);
  }

  /** Must be called when the transaction is committed. */
  commit(): OwnCommit {
    this.#commits++;
    const { tables, changed } = this.#withPresent();
    return { number: this.#commits, dataVersion: this.#began, tables, changed };
  }

  /** Returns whether nobody else has committed since the transaction began. */
  isAlone(): boolean {
    return this.#dataVersion.get() === this.#began;
  }

  state(): WriterState {
    return { dataVersion: this.#dataVersion.get() ?? 0, commits: this.#commits };
  }

  #startWrite(): void {
    this.#written = new Set();
    this.#isAny = false;
    this.#changes.clear();
  }

  #withPresent(): EarlierWrites {
    const tables = this.#isAny ? undefined : [...this.#written];
    const changed = this.#changes.ofCommit(tables);
    const before = this.#earlier;
    return {
      tables: joined(before.tables, tables),
      changed: { keys: [...before.changed.keys, ...changed.keys], tables: joined(before.changed.tables, changed.tables) },
    };
  }

  #writtenBy(text: string, parameters: readonly unknown[]): readonly string[] | undefined {
    const program = this.#handle.prepare<unknown[], Instruction>(`EXPLAIN ${text}`).raw(true).all(parameters);
    const tables = new Set<string>();
    for (const [, opcode, p1, p2, p3] of program) {
      // Changes of the schema and of settings.
      if (opcode === 'SetCookie' || (opcode === 'VUpdate' && !this.#hasOwnVirtualTables)) return undefined;
      if (opcode !== 'OpenWrite' && opcode !== 'Clear') continue;
      const [root, database] = opcode === 'Clear' ? [p1, p2] : [p2, p3];
      const table = database === 0 ? this.#tableOfRoot.get(root) : undefined;
      if (table === undefined) return undefined;
      tables.add(table);
    }
    return tables.size === 0 ? undefined : [...tables];
  }
}
