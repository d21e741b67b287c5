/** `lectern user set-role`, `set-password` and `delete`: changes of users who are signed in at a running server. */
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ada, ben, profilesOn, useAccounts } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import type { Json } from '../../support/served-project.ts';
import { command, run } from '../../support/server.ts';
import { hasTerminal, startOnTerminal } from '../../support/terminal.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.each(engines)('%s: changes of users', (engine) => {
  describe.each(profilesOn(engine))('profile %s', (profile) => {
    const served = useAccounts(engine, {
      LECTERN_PROFILE: profile,
      LECTERN_AUTH_JWT_MANAGEMENT: 'refresh',
    });
    const user = (...args: readonly string[]) => run(['user', ...args, '--dir', served.project.dir], served.environment);
    const withPassword = (who: string, password: string) =>
      spawnSync(process.execPath, [command, 'user', 'set-password', who, '--password-stdin', '--dir', served.project.dir], {
        input: password,
        env: { PATH: process.env.PATH, ...served.environment },
        encoding: 'utf8',
      });
    const me = async (jwt: string) => (await served.as(jwt, 'GET', '/api/users/me')).status;
    const signInStatus = async (identifier: string, password: string) =>
      (await served.post('/api/auth/local', { identifier, password })).status;
    const count = async (table: string) => Number((await served.query(`SELECT count(*) FROM ${table}`))[0]?.[0]);

    it('gives a user another role, whose rights count at the next request', async () => {
      const { jwt } = await served.signIn(ada);
      expect(await user('set-role', 'ada', 'Public')).toMatchObject({
        status: 0,
        stdout: 'ada now has the role public, and no longer authenticated.\n',
        stderr: '',
      });
      // The session has ended, or stays as in Strapi, without the right of the former role.
      expect(await me(jwt)).toBe(profile === 'specification' ? 401 : 403);
      expect(await user('set-role', 'ADA@example.org', 'public')).toMatchObject({
        status: 0,
        stdout: 'ada already has the role public.\n',
      });
      expect((await user('set-role', 'ada', 'authenticated')).status).toBe(0);
      expect(await me((await served.signIn(ada)).jwt)).toBe(200);
    });

    it('gives a user a new password, which ends all sessions', async () => {
      const [first, second] = [await served.signIn(ben), await served.signIn(ben)];
      await served.change("UPDATE up_users SET reset_password_token = 'sent-before' WHERE username = 'ben'");
      const made = await user('set-password', 'ben');
      expect(made).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^[\w-]{20}\n$/),
        stderr: 'ben has a new password, and has to sign in again. The password is shown only this once:\n',
      });
      // As in Strapi, an access token is then valid for its ten minutes.
      const atOnce = profile === 'specification' ? 401 : 200;
      expect([await me(first.jwt), await me(second.jwt)]).toEqual([atOnce, atOnce]);
      expect((await served.post('/api/auth/refresh', { refreshToken: first.refreshToken })).status).toBe(401);
      expect(await signInStatus('ben', ben.password)).toBe(400);
      expect(await signInStatus('ben', made.stdout.trimEnd())).toBe(200);
      const resets = { code: 'sent-before', password: 'Another-1', passwordConfirmation: 'Another-1' };
      expect((await served.post('/api/auth/reset-password', resets)).status).toBe(400);
      const given = withPassword('ben@example.org', 'Given-Pass-1\n');
      expect([given.status, given.stdout, given.stderr]).toEqual([0, '', 'ben has a new password, and has to sign in again.\n']);
      expect(await signInStatus('ben', 'Given-Pass-1')).toBe(200);
    });

    it.runIf(profile === 'specification' && anyEngine.includes(engine)).each([
      ['too short', 'short', 'password must be at least 6 characters'],
      ['of 74 bytes', 'é'.repeat(37), 'Password must be less than 73 bytes'],
      ['of four megabytes', 'long'.repeat(1_000_000), 'Password must be less than 73 bytes'],
      ['that is empty', '', 'password is a required field'],
    ])('refuses a password %s, and changes nothing', async (_, password, says) => {
      const { jwt } = await served.signIn(ada);
      const refused = withPassword('ada', password);
      expect([refused.status, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringContaining(says)]);
      expect([await me(jwt), await signInStatus('ada', ada.password)]).toEqual([200, 200]);
    });

    it('warns of a user who signs in with a provider', async () => {
      await served.change("UPDATE up_users SET provider = 'google' WHERE username = 'ben'");
      const made = withPassword('ben', 'Given-Pass-2');
      expect([made.status, made.stderr]).toEqual([0, expect.stringContaining('Warning: ben signs in with google')]);
      await served.change("UPDATE up_users SET provider = 'local' WHERE username = 'ben'");
    });

    it('deletes a user with sessions, identities and links, and leaves what they led to', async () => {
      expect((await user('create', '--username', 'cleo', '--email', 'cleo@example.org')).status).toBe(0);
      expect(withPassword('cleo', 'Cleo-Pass-1').status).toBe(0);
      const { jwt } = await served.signIn({ username: 'cleo', password: 'Cleo-Pass-1' });
      const id = await served.userId('cleo');
      const note = await served.write('POST', '/api/notes', { title: 'of Cleo' });
      const linked = await served.send('full', { method: 'PUT', path: `/api/users/${id}`, body: { notes: [note.documentId] } });
      expect(linked.status).toBe(200);
      await served.change(`INSERT INTO lectern_identities (user_id, issuer, subject) VALUES (${id}, 'https://id.example.org', 'c1')`);
      const before = [await count('up_users'), await count('up_users_role_lnk')];

      // Without a terminal nobody can be asked.
      expect(await user('delete', 'cleo')).toMatchObject({ status: 2, stderr: expect.stringContaining('add --yes') });
      expect(await me(jwt)).toBe(200);
      expect(await user('delete', 'cleo', '--yes')).toMatchObject({
        status: 0,
        stdout: `Deleted the user cleo (id ${id}, cleo@example.org).\n`,
        stderr: '',
      });
      expect(await me(jwt)).toBe(401);
      expect(await signInStatus('cleo', 'Cleo-Pass-1')).toBe(400);
      expect([await count('up_users'), await count('up_users_role_lnk')]).toEqual(before.map((each) => each - 1));
      expect(await served.query(`SELECT id FROM strapi_sessions WHERE user_id = '${id}'`)).toEqual([]);
      expect([await count('lectern_identities'), await count('up_users_notes_lnk')]).toEqual([0, 0]);
      expect((await served.read(`/api/notes/${note.documentId}`)) as Json).toMatchObject({ title: 'of Cleo' });
    });

    it('takes nobody for another user whose row id is the name that somebody has chosen', async () => {
      const id = await served.userId('ada');
      await served.change(`UPDATE up_users SET username = '${id}' WHERE username = 'ben'`);
      try {
        const refused = await user('set-role', String(id), 'public');
        expect([refused.status, refused.stdout]).toEqual([1, '']);
        expect(refused.stderr).toMatch(/Several users.*row id.*ada@example\.org.*ben@example\.org/);
        expect((await user('set-role', 'ada', 'authenticated')).status).toBe(0);
      } finally {
        await served.change(`UPDATE up_users SET username = 'ben' WHERE email = 'ben@example.org'`);
      }
      expect((await user('set-role', String(id), 'authenticated')).stdout).toBe('ada already has the role authenticated.\n');
    });

    it.each([
      [['set-role', 'ada', 'authentcated'], 'There is no role authentcated', 'Did you mean authenticated?'],
      [['set-role', 'adaa', 'public'], 'There is no user adaa', 'Did you mean ada?'],
      [['set-password', 'nobody'], 'There is no user nobody', 'lectern user list'],
      [['delete', 'nobody', '--yes'], 'There is no user nobody', 'lectern user list'],
    ])('refuses %j', async (args, says, hint) => {
      const refused = await user(...args);
      expect([refused.status, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain(says);
      expect(refused.stderr).toContain(hint);
    });
  });
});

describe.each(anyEngine)('%s: lectern user delete on a terminal', (engine) => {
  const served = useAccounts(engine);
  beforeAll(() => {
    if (!hasTerminal) console.warn('not tested: the question of `user delete`, since the program `script` is missing');
  });

  it.skipIf(!hasTerminal).each([
    ['y', 0, 0],
    ['n', 1, 1],
    ['\u0003', 130, 1],
  ])('asks; %j ends with %i', async (key, status, left) => {
    const name = `user${key.charCodeAt(0)}`;
    const made = await run(
      ['user', 'create', '--username', name, '--email', `${name}@example.org`, '--dir', served.project.dir],
      served.environment,
    );
    expect(made.status).toBe(0);
    const asked = startOnTerminal(['user', 'delete', name, '--dir', served.project.dir], served.environment);
    await expect.poll(() => asked.shown(), { timeout: 20_000 }).toContain(`Delete the user ${name}`);
    asked.type(key);
    expect(await asked.ended).toBe(status);
    expect(await served.query(`SELECT count(*) FROM up_users WHERE username = '${name}'`)).toEqual([[left]].map((row) => row.map(Number)));
  });
});
