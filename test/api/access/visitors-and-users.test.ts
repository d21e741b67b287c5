/** Users have the role `authenticated` instead of `public`: signing in must take no rights away. */
import { describe, expect, it } from 'vitest';
import { useDeclaredRights } from '../../support/declared-rights.ts';
import { engines } from '../../support/engines.ts';

describe.each(engines)('%s: rights of visitors and users', (engine) => {
  const declared = useDeclaredRights(engine);
  const check = async () => (await declared.lectern('check')).stderr;
  const rightsTo = async (role: string, type: string) => (await declared.rights(role)).filter((right) => right.includes(`.${type}.`));

  it('role allow gives both what it gives visitors, unless it is told not to', async () => {
    const allowed = await declared.lectern('role', 'allow', 'public', 'note', 'find', 'publish');
    expect(allowed).toMatchObject({ status: 0, stdout: expect.stringContaining('authenticated now has the right api::note.note.find.\n') });
    expect(allowed.stdout).toContain('--only leaves it out');
    expect(await rightsTo('authenticated', 'note')).toEqual(await rightsTo('public', 'note'));
    expect(await rightsTo('public', 'note')).toHaveLength(2);
    expect(await check()).not.toContain('Visitors');

    const denied = await declared.lectern('role', 'deny', 'public', 'note', 'publish');
    expect(denied.stdout).toBe(
      'public no longer has the right api::note.note.publish; authenticated still has it (role deny authenticated …).\n',
    );
    const only = await declared.lectern('role', 'allow', 'public', 'page', 'find', '--only');
    expect(only.stdout).toBe('public now has the right api::page.page.find.\n');
    expect(await check()).toContain(
      'Warning: Visitors (role public) have rights that users who have signed in (role authenticated) lack: api::page.page (find)\n',
    );
    // What visitors sign in with, users do not need.
    await declared.lectern('role', 'allow', 'public', 'plugin::users-permissions.auth', 'register');
    expect(await rightsTo('authenticated', 'auth')).not.toContainEqual(expect.stringContaining('register'));
    await declared.lectern('role', 'allow', 'authenticated', 'page', 'find');
    expect(await check()).not.toContain('Visitors');
  });

  it('check looks at the rights that the next start applies', async () => {
    declared.declare({ roles: { public: { rights: { note: ['find', 'findOne'] } }, authenticated: { rights: { note: ['find'] } } } });
    expect(await check()).toContain('lack: api::note.note (findOne)\n');
    declared.declare({ roles: { authenticated: { rights: { note: ['find', 'publish'], page: ['find'] } } } });
    expect(await check()).not.toContain('Visitors');
    const refused = await declared.lectern('role', 'allow', 'public', 'page', 'findOne');
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('or leave that role out with --only') });
    expect(await rightsTo('public', 'page')).toHaveLength(1);
  });
});
