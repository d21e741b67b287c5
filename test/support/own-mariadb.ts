/** A MariaDB server of one test or load test, which may stop and restart it as it likes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** MariaDB refuses to run as root. */
const asOwner = process.getuid?.() === 0 ? ['runuser', '-u', 'mysql', '--'] : [];

/** `settings` are options of the program.
 *  @public `bench/soak/database.mjs` imports it by the path of this file. */
export async function startOwnMariadb(settings: readonly string[] = []): Promise<OwnMariadb> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-mariadb-'));
  if (asOwner.length > 0) {
    const idOf = (flag: string) => Number(spawnSync('id', [flag, 'mysql'], { encoding: 'utf8' }).stdout);
    chownSync(folder, idOf('-u'), idOf('-g'));
  }
  const port = await freePort();
  const own = ['--no-defaults', `--datadir=${join(folder, 'data')}`];
  // Users may sign in from this machine without a password, which `normal` allows by TCP.
  run(folder, [installer ?? '', ...own, '--auth-root-authentication-method=normal']);
  const administrator = `mysql://root@127.0.0.1:${port}/`;
  let child: ChildProcess | undefined;
  const start = async () => {
    const [program = '', ...args] = [
      ...asOwner,
      ...[server ?? '', ...own, `--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'socket')}`],
      ...[
        `--log-error=${join(folder, 'log')}`,
        '--character-set-server=utf8mb4',
        '--innodb-buffer-pool-size=64M',
        '--innodb-log-file-size=32M',
      ],
      ...settings,
    ];
    const started = spawn(program, args, { cwd: folder, env: environmentIn(folder), stdio: 'ignore' });
    child = started;
    for (const since = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const responds = await onMariadb(administrator, (connection) => connection.query('SELECT 1')).then(
        () => true,
        () => false,
      );
      if (responds) return;
      if (started.exitCode === null && Date.now() - since < startTime) continue;
      throw new Error(`MariaDB does not start: ${readFileSync(join(folder, 'log'), 'utf8').slice(-1000)}`);
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
  await start();
  await onMariadb(administrator, (connection) =>
    connection.query('CREATE DATABASE IF NOT EXISTS content CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci'),
  );
  return {
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
}

/** Two nodes of a Galera cluster, which replicate everything to each other. */
export async function startGalera(): Promise<readonly [OwnMariadb, OwnMariadb]> {
  const ports = [await freePort(), await freePort()];
  const [first = ''] = ports.map((port) => `127.0.0.1:${port}`);
  const start = async (index: number) => {
    const [transfer, increments] = [await freePort(), await freePort()];
    return startOwnMariadb([
      ...['--wsrep-on=ON', `--wsrep-provider=${galeraLibrary}`, '--wsrep-sst-method=rsync', '--wsrep-node-address=127.0.0.1'],
      ...[`--wsrep-cluster-address=gcomm://${index === 0 ? '' : first}`, `--wsrep-sst-receive-address=127.0.0.1:${transfer}`],
      `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${ports[index]};ist.recv_addr=127.0.0.1:${increments};gcache.size=32M`,
      ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', '--innodb-flush-log-at-trx-commit=0'],
    ]);
  };
  const node = await start(0);
  try {
    return [node, await start(1)];
  } catch (error) {
    node.remove();
    throw error;
  }
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
