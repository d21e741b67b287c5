/** A PostgreSQL server of one test, which may stop, restart and configure it as it likes. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

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
  remove(): void;
}

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0;
const idOf = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);

function run(program: string, ...args: readonly string[]): void {
  const command = [join(programs ?? '', program), ...args];
  const [name = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  const { status, stderr } = spawnSync(name, rest, { cwd: tmpdir(), encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** `settings` are lines of `postgresql.conf`; `files` are made in the folder of the data before the server starts. */
export async function startOwnPostgres(
  settings: readonly string[] = [],
  prepare: (data: string) => void = () => undefined,
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-postgres-'));
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
  const data = join(folder, 'data');
  const port = await freePort();
  run('initdb', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-sync', `--pgdata=${data}`);
  const own = [`port = ${port}`, `unix_socket_directories = '${folder}'`, "listen_addresses = '127.0.0.1'", 'fsync = off', ...settings];
  appendFileSync(join(data, 'postgresql.conf'), `${own.join('\n')}\n`);
  prepare(data);
  const start = () => run('pg_ctl', `--pgdata=${data}`, '--wait', `--log=${join(folder, 'log')}`, 'start');
  const stop = (mode: string) => run('pg_ctl', `--pgdata=${data}`, '--wait', `--mode=${mode}`, 'stop');
  start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    data,
    start,
    stop,
    remove() {
      if (existsSync(join(data, 'postmaster.pid'))) stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Called in the body of a `describe`, before what uses the server. Returns what gives its URL. */
export function useOwnPostgres(): () => string {
  let own: OwnPostgres | undefined;
  beforeAll(async () => {
    own = await startOwnPostgres();
  });
  afterAll(() => own?.remove());
  return () => {
    if (own === undefined) throw new Error('the server runs from beforeAll on');
    return own.url;
  };
}
