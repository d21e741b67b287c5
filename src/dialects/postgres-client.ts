/** A connection of the driver that leaves no socket behind. When signing in fails at this
 *  end, for a password that is missing, the driver would keep the socket, and the server
 *  would wait on it for a minute. */
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** The driver has this property, but its types lack it. */
type ConnectedClient = pg.ClientBase & { readonly connection: { readonly stream: Duplex } };

/** Closes the socket at once. */
export const disconnect = (client: pg.ClientBase): void => void (client as ConnectedClient).connection.stream.destroy();

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
