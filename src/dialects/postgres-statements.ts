/** Decides which statements PostgreSQL parses and plans once for each connection (named ones), and which at every use. */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** Each connection holds at most this many prepared statements. The plan of a statement with many paths takes some hundred kilobytes of the server. */
const mostNamed = 100;
/** A statement gets a name when it was used this often: queries that nobody repeats push out no others. */
const usesBefore = 3;
/** The characters of the texts whose uses are counted. */
const countedCharacters = 4_000_000;

export class StatementNames {
  readonly #uses = new LRUCache<string, { name: string | undefined; count: number }>({
    maxSize: countedCharacters,
    sizeCalculation: (_, text) => text.length + 50,
  });
  readonly #named = new WeakMap<pg.ClientBase, ConnectionStatements>();
  #made = 0;

  /** Returns the name by which the connection runs the text; undefined if it is parsed anew. */
  nameOf(client: pg.ClientBase, text: string): string | undefined {
    let use = this.#uses.get(text);
    if (use === undefined) {
      use = { name: undefined, count: 0 };
      this.#uses.set(text, use);
    }
    use.count++;
    if (use.count < usesBefore) return undefined;
    if (use.name === undefined) {
      this.#made++;
      use.name = `lectern_${this.#made}`;
    }
    let statements = this.#named.get(client);
    if (statements === undefined) {
      statements = new ConnectionStatements(client);
      this.#named.set(client, statements);
    }
    statements.use(use.name);
    return use.name;
  }

  /** Frees statements that the connection has not used for long. Not to be called inside a transaction, which an error would end. */
  async tidy(client: pg.ClientBase, query: (text: string) => Promise<unknown>): Promise<void> {
    const statements = this.#named.get(client);
    if (statements?.hasUnused) await statements.tidy(query);
  }
}

/** The driver has this property, but its types lack it: what the connection has parsed, by name. */
type ParsedStatements = { readonly connection?: { readonly parsedStatements?: Record<string, unknown> } };

class ConnectionStatements {
  readonly #client: pg.ClientBase;
  readonly #names: LRUCache<string, true>;
  /** Names that are no longer used. */
  #unused: string[] = [];

  constructor(client: pg.ClientBase) {
    this.#client = client;
    this.#names = new LRUCache({ max: mostNamed, disposeAfter: (_, name, reason) => reason === 'evict' && void this.#unused.push(name) });
  }

  use(name: string): void {
    this.#names.set(name, true);
  }

  get hasUnused(): boolean {
    return this.#unused.length > 0;
  }

  async tidy(query: (text: string) => Promise<unknown>): Promise<void> {
    const unused = this.#unused.filter((name) => !this.#names.has(name));
    this.#unused = [];
    for (const name of unused) {
      try {
        await query(`DEALLOCATE "${name}"`);
        delete (this.#client as ParsedStatements).connection?.parsedStatements?.[name];
      } catch {
        // A pooler may know the statement by another name. It stays prepared, and can be used again.
      }
    }
  }
}
