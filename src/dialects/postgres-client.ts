/** A connection of the driver that leaves no socket behind. When signing in fails at this end, for a password that is missing, the driver would keep the
 *  socket, and the server would wait on it for a minute. */
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** The driver has this property, but its types lack it. */
type ConnectedClient = pg.ClientBase & { readonly connection: { readonly stream: Duplex } };
const streamOf = (client: pg.ClientBase): Duplex => (client as ConnectedClient).connection.stream;

/** Closes the socket at once. */
export const disconnect = (client: pg.ClientBase): void => void streamOf(client).destroy();

/** The port of this end, as the server sees it unless something is in between; -1 for a socket of the file system, as PostgreSQL has it. */
export function localPortOf(client: pg.ClientBase): number {
  const stream = streamOf(client);
  return 'localPort' in stream && typeof stream.localPort === 'number' ? stream.localPort : -1;
}

/** Keeps what is sent until `sendHeldBack` is called, so that it makes one packet. */
export const holdBack = (client: pg.ClientBase): void => streamOf(client).cork();
export const sendHeldBack = (client: pg.ClientBase): void => streamOf(client).uncork();

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

export class PostgresClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    if (callback === undefined) {
      return super.connect().catch((error: unknown) => {
        disconnect(this);
        throw error;
      });
    }
    super.connect((error: Error | null) => {
      if (error !== null && error !== undefined) disconnect(this);
      (callback as (error: Error | null) => void)(error);
    });
    return undefined;
  }
}
