/** `lectern dev` with a database server: one that is away, and an empty database. */
import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { engines } from '../support/engines.ts';
import { projectOfTest } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { command, type Environment } from '../support/server.ts';
import { useRelay } from '../support/servers-to-lose.ts';

const servers = engines.filter((engine) => engine !== 'sqlite');

// Without these engines the test is skipped: a file without any test would fail.
describe.runIf(servers.length > 0).each(servers.length > 0 ? servers : ['postgres' as const])('%s: lectern dev', (engine) => {
  const relay = useRelay(engine, { isRecorded: false });

  /** What a process of `lectern dev` prints, until the end of the test. */
  function startDev(dir: string, env: Environment) {
    const child = spawn(process.execPath, [command, 'dev', '--dir', dir, '--port', '0', '--host', '127.0.0.1'], {
      env: { PATH: process.env.PATH, ...env },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    return { prints: (text: RegExp) => expect.poll(() => printed, { timeout: 20_000 }).toMatch(text), printed: () => printed };
  }

  it('waits for a database that is away, and fills it without a list of statements', async () => {
    const project = await projectOfTest(engine, schemaFiles({ note: { attributes: { title: { type: 'string' } } } }));
    await relay.get().hangUp();
    const dev = startDev(project.dir, { ...project.env, ...relay.env(project) });
    await dev.prints(
      /Not started: .*\nNothing is served until the database responds\.\nWaiting for the database; it is asked every second\.\n/s,
    );
    await relay.get().restore();
    await dev.prints(/Changed: the database\n.*Created the tables of a new database\.\nLectern listens on http/s);
    expect(dev.printed()).not.toContain('CREATE');
  });
});
