/** `lectern user`: making users, who can sign in at a running server, and blocking them. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { useDeclaredRights } from '../../support/declared-rights.ts';
import { anyEngine } from '../../support/engines.ts';
import { command, type RunningServer } from '../../support/server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.each(anyEngine)('%s: lectern user', (engine) => {
  const declared = useDeclaredRights(engine);
  const create = (...args: readonly string[]) => declared.lectern('user', 'create', ...args);
  const withPassword = (password: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [command, 'user', 'create', '--password-stdin', ...args, '--dir', declared.project.dir], {
      input: password,
      env: { PATH: process.env.PATH, ...declared.env },
      encoding: 'utf8',
    });
  const signIn = async (server: RunningServer, identifier: string, password: string) =>
    server.send({ method: 'POST', path: '/api/auth/local', body: { identifier, password } });

  it('creates users who can sign in, and blocks them', async () => {
    const server = await declared.start();
    const made = await create('--username', 'ada', '--email', 'Ada@Example.org');
    // Alone, so that a script can take it.
    const password = made.stdout.trimEnd();
    const reported = 'Created the user ada (id 1) with the role authenticated. The password is shown only this once:\n';
    expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[\w-]{20}\n$/), stderr: reported });
    const ben = withPassword('Ben-Pass-1\n', '--username', 'ben', '--email', 'ben@example.org', '--role', 'Public');
    expect([ben.status, ben.stdout, ben.stderr]).toEqual([0, '', 'Created the user ben (id 2) with the role public.\n']);
    expect((await signIn(server, 'ben', 'Ben-Pass-1')).status).toBe(200);
    const { jwt } = (await signIn(server, 'ada@example.org', password)).json() as { jwt: string };
    const me = () => server.get('/api/users/me', { Authorization: `Bearer ${jwt}` });
    expect((await me()).status).toBe(200);
    expect((await declared.lectern('user', 'block', 'ADA@example.org')).status).toBe(0);
    await vi.waitFor(async () => expect((await me()).status).toBe(401), { timeout: 3000, interval: 50 });
    expect((await signIn(server, 'ada', password)).status).toBe(400);
    expect((await declared.lectern('user', 'list')).stdout).toMatch(/1 +ada +ada@example.org +authenticated +blocked\n/);
    expect((await declared.lectern('user', 'unblock', 'ada')).status).toBe(0);
    expect((await signIn(server, 'ada', password)).status).toBe(200);
    await server.stop();
  });

  it.each([
    [['--username', 'ada', '--email', 'new@example.org'], 'long-enough', 'Email or Username are already taken'],
    [['--username', 'ada@example.org', '--email', 'new@example.org'], 'long-enough', 'Email or Username are already taken'],
    [['--username', 'newer', '--email', 'ADA@example.org'], 'long-enough', 'Email or Username are already taken'],
    [['--username', 'newer', '--email', 'no address'], 'long-enough', 'email must be a valid email'],
    [['--username', 'newer', '--email', 'new@example.org', '--role', 'edtor'], 'long-enough', 'There is no role edtor'],
    [['--username', 'newer', '--email', 'new@example.org'], 'short', 'password must be at least 6 characters'],
    [['--username', 'newer', '--email', 'new@example.org'], 'é'.repeat(37), 'Password must be less than 73 bytes'],
    [['--username', 'newer', '--email', 'new@example.org'], '', 'password is a required field'],
  ])('refuses %j with the password "%s"', async (args, password, says) => {
    const before = await declared.query('SELECT count(*) FROM up_users');
    const refused = withPassword(password, ...args);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(await declared.query('SELECT count(*) FROM up_users')).toEqual(before);
  });

  it('reports a missing option or user', async () => {
    expect(await create('--username', 'x')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("required option '--email <address>'"),
    });
    const nobody = await declared.lectern('user', 'block', 'nobody');
    expect([nobody.status, nobody.stderr]).toEqual([1, expect.stringContaining('There is no user nobody')]);
  });
});
