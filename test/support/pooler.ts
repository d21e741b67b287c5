/** PgBouncer in transaction mode in front of a PostgreSQL server: every transaction may run in another session of the server. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) => existsSync(path));
export const hasPgbouncer = program !== undefined;

/** PgBouncer refuses to run as root. */
const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];

export interface Pooler {
  /** `127.0.0.1:6432` */
  readonly host: string;
  close(): Promise<void>;
}

/** In front of all databases of the server that the URL names. `settings`: more lines of its file. */
export async function startPooler(serverUrl: string, settings: readonly string[] = []): Promise<Pooler> {
  const url = new URL(serverUrl);
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  const port = await freePort();
  const password = url.password === '' ? '' : ` password=${url.password}`;
  // What docs/scaling.md makes settings of the role, since the pooler ignores them.
  const init = 'SET jit = off; SET max_parallel_workers_per_gather = 0';
  const lines = [
    `[databases]\n* = host=${url.hostname} port=${url.port || 5432} user=${url.username}${password} connect_query='${init}'`,
    `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction`,
    'ignore_startup_parameters = extra_float_digits, options',
    ...settings,
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `${lines.join('\n')}\n`);
  spawnSync('chmod', ['-R', 'a+rX', folder]);
  const child = spawn(program ?? '', ['-q', ...user, file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await untilItListens(port);
  return {
    host: `127.0.0.1:${port}`,
    async close() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilItListens(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = net.connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('pgbouncer does not listen');
}
