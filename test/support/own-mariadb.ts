/** A MariaDB server of one test or load test, which may stop and restart it as it likes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RowDataPacket } from 'mysql2/promise';
import { freePort } from './free-port.ts';
import { onMariadb } from './mariadb-server.ts';

const server = ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd', '/opt/homebrew/bin/mariadbd'].find((path) => existsSync(path));
const installer = ['/usr/bin/mariadb-install-db', '/usr/local/bin/mariadb-install-db', '/opt/homebrew/bin/mariadb-install-db'].find(
  (path) => existsSync(path),
);

export const hasMariadbPrograms = server !== undefined && installer !== undefined;

const galeraLibrary = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'].find((path) => existsSync(path));

export const hasGalera = hasMariadbPrograms && galeraLibrary !== undefined && spawnSync('rsync', ['--version']).status === 0;

export interface OwnMariadb {
  /** The URL of an empty database. */
  readonly url: string;
  /** Waits until it responds. */
  start(): Promise<void>;
  /** `immediate`: without a chance to write anything. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** False once it has ended by itself, too. */
  isRunning(): boolean;
  remove(): void;
}

/** Milliseconds within which a started server has to respond. */
const startTime = 60_000;
/** The same of a node that fetches its data from another one, which takes half a minute on a busy machine. */
const joinTime = 180_000;
/** Milliseconds within which it says whether it is ready; a node that joins a cluster may be silent. */
const askTime = 3000;

/** MariaDB refuses to run as root. */
const asOwner = process.getuid?.() === 0 ? ['runuser', '-u', 'mysql', '--'] : [];

/** The part of a server in a cluster: the first node makes it, and the others fetch its data. */
type Part = 'alone' | 'first node' | 'other node';

/** Called with a server before it starts, so that it can be removed if the start is interrupted. */
type Made = (own: OwnMariadb) => void;

/** `settings` are options of the program.
 *  @public `bench/soak/database.mjs` imports it by the path of this file. */
