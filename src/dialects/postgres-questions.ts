/** One connection for short queries about the server, each with a time limit. It is separate from
 *  the pool, which serves requests. */
import pg from 'pg';
import { PostgresClient, type PostgresConfig } from './postgres-client.ts';
import { withTimeout } from './time-out.ts';

/** A response takes at most this long, opening the connection included. Milliseconds. */
const patience = 1000;

/** Identifies a server and its database. Two servers with equal values are copies. */
export interface ServerIdentity {
  /** The identifier of the cluster; undefined if this user may not read it. */
  readonly system: string | undefined;
  readonly database: string;
  /** The schema in which tables are looked for. */
  readonly schema: string;
}

/** The oid identifies a database of a cluster, whatever name a pooler gives it. */
export const databaseQuestion = 'SELECT oid::text, current_schema() FROM pg_database WHERE datname = current_database()';
export const systemQuestion = 'SELECT system_identifier::text FROM pg_control_system()';

export class PostgresQuestions {
  readonly #connection: PostgresConfig;
  readonly #lost: () => void;
  #open: { readonly client: pg.Client; readonly identity: ServerIdentity } | undefined;
  #isClosed = false;

  /** `lost` is called when the connection breaks, also between two questions. */
  constructor(connection: PostgresConfig, lost: () => void = () => undefined) {
    this.#connection = { ...connection, keepAlive: true, keepAliveInitialDelayMillis: 10_000, connectionTimeoutMillis: patience };
    this.#lost = lost;
  }

  /** Returns the first row, and the server that responded. After a rejection, the next question
   *  opens another connection. Callers must ask one question at a time. */
  async ask(text: string): Promise<{ readonly row: readonly unknown[]; readonly identity: ServerIdentity }> {
    const deadline = performance.now() + patience;
    const { client, identity } = this.#open ?? (await this.#connect(deadline));
    try {
      return { row: await first(client, text, deadline), identity };
    } catch (error) {
      this.#lose(client);
      throw error;
    }
  }

  /** The next question opens another connection, since another server is used now. */
  reconnect(): void {
    if (this.#open !== undefined) this.#lose(this.#open.client);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#open?.client;
    this.#open = undefined;
    await client?.end().catch(() => undefined);
  }

  async #connect(deadline: number) {
    const client = new PostgresClient(this.#connection);
    const lose = () => this.#lose(client);
    client.on('error', lose).on('end', lose);
    try {
      await client.connect();
      const [database, schema] = await first(client, databaseQuestion, deadline);
      const [system] = await first(client, systemQuestion, deadline).catch((error: unknown) => {
        if (error instanceof pg.DatabaseError) return [];
        throw error;
      });
      const identity = { system: typeof system === 'string' ? system : undefined, database: String(database), schema: String(schema) };
      if (this.#isClosed) throw new Error('closed');
      this.#open = { client, identity };
      return this.#open;
    } catch (error) {
      // Not awaited: the server may never respond.
      client.end().catch(() => undefined);
      throw error;
    }
  }

  #lose(client: pg.Client): void {
    if (this.#open?.client !== client) return;
    this.#open = undefined;
    client.end().catch(() => undefined);
    this.#lost();
  }
}

async function first(client: pg.Client, text: string, deadline: number): Promise<readonly unknown[]> {
  const { rows } = await withTimeout(deadline, client.query<unknown[]>({ text, rowMode: 'array' }));
  return rows[0] ?? [];
}
