/** `lectern … | head`: a reader that closes the output early does not end a command's work, and nothing complains. `test/observe/unwritable-log.test.ts` has
 *  servers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { projectOfTest } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { command, run } from '../support/server.ts';

const files = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });

/** How a command ends whose output nobody reads. */
async function unread(args: readonly string[], env: object): Promise<object> {
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
});
