/** A PostgreSQL server of one test or load test, which may stop, restart and configure it as it likes. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

const folders = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt'];
const programs = folders
  .flatMap((folder) => (existsSync(folder) ? [join(folder, 'bin'), ...readdirSync(folder).map((each) => join(folder, each, 'bin'))] : []))
  .find((folder) => existsSync(join(folder, 'initdb')));

export const hasPostgresPrograms = programs !== undefined;

export interface OwnPostgres {
  /** The URL of the user and database `postgres`. */
  readonly url: string;
  readonly data: string;
  start(): void;
  stop(mode: 'fast' | 'immediate'): void;
  /** Ends all its processes at once, as the loss of its machine does. */
  kill(): void;
  /** Replaces its data by a copy of another server, and follows that one from now on. `name`: for `synchronous_standby_names`. */
  copy(primary: OwnPostgres, name?: string): void;
  /** False once it has ended by itself, too. */
  isRunning(): boolean;
  remove(): void;
}

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0;
const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = runWithStatus(program, ...args);
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}

function runWithStatus(program: string, ...args: readonly string[]) {
  const command = [join(programs ?? '', program), ...args];
  const [name = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  return spawnSync(name, rest, { cwd: tmpdir(), encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
}

const sleep = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

async function newFolder(): Promise<{ readonly folder: string; readonly port: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-postgres-'));
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
  return { folder, port: await freePort() };
}

/** The server whose data are in the folder. */
function serverIn(folder: string, port: number): OwnPostgres {
  const data = join(folder, 'data');
  let wasKilled = false;
  const stop = (mode: string) => run('pg_ctl', `--pgdata=${data}`, '--wait', `--mode=${mode}`, 'stop');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    data,
    start() {
      const command = ['pg_ctl', `--pgdata=${data}`, '--wait', `--log=${join(folder, 'log')}`, 'start'] as const;
      // The system takes a moment to end processes that were killed, which use the memory that the new ones need.
      for (let attempt = 1; wasKilled && attempt < 50 && runWithStatus(...command).status !== 0; attempt++) sleep(200);
      wasKilled = false;
      if (!this.isRunning()) run(...command);
    },
    stop,
    kill() {
      const main = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      const others = spawnSync('pgrep', ['-P', String(main)], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter(Boolean)
        .map(Number);
      for (const each of [main, ...others]) killIfThere(each);
      wasKilled = true;
    },
    copy(primary, name = 'replica') {
      rmSync(data, { recursive: true, force: true });
      const from = `${primary.url}?application_name=${name}`;
      run('pg_basebackup', `--pgdata=${data}`, `--dbname=${from}`, '--write-recovery-conf', '--checkpoint=fast', '--no-sync');
      appendFileSync(join(data, 'postgresql.conf'), `${ownSettings(folder, port).join('\n')}\n`);
      this.start();
    },
    // `pg_ctl` takes a process that was killed, and that nobody has waited for, for a running one.
    isRunning: () => !wasKilled && runWithStatus('pg_ctl', `--pgdata=${data}`, 'status').status === 0,
    remove() {
      if (this.isRunning()) stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ownSettings = (folder: string, port: number) => [`port = ${port}`, `unix_socket_directories = '${folder}'`];

/** `settings` are lines of `postgresql.conf`; `files` are made in the folder of the data before the server starts. */
export async function startOwnPostgres(
  settings: readonly string[] = [],
  prepare: (data: string) => void = () => undefined,
): Promise<OwnPostgres> {
  const { folder, port } = await newFolder();
  const own = serverIn(folder, port);
  run('initdb', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-sync', `--pgdata=${own.data}`);
  const lines = [...ownSettings(folder, port), "listen_addresses = '127.0.0.1'", 'fsync = off', ...settings];
  appendFileSync(join(own.data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  prepare(own.data);
  own.start();
  return own;
}

/** A replica of another server of this kind, from its present state on. */
export async function startReplica(primary: OwnPostgres, name?: string): Promise<OwnPostgres> {
  const { folder, port } = await newFolder();
  const own = serverIn(folder, port);
  own.copy(primary, name);
  return own;
}

function killIfThere(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
