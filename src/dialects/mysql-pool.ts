/** Connections to MariaDB or MySQL, with limits on the wait for a connection and for the server. */
import { once } from 'node:events';
import mysql from 'mysql2';
import type { PoolFigures } from '../observe/figures.ts';
import { ConnectionAttempts } from './connection-attempts.ts';
import { ConnectionQueue } from './connection-queue.ts';
import type { Row } from './dialect.ts';
import { nodeSession, nodeState, refuseUnsynced, stateKept } from './galera-node.ts';
import { ask, type Client, disconnect, type Isolation, plainRows, streamOf } from './mysql-client.ts';
import { endsConnection, isServerError, isSettingWrong } from './mysql-errors.ts';
import { type MysqlServer, serverOf } from './mysql-servers.ts';
import type { MysqlStatement } from './mysql-statements.ts';
import type { Host, ServerHosts } from './server-hosts.ts';
import { probeTime, ServerWatch, stopTime, type WatchedPool } from './server-watch.ts';
import { isTimeout, timedOut, withTimeout } from './time-out.ts';

export interface MysqlPoolOptions {
  readonly hosts: ServerHosts<mysql.ConnectionOptions>;
  readonly min: number;
  readonly max: number;
  /** The server ends a statement after this time; 0 means no limit. Milliseconds. */
  readonly statementTime: number;
  /** Opening a connection and beginning a transaction may take at most this long. Milliseconds. */
  readonly connectionTime: number;
  /** On a Galera cluster: which reads have every commit from before, `all` of them or those that
   *  ask for it. */
  readonly currentReads: 'writers' | 'all';
}

/** Which connection a caller needs. */
export interface Wanted {
  /** Undefined: either. */
  readonly isolation?: Isolation | undefined;
  /** When the caller began to wait, if that was before. */
  readonly since?: number | undefined;
  /** True if its transaction must have every commit from before, on whichever node. */
  readonly isCurrent?: boolean | undefined;
}

/** Milliseconds: a connection may look up this host's name, and TLS takes several round trips. */
const probeConnectionTime = 1000;
/** Connections beyond `min` are closed when nobody has used them for this long. Milliseconds. */
const idleTime = 10_000;
/** Each connection holds at most this many prepared statements. */
const preparedStatements = 100;

const sqlMode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/** Seconds that a statement waits for a row that another transaction has locked. */
export const lockPatience = 5;

export class MysqlPool implements WatchedPool {
  readonly #options: MysqlPoolOptions;
  readonly #line: ConnectionQueue;
  readonly #attempts = new ConnectionAttempts();
  /** The one that was used last comes last. */
  readonly #idle: Client[] = [];
  readonly #used = new Set<Client>();
  readonly #losses = new WeakSet<object>();
  readonly #watch = new ServerWatch(this);
  /** The connections that have broken so far. */
  lost = 0;
  #isClosed = false;
  readonly #stopListening: () => void;

  constructor(options: MysqlPoolOptions) {
    this.#options = options;
    const { statementTime, connectionTime, max } = options;
    const maxWait = statementTime === 0 ? Number.POSITIVE_INFINITY : Math.max(statementTime, connectionTime);
    this.#line = new ConnectionQueue({ connections: max, patience: connectionTime, maxWait });
    this.#stopListening = options.hosts.onMove(() => this.#dropIdle(Number.POSITIVE_INFINITY));
  }

  /** The connections that no caller uses. Some may have broken unnoticed. */
  get idle(): number {
    return this.#idle.length;
  }

  figures(): PoolFigures {
    const idle = this.#idle.length;
    return { open: idle + this.#used.size, idle, waiting: this.#line.waiting, max: this.#options.max };
  }

  /** Returns a connection, to be returned with `end`. */
  async take({ isolation, since, isCurrent }: Wanted = {}): Promise<Client> {
    try {
      const deadline = await this.#line.enter(since);
      let client: Client | undefined;
      try {
        client =
          (await this.#takeIdle(isolation, deadline)) ??
          (await withTimeout(
            deadline,
            this.#attempts.run(() => this.#openInTime(), deadline),
            (late) => disconnect(late.driver),
          ));
        client.beginBy = deadline;
        this.#used.add(client);
        if (isolation !== undefined && client.isolation !== isolation) {
          const change = { text: `SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`, parameters: [] };
          await this.beginning(client, this.run(client, change));
          client.isolation = isolation;
        }
        if (client.session.isGalera) await this.#setUpNode(client, isolation, isCurrent);
        return client;
      } catch (error) {
        if (client === undefined) this.#line.leave(false);
        else this.end(client, false);
        throw error;
      }
    } catch (error) {
      this.#noteLoss(error);
      throw error;
    }
  }

  /** Settles like `work`, which begins a transaction, or rejects without a response in time. */
  async beginning<T>(client: Client, work: Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await this.#watch.beginning(client.beginBy, work);
    } catch (error) {
      if (isTimeout(error)) {
        this.#giveUp(client);
        this.#noteLoss(error);
        // Something between both ends may have dropped the idle connections without telling.
        this.#dropIdle(began);
      }
      throw error;
    }
  }

  /** Closes the idle connections that nobody has used since then. */
  #dropIdle(since: number): void {
    for (const client of this.#idle.filter(({ usedAt }) => usedAt <= since)) this.#giveUp(client);
  }

  /** Undefined if a connection has to be opened. */
  async #takeIdle(isolation: Isolation | undefined, deadline: number): Promise<Client | undefined> {
    for (;;) {
      const fitting = isolation === undefined ? -1 : this.#idle.findLastIndex((client) => client.isolation === isolation);
      const client = fitting < 0 ? this.#idle.pop() : this.#idle.splice(fitting, 1)[0];
      if (client === undefined || !client.session.isGalera || performance.now() - client.checkedAt < stateKept) return client;
      try {
        client.beginBy = deadline;
        this.#used.add(client);
        refuseUnsynced(await this.beginning(client, this.run(client, { text: nodeState, parameters: [] })));
        client.checkedAt = performance.now();
        return client;
      } catch (error) {
        this.#used.delete(client);
        this.#giveUp(client);
        // Unless the server is silent, another connection may work, or lead to another node.
        if (isTimeout(error)) throw error;
      }
    }
  }

