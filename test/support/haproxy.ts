/** HAProxy with the sections of deploy/haproxy.cfg, whose addresses a test replaces by its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { atEnd } from './at-end.ts';

/** Undefined where it is not installed. */
export const haproxy = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find((path) => existsSync(path));

export const configuration = fileURLToPath(new URL('../../deploy/haproxy.cfg', import.meta.url));

/** Parts of deploy/haproxy.cfg by the lines that they begin with, such as `backend lectern`; in front of them `global` and `defaults`. */
export function sections(...names: readonly string[]): string {
  const all = readFileSync(configuration, 'utf8').split(/^(?=\w)/m);
  return ['global', 'defaults', ...names]
    .map((name) => {
      const found = all.find((section) => section.startsWith(`${name}\n`));
      if (found === undefined) throw new Error(`deploy/haproxy.cfg has no section ${name}`);
      return found;
    })
    .join('');
}

/** Replaces the addresses: of servers by their names, of `bind` by its port (`:80`). Checks are more frequent, so that a test takes less time. */
export function atPorts(configuration: string, ports: Readonly<Record<string, number>>): string {
  return Object.entries(ports)
    .reduce(
      (text, [name, port]) =>
        text
          .replace(new RegExp(`bind \\S*${name}"?$`, 'm'), `bind 127.0.0.1:${port}`)
          .replace(new RegExp(`(server ${name}) \\S+`), `$1 127.0.0.1:${port}`),
      configuration,
    )
    .replace(/inter 1s fastinter 500ms( downinter 1s)?/, 'inter 200ms');
}

export interface Haproxy {
  /** What HAProxy counts for a server: `status`, `wretr`, `wredis`, `econ`, `eresp`, … */
  figuresOf(server: string): Promise<Readonly<Record<string, string>>>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
atEnd(() => {
  for (const child of running) child.kill('SIGKILL');
});

export async function startHaproxy(configuration: string): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-haproxy-'));
  const [file, socket] = [join(folder, 'haproxy.cfg'), join(folder, 'socket')];
  writeFileSync(file, configuration.replace(/^( +)# stats socket .*$/m, `$1stats socket ${socket}`));
  const child = spawn(haproxy ?? '', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const ended = once(child, 'exit').finally(() => running.delete(child));
  for (const since = Date.now(); !existsSync(socket); await new Promise((resolve) => setTimeout(resolve, 25))) {
    if (child.exitCode !== null || Date.now() - since > 20_000) throw new Error(`HAProxy does not start: ${output}`);
  }
  return {
    async figuresOf(server) {
      const asked = net.connect(socket);
      asked.end('show stat\n');
      const [head = '', ...rows] = (await text(asked)).trim().split('\n');
      const names = head.replace('# ', '').split(',');
      const row = rows.map((line) => line.split(',')).find(([, name]) => name === server);
      if (row === undefined) throw new Error(`HAProxy knows no server ${server}`);
      return Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']));
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
