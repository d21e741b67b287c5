/** A log that cannot be written, or that nobody reads any longer, does not stop a server. */
import { type ChildProcess, type StdioNull, type StdioPipe, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { projectOfTest } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { command } from '../support/server.ts';

const files = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });

/** Every write to it fails, as on a disk without space (Linux). */
function fullDisk(): number {
  const file = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(file));
  return file;
}

/** The server takes a port that is known without its output. */
async function start(stdout: StdioNull | StdioPipe | number, stderr: StdioPipe | number): Promise<{ server: ChildProcess; base: string }> {
  const { dir, env } = await projectOfTest('sqlite', files);
  const port = String(await freePort());
  const server = spawn(process.execPath, [command, 'start', '--dir', dir, '--port', port], {
    env: { PATH: process.env.PATH, ...env, HOST: '127.0.0.1', LECTERN_LOG_LEVEL: 'info' },
    stdio: ['ignore', stdout, stderr],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  return { server, base: `http://127.0.0.1:${port}` };
}

/** The server responds, and ends by itself with `status`. */
async function expectToServe({ server, base }: { server: ChildProcess; base: string }, status = 0): Promise<void> {
  const ended = once(server, 'exit');
  const ready = () =>
    send(base, { path: '/_ready' }).then(
      (response) => response.status,
      () => (server.exitCode === null ? 'starting' : `ended with ${server.exitCode}`),
    );
  await expect.poll(ready).not.toBe('starting');
  const statuses = [];
  for (let count = 0; count < 3; count++) statuses.push(await ready());
  expect(statuses).toEqual([200, 200, 200]);
  server.kill('SIGTERM');
  expect(await ended).toEqual([status, null]);
}

describe.runIf(process.platform === 'linux')('a full disk', () => {
  it('does not stop a server that logs to it', async () => expectToServe(await start('ignore', fullDisk())));

  it('does not stop a server that cannot announce itself', async () => expectToServe(await start(fullDisk(), fullDisk()), 1));

  it('ends a command with 1, whose output would otherwise be incomplete', async () => {
    const child = spawn(process.execPath, [command, 'schema', 'component'], { stdio: ['ignore', fullDisk(), 'pipe'] });
    if (child.stderr === null) throw new Error('the output is no pipe');
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('ENOSPC') });
    expect(stderr).not.toContain('    at ');
  });
});

it('a reader of the log that ends does not stop a server', async () => {
  const started = await start('pipe', 'pipe');
  const { stdout, stderr } = started.server;
  if (stdout === null || stderr === null) throw new Error('the output is no pipe');
  await once(stdout, 'data');
  stdout.destroy();
  stderr.destroy();
  await expectToServe(started);
});