export async function startOwnMariadb(
  settings: readonly string[] = [],
  part: Part = 'alone',
  made: Made = () => undefined,
): Promise<OwnMariadb> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-mariadb-'));
  if (asOwner.length > 0) {
    const idOf = (flag: string) => Number(spawnSync('id', [flag, 'mysql'], { encoding: 'utf8' }).stdout);
    chownSync(folder, idOf('-u'), idOf('-g'));
  }
  const port = await freePort();
  const own = ['--no-defaults', `--datadir=${join(folder, 'data')}`];
  // Users may sign in from this machine without a password, which `normal` allows by TCP.
  if (part === 'other node') run(folder, ['mkdir', 'data']);
  else run(folder, [installer ?? '', ...own, '--auth-root-authentication-method=normal']);
  const administrator = `mysql://root@127.0.0.1:${port}/`;
  let child: ChildProcess | undefined;
  const log = join(folder, 'error.log');
  const command = [
    ...asOwner,
    ...[server ?? '', ...own, `--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'socket')}`],
    ...['--character-set-server=utf8mb4', '--innodb-buffer-pool-size=64M', '--innodb-log-file-size=32M'],
    ...settings,
  ];
  // A killed node looks up what it has, so that it fetches only what it lacks.
  const recover = () => {
    const [program = '', ...args] = [...command, '--wsrep-recover'];
    const { stderr } = spawnSync(program, args, { cwd: folder, env: environmentIn(folder), encoding: 'utf8', timeout: startTime });
    const [, position] = /WSREP: Recovered position:? (\S+:-?\d+)/.exec(stderr) ?? [];
    return position === undefined ? [] : [`--wsrep-start-position=${position}`];
  };
  const optionsOfStart = () => {
    if (part === 'alone') return [];
    if (child !== undefined) return recover();
    return part === 'first node' ? ['--wsrep-new-cluster'] : [];
  };
  const start = async () => {
    const [program = '', ...args] = [...command, `--log-error=${log}`, ...optionsOfStart()];
    const started = spawn(program, args, { cwd: folder, env: environmentIn(folder), stdio: 'ignore' });
    child = started;
    for (const since = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const responds = await onMariadb(administrator, async (connection) => {
        const [rows] = await connection.query<RowDataPacket[]>({ sql: "SHOW STATUS LIKE 'wsrep_ready'", timeout: askTime });
        // A node responds before it takes statements.
        return part === 'alone' || rows[0]?.Value === 'ON';
      }).catch(() => false);
      if (responds) return;
      if (started.exitCode === null && Date.now() - since < (part === 'alone' ? startTime : joinTime)) continue;
      throw new Error(`MariaDB does not start: ${readFileSync(log, 'utf8').slice(-1000)}`);
    }
  };
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const stop = async (mode: 'fast' | 'immediate') => {
    const stopped = child;
    if (stopped === undefined || !isRunning()) return;
    const ended = new Promise((resolve) => stopped.once('exit', resolve));
    signal(stopped.pid ?? 0, mode === 'fast' ? 'SIGTERM' : 'SIGKILL');
    await ended;
  };
  const owned = {
    url: `${administrator}content`,
    start,
    stop,
    isRunning,
    remove() {
      if (isRunning()) signal(child?.pid ?? 0, 'SIGKILL');
      // The server may still be writing.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
  made(owned);
  try {
    await start();
    await onMariadb(administrator, (connection) =>
      connection.query('CREATE DATABASE IF NOT EXISTS content CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci'),
    );
  } catch (error) {
    owned.remove();
    throw error;
  }
  return owned;
}

/** Nodes of a Galera cluster, which replicate everything to each other. A node that was stopped or killed joins the others again when it starts, as long
 *  as one of them runs; it fetches what it lacks, or everything. */
export async function startGalera(count = 2, made: Made = () => undefined): Promise<readonly OwnMariadb[]> {
  // Its ports were free when they were chosen, and may be taken when it listens.
  for (let attempt = 1; ; attempt++) {
    try {
      return await startNodes(count, made);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

async function startNodes(count: number, made: Made): Promise<readonly OwnMariadb[]> {
  const addresses: string[] = [];
  for (let index = 0; index < count; index++) addresses.push(`127.0.0.1:${await freePort()}`);
  const settingsOf = async (own: string | undefined) => {
    const [transfer, increments] = [await freePort(), await freePort()];
    const provider = [`gmcast.listen_addr=tcp://${own}`, `ist.recv_addr=127.0.0.1:${increments}`, 'gcache.size=32M'];
    return [
      ...['--wsrep-on=ON', `--wsrep-provider=${galeraLibrary}`, '--wsrep-sst-method=rsync', '--wsrep-node-address=127.0.0.1'],
      ...[`--wsrep-cluster-address=gcomm://${addresses.join(',')}`, `--wsrep-sst-receive-address=127.0.0.1:${transfer}`],
      ...[`--wsrep-provider-options=${provider.join(';')}`, '--binlog-format=ROW', '--innodb-autoinc-lock-mode=2'],
      '--innodb-flush-log-at-trx-commit=0',
    ];
  };
  const nodes: OwnMariadb[] = [];
  try {
    for (const own of addresses)
      nodes.push(await startOwnMariadb(await settingsOf(own), nodes.length === 0 ? 'first node' : 'other node', made));
  } catch (error) {
    for (const node of nodes) node.remove();
    throw error;
  }
  return nodes;
}

/** A temporary directory of its own: a starting server removes all temporary tables in it, also those of another server, which then crashes. */
const environmentIn = (folder: string) => ({ ...process.env, TMPDIR: folder });

/** `runuser` stays the parent process of the server, and does not pass on SIGKILL. */
function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  const children = asOwner.length === 0 ? '' : readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const [server = pid] = children.split(' ').filter(Boolean).map(Number);
  process.kill(server, name);
}

function run(cwd: string, command: readonly string[]): void {
  const [program = '', ...args] = [...asOwner, ...command];
  const { status, stderr } = spawnSync(program, args, {
    cwd,
    env: environmentIn(cwd),
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${command[0]}: ${stderr}`);
}
