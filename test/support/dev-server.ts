/** `lectern dev`, for tests that change files of its project. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type RunningServer, startServer } from './server.ts';

export interface DevServer extends RunningServer {
  /** Writes files of the project, and waits for what `lectern dev` then prints. */
  change(files: Readonly<Record<string, string>>, prints: string | RegExp): Promise<string>;
}

export async function startDev(dir: string, env: Readonly<Record<string, string>> = {}, args: readonly string[] = []): Promise<DevServer> {
  const server = await startServer(dir, env, args, 'dev');
  return Object.assign(server, {
    async change(files: Readonly<Record<string, string>>, prints: string | RegExp) {
      const before = server.output.stderr.length;
      for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), text);
      const printed = () => server.output.stderr.slice(before);
      const found = typeof prints === 'string' ? { test: (text: string) => text.includes(prints) } : prints;
      await expect.poll(() => found.test(printed()), { timeout: 20_000, message: `${prints} in ${printed()}` }).toBe(true);
      return printed();
    },
  });
}
