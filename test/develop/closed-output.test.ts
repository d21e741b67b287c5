/** `lectern … | head`: a reader that closes the output early ends neither a command's work nor a server, and nothing complains. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { send } from '../support/http.ts';
import { projectOfTest } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { command, run } from '../support/server.ts';

const files = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });

const start = (args: readonly string[], env: object) =>
  spawn(process.execPath, [command, ...args], { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });

/** How a command ends whose output nobody reads. */
async function unread(args: readonly string[], env: object): Promise<object> {
  const child = start(args, env);
  child.stdout.destroy();
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { status, stderr };
}

describe('a reader that closes the output early', () => {
  it('ends no command before its work is done', async () => {
    const { dir, env } = await projectOfTest('sqlite', files);
    const ended = [];
    for (const args of [['migrate', 'apply'], ['openapi']]) ended.push([args.join(' '), await unread([...args, '--dir', dir], env)]);
    ended.push(['--help', await unread(['--help'], env)]);
    const quietly = { status: 0, stderr: '' };
    expect(Object.fromEntries(ended)).toEqual({
      'migrate apply': quietly,
      openapi: quietly,
      '--help': quietly,
    });
    expect((await run(['check', '--dir', dir], env)).stdout).toContain('nothing is missing');
  });

  it('does not stop a server', async () => {
    const { dir, env } = await projectOfTest('sqlite', files);
    const server = start(['start', '--dir', dir, '--port', '0'], { ...env, HOST: '127.0.0.1', LECTERN_LOG_LEVEL: 'info' });
    onTestFinished(() => void server.kill('SIGKILL'));
    const [ready] = await once(server.stdout, 'data');
    const base = /http:\S+:\d+/.exec(String(ready))?.[0] ?? '';
    server.stdout.destroy();
    server.stderr.destroy();
    const statuses = [];
    for (let count = 0; count < 3; count++)
      statuses.push((await send(base, { path: '/_ready' })).status, (await send(base, { path: '/api/notes' })).status);
    expect(statuses).toEqual([200, 403, 200, 403, 200, 403]);
  });
});