  async #setUpNode(client: Client, isolation: Isolation | undefined, isCurrent = false): Promise<void> {
    const isWriting = isolation === 'READ COMMITTED';
    const text = nodeSession({ isWriting, isCurrent: isWriting || isCurrent || this.#options.currentReads === 'all' });
    if (client.nodeSession === text) return;
    await this.beginning(client, this.run(client, { text, parameters: [] }));
    client.nodeSession = text;
  }

  /** Returns a connection to the pool. `usable` is true if it is no longer in a transaction. */
  end(client: Client, usable: boolean): void {
    const isWell = usable && !client.isBroken;
    this.#used.delete(client);
    client.usedAt = performance.now();
    if (isWell && !this.#isClosed && client.host === this.#options.hosts.inUse) this.#idle.push(client);
    else disconnect(client.driver);
    this.#line.leave(isWell);
  }

  /** Runs a statement and returns its rows; for an INSERT without RETURNING, the ids that it
   *  gave. */
  async run(client: Client, statement: MysqlStatement, each?: (row: Row) => void): Promise<Row[]> {
    try {
      await client.ending;
      if (client.isBroken) throw timedOut();
      const rows = await this.#answer(client, statement, each);
      this.#watch.noteResponse();
      return rows;
    } catch (error) {
      if (isServerError(error)) this.#watch.noteResponse();
      if (endsConnection(error)) this.#break(client);
      if (client.isBroken) this.#noteLoss(error);
      throw error;
    }
  }

  /** Ends the connection's running statement, if any. The connection remains usable if the server
   *  confirms it in time; a late end would be that of the next statement. */
  async cancel(client: Client): Promise<void> {
    if (client.isBroken) return;
    const killed = this.#apart(`KILL QUERY ${client.driver.threadId}`, client.host);
    // A connection that ends has no statement to cancel.
    const waiting = new AbortController();
    const closed = once(streamOf(client.driver), 'close', { signal: waiting.signal });
    await withTimeout<unknown>(performance.now() + probeTime, Promise.race([killed, closed])).catch((error: unknown) => {
      if (isTimeout(error)) this.#giveUp(client);
    });
    waiting.abort();
  }

  /** As `ServerWatch.suspect`. */
  suspect(): void {
    this.#watch.suspect();
  }

  /** Whether a failed or broken connection caused this error. */
  isLoss(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#losses.has(error);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch.stop();
    this.#stopListening();
    await Promise.all(this.#idle.splice(0).map(({ driver }) => new Promise<void>((resolve) => driver.end(() => resolve()))));
  }

  async #openInTime(): Promise<Client> {
    const deadline = performance.now() + this.#options.connectionTime;
    const client = await withTimeout(deadline, this.#search(), (late) => disconnect(late.driver));
    this.#watch.noteResponse();
    return client;
  }

  #search(): Promise<Client> {
    const { hosts } = this.#options;
    return hosts.search(() => {
      const host = hosts.candidate;
      const open = () => withTimeout(performance.now() + hosts.share, this.#open(host), (late) => disconnect(late.driver));
      return hosts.attempt(host, open, isSettingWrong);
    });
  }

  async #open(host: Host<mysql.ConnectionOptions>): Promise<Client> {
    const driver = await this.#connect(this.#options.hosts.share, host);
    // Without a listener, a connection that breaks would end the process.
    let client: Client | undefined;
    driver.on('error', (error: Error) => {
      if (client !== undefined) this.#giveUp(client, error);
    });
    try {
      const deadline = performance.now() + this.#options.connectionTime;
      const [[version, database, step, packet, isReadOnly] = []] = await withTimeout(
        deadline,
        plainRows(driver, "SELECT VERSION(), COALESCE(DATABASE(), ''), @@auto_increment_increment, @@max_allowed_packet, @@read_only"),
      );
      if (this.#options.hosts.isList && Number(isReadOnly) === 1) throw new Error('it is read-only');
      const server = serverOf(String(version));
      await withTimeout(deadline, plainRows(driver, this.#session(server)));
      const [galera] = await withTimeout(deadline, plainRows(driver, "SHOW VARIABLES LIKE 'wsrep_on'"));
      if (galera?.[1] === 'ON') refuseUnsynced(await withTimeout(deadline, plainRows(driver, nodeState)));
      const session = {
        server,
        database: String(database),
        idStep: Number(step),
        packetBytes: Number(packet),
        isGalera: galera?.[1] === 'ON',
      };
      client = {
        driver,
        host,
        session,
        isolation: 'READ COMMITTED',
        nodeSession: undefined,
        checkedAt: performance.now(),
        isBroken: false,
        usedAt: performance.now(),
        beginBy: deadline,
        running: undefined,
        ending: undefined,
      };
      return client;
    } catch (error) {
      disconnect(driver);
      throw error;
    }
  }

  #session({ codePointOrder, session }: MysqlServer): string {
    return [
      `SET NAMES utf8mb4 COLLATE ${codePointOrder}, sql_mode = '${sqlMode}'`,
      `SESSION innodb_lock_wait_timeout = ${lockPatience}, SESSION lock_wait_timeout = ${lockPatience}`,
      // By default, the server tries all orders of a join: planning a filter through twelve
      // relations exceeded the time limit. With 8 it took five seconds.
      'SESSION optimizer_search_depth = 4',
      ...session(this.#options.statementTime),
    ].join(', ');
  }

  #connect(time: number, { address }: Host<mysql.ConnectionOptions>): Promise<mysql.Connection> {
    return new Promise((resolve, reject) => {
      const driver = mysql.createConnection({
        ...address,
        connectTimeout: time,
        charset: 'utf8mb4_bin',
        rowsAsArray: true,
        supportBigNumbers: true,
        dateStrings: true,
        jsonStrings: true,
        multipleStatements: false,
        flags: ['-LOCAL_FILES'],
        maxPreparedStatements: preparedStatements,
        enableKeepAlive: true,
        keepAliveInitialDelay: 10_000,
      });
      driver.once('error', reject);
      driver.connect((error) => {
        driver.removeListener('error', reject);
        if (error === null) resolve(driver);
        else {
          driver.on('error', () => undefined);
          disconnect(driver);
          reject(error);
        }
      });
    });
  }

  /** Runs a statement on a connection of its own. */
  async #apart(text: string, host = this.#options.hosts.inUse): Promise<void> {
    const { connectionTime } = this.#options;
    // The driver's own timeout does not notice that this thread was busy.
    const driver = await withTimeout(performance.now() + probeConnectionTime, this.#connect(connectionTime, host), disconnect);
    driver.on('error', () => undefined);
    try {
      await withTimeout(performance.now() + probeTime, plainRows(driver, text));
    } finally {
      disconnect(driver);
    }
  }

  #break(client: Client): void {
    if (client.isBroken) return;
    client.isBroken = true;
    this.lost++;
    const position = this.#idle.indexOf(client);
    if (position >= 0) this.#idle.splice(position, 1);
  }

  #noteLoss(error: unknown): void {
    if (typeof error === 'object' && error !== null) this.#losses.add(error);
  }

  #answer(client: Client, statement: MysqlStatement, each: ((row: Row) => void) | undefined): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      client.running = { since: performance.now(), giveUp: reject };
      const done = () => {
        client.running = undefined;
      };
      ask(client, statement, each).finally(done).then(resolve, reject);
    });
  }

  look(now: number): number {
    const { statementTime, min } = this.#options;
    const [oldest] = this.#idle;
    if (oldest !== undefined && this.#idle.length > min && now - oldest.usedAt > idleTime) {
      this.#idle.shift();
      oldest.driver.end();
    }
    let earliest = now;
    for (const client of this.#used) {
      const since = client.running?.since ?? now;
      if (statementTime > 0 && now - since > statementTime) this.#endLate(client, now - since - statementTime);
      earliest = Math.min(earliest, since);
    }
    return earliest;
  }

  #endLate(client: Client, late: number): void {
    if (late > stopTime) this.#giveUp(client);
    else if (!client.session.server.limitsEveryStatement && client.ending === undefined)
      client.ending = this.cancel(client).finally(() => {
        client.ending = undefined;
      });
  }

  responds(): Promise<boolean> {
    return this.#apart('SELECT 1').then(
      () => true,
      (error: unknown) => isServerError(error),
    );
  }

  fallSilent(error: Error): void {
    this.#attempts.fail(error);
    const { hosts } = this.#options;
    hosts.passOver(hosts.inUse);
    this.#dropIdle(Number.POSITIVE_INFINITY);
    for (const client of this.#used) if (client.running !== undefined) this.#giveUp(client);
    this.#line.refuseAll(error);
  }

  /** The driver does not tell a statement without a callback that its connection has ended. */
  #giveUp(client: Client, error = timedOut()): void {
    this.#break(client);
    client.running?.giveUp(error);
    disconnect(client.driver);
  }
}
