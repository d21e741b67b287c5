/** Servers that examples start, in the way of a second terminal. */
import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import type { World } from './world.ts';

export interface Started {
  readonly base: string;
  /** The port that the page writes. */
  readonly shownPort: string;
  output(): string;
  end(): Promise<void>;
}

/** True for commands that serve until Ctrl-C. */
export const isServerCommand = (command: string): boolean =>
  /^(?:npm ci && )?(?:npx )?lectern (?:start|dev|demo)\b|^node bin\/lectern\.js (?:start|dev|demo)\b|^npm (?:run demo|start)\b/.test(
    command,
  );

export async function startInBackground(command: string, world: World): Promise<Started> {
  const shownPort = /--port[ =](\d+)/.exec(command)?.[1] ?? '1337';
  // The packages are in place.
  const server = command.replace(/^npm ci && /, '').replace(/(--port[ =])\d+/, '$10');
  const child = spawn('bash', ['-c', `exec ${server}`], {
    cwd: world.folder,
    env: { ...world.environment, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await expect.poll(() => output, { timeout: 30_000, message: command }).toMatch(/http:\/\/(127\.0\.0\.1|localhost):[1-9]\d*/);
  const base = (/http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output)?.[0] ?? '').replace('localhost', '127.0.0.1');
  return {
    base,
    shownPort,
    output: () => output,
    async end() {
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await ended;
    },
  };
}
