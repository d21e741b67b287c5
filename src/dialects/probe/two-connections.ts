/** Two connections of a pool, which are opened again when one is lost. */
import type { Row } from '../dialect.ts';

interface Connections<Client> {
  readonly open: () => Promise<Client>;
  readonly run: (client: Client, text: string, parameters: readonly unknown[]) => Promise<Row[]>;
  /** Ends a transaction. Returns whether the connection can be used on. */
  readonly rollBack: (client: Client) => Promise<boolean>;
  readonly close: (client: Client, isUsable: boolean) => void;
}

export type Run = (text: string, parameters?: readonly unknown[]) => Promise<Row[]>;

export class TwoConnections<Client> {
  readonly #parts: Connections<Client>;
  readonly #open = new Map<'one' | 'two', Client>();

  constructor(parts: Connections<Client>) {
    this.#parts = parts;
  }

  readonly one: Run = (text, parameters) => this.#run('one', text, parameters);
  readonly two: Run = (text, parameters) => this.#run('two', text, parameters);

  async clientOf(side: 'one' | 'two'): Promise<Client> {
    const client = this.#open.get(side) ?? (await this.#parts.open());
    this.#open.set(side, client);
    return client;
  }

  /** Ends the transactions of both: what the second one waits for ends first. */
  readonly reset = async (): Promise<void> => {
    for (const side of ['one', 'two'] as const) {
      const client = this.#open.get(side);
      if (client === undefined || (await this.#parts.rollBack(client))) continue;
      this.#open.delete(side);
      this.#parts.close(client, false);
    }
  };

  close(): void {
    for (const client of this.#open.values()) this.#parts.close(client, true);
    this.#open.clear();
  }

  async #run(side: 'one' | 'two', text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.#parts.run(await this.clientOf(side), text, parameters);
  }
}
