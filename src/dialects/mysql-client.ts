/** A connection to MariaDB or MySQL: its session, and how it sends a statement. */
import type { Duplex } from 'node:stream';
import type mysql from 'mysql2';
import type { Row } from './dialect.ts';
import type { MysqlServer } from './mysql-servers.ts';
import { boundStatement, type MysqlStatement } from './mysql-statements.ts';
import type { Host } from './server-hosts.ts';

/** What the session of a connection is like. */
export interface Session {
  readonly server: MysqlServer;
  /** The name of the database; empty if none is chosen. */
  readonly database: string;
  /** The difference of two ids that the server gives in one statement; a Galera cluster changes
   *  it. */
  readonly idStep: number;
  /** The server refuses longer statements, with their values. */
  readonly packetBytes: number;
  /** Whether the server belongs to a Galera cluster, whose other nodes write as well. */
  readonly isGalera: boolean;
}

/** REPEATABLE READ for snapshots. READ COMMITTED for writes, which then lock no gaps and see
 *  others' commits. */
export type Isolation = 'REPEATABLE READ' | 'READ COMMITTED';

export interface Client {
  readonly driver: mysql.Connection;
  readonly host: Host<mysql.ConnectionOptions>;
  readonly session: Session;
  isolation: Isolation;
  /** On a Galera cluster: the statement that the session was set up by. */
  nodeSession: string | undefined;
  /** On a Galera cluster: when the node was last asked for its state. */
  checkedAt: number;
  isBroken: boolean;
  usedAt: number;
  /** The time (of `performance.now()`) by which the transaction of its user must have begun. */
  beginBy: number;
  /** The statement that is running: when it was sent, and what rejects it. */
  running: { readonly since: number; readonly giveUp: (error: Error) => void } | undefined;
  /** Ends the statement that took too long, if the server does not. The next statement waits for
   *  this; otherwise it would be ended instead. */
  ending: Promise<void> | undefined;
}

/** The driver's types lack this property. */
export const streamOf = (driver: mysql.Connection): Duplex => (driver as mysql.Connection & { readonly stream: Duplex }).stream;

/** Closes the socket at once. By itself, the driver waits for the other side. */
export function disconnect(driver: mysql.Connection): void {
  driver.destroy();
  streamOf(driver).destroy();
}

export function plainRows(driver: mysql.Connection, text: string): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    driver.query<mysql.RowDataPacket[][]>(text, (error, rows) =>
      error === null ? resolve(Array.isArray(rows) ? rows : []) : reject(error),
    );
  });
}

/** The driver reads numbers from texts inexactly: `97.13578789960593` becomes another one.
 *  Statements with values return binary numbers. */
const exactNumber: mysql.TypeCast = (field, next) => {
  if (field.type !== 'DOUBLE' && field.type !== 'FLOAT') return next();
  const text = field.string();
  return text === null ? null : Number(text);
};

/** Sends a statement. Those without values are not prepared: each of them runs once. */
export function ask(client: Client, statement: MysqlStatement, each: ((row: Row) => void) | undefined): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const { driver, session } = client;
    const { text, values } = boundStatement(statement, session.packetBytes);
    const command =
      values.length === 0 ? driver.query({ sql: text, typeCast: exactNumber }) : driver.execute({ sql: text, values: [...values] });
    const rows: Row[] = [];
    let refused = false;
    command.on('error', reject);
    command.on('result', (result: Row | mysql.ResultSetHeader) => {
      if (refused) return;
      if (!Array.isArray(result)) {
        if (session.server.returningId === '') rows.push(...insertedIds(result as mysql.ResultSetHeader, session.idStep));
        return;
      }
      if (each === undefined) {
        rows.push(result);
        return;
      }
      try {
        each(result);
      } catch (error) {
        // The server sends the other rows as well, so the connection cannot be used again.
        refused = true;
        client.isBroken = true;
        disconnect(driver);
        reject(error);
      }
    });
    command.on('end', () => resolve(rows));
  });
}

/** An INSERT reports its first generated id. The others follow, since no other transaction gets one
 *  in between. Source: MySQL manual, "InnoDB AUTO_INCREMENT Lock Modes": if a statement's number of
 *  rows is known, ids are consecutive in each mode. */
const insertedIds = ({ insertId, affectedRows }: mysql.ResultSetHeader, step: number): Row[] =>
  insertId === 0 ? [] : Array.from({ length: affectedRows }, (_, index) => [insertId + index * step]);
