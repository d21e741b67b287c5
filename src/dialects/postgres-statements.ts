/** Decides which statements PostgreSQL parses and plans once for each connection. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';

/** Each connection holds at most this many prepared statements. The plan of a statement with many
 *  paths takes some hundred kilobytes of the server. */
const maxNamed = 100;
/** A statement gets a name at this use: rare queries push out no others. */
const usesBefore = 3;
/** The characters of the texts whose uses are counted. */
const countedCharacters = 4_000_000;

export class StatementNames {
  readonly #uses = new LRUCache<string, { name: string | undefined; count: number }>({
    maxSize: countedCharacters,
    sizeCalculation: (_, text) => text.length + 50,
  });
  readonly #named = new WeakMap<pg.ClientBase, ConnectionStatements>();
  #isOn: boolean;

  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Stops preparing statements: a connection pooler changes the sessions of connections. */
  stop(): void {
    this.#isOn = false;
  }

  /** Returns the name by which the connection runs the text; undefined if it is parsed anew. */
  nameOf(client: pg.ClientBase, text: string): string | undefined {
    if (!this.#isOn) return undefined;
    let use = this.#uses.get(text);
    if (use === undefined) {
      use = { name: undefined, count: 0 };
      this.#uses.set(text, use);
    }
    use.count++;
    if (use.count < usesBefore) return undefined;
    use.name ??= statementName(text);
    let statements = this.#named.get(client);
    if (statements === undefined) {
      statements = new ConnectionStatements();
      this.#named.set(client, statements);
    }
    statements.use(use.name);
    return use.name;
  }

  /** Frees statements that are no longer used. Not to be called inside a transaction. */
  async tidy(client: pg.ClientBase, query: (query: ClosingQuery) => Promise<unknown>): Promise<void> {
    const unused = this.#named.get(client)?.takeUnused() ?? [];
    if (unused.length > 0) await query(new ClosingQuery(unused));
  }
}

/** A name that no other text has in any process: behind a connection pooler, a connection
 *  may get a session in which another process has prepared statements, and with the same
 *  name would run one of those. */
const statementName = (text: string): string => `lectern_${createHash('sha256').update(text).digest('base64url')}`;

/** The driver has this property, but its types lack it: what the connection has parsed, by name. */
type ParsingConnection = pg.Connection & { readonly parsedStatements: Record<string, unknown> };

/** Closes prepared statements by messages of the protocol, in one round trip. Poolers, which know
 *  the statements by other names, understand these, and do not understand DEALLOCATE. A name that
 *  is not known is no error. In a pipeline, the driver takes queries of its own class alone. */
class ClosingQuery extends pg.Query {
  constructor(names: readonly string[]) {
    super('');
    this.submit = (connection) => {
      const { parsedStatements } = connection as ParsingConnection;
      for (const name of names) {
        connection.close({ type: 'S', name }, true);
        // A statement that is sent later is parsed again.
        delete parsedStatements[name];
      }
      connection.sync();
    };
  }
}

class ConnectionStatements {
  readonly #names: LRUCache<string, true>;
  /** Names that are no longer used. */
  #unused: string[] = [];

  constructor() {
    this.#names = new LRUCache({ max: maxNamed, disposeAfter: (_, name, reason) => reason === 'evict' && void this.#unused.push(name) });
  }

  use(name: string): void {
    this.#names.set(name, true);
  }

  /** Returns each name once. */
  takeUnused(): readonly string[] {
    const unused = new Set(this.#unused.filter((name) => !this.#names.has(name)));
    this.#unused = [];
    return [...unused];
  }
}
