/** `lectern role`: granting and revoking rights beside a running server. */
import { describe, expect, it, vi } from 'vitest';
import { eventually, useDeclaredRights } from '../../support/declared-rights.ts';
import { anyEngine } from '../../support/engines.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.each(anyEngine)('%s: lectern role', (engine) => {
  const declared = useDeclaredRights(engine);

  it('grants and revokes rights to a type while the server runs', async () => {
    const server = await declared.start();
    expect((await server.get('/api/notes')).status).toBe(403);
    const allowed = await declared.lectern('role', 'allow', 'public', 'notes', 'find', 'findOne');
    expect([allowed.status, allowed.stdout]).toEqual([
      0,
      'public now has the right api::note.note.find.\npublic now has the right api::note.note.findOne.\n',
    ]);
    await eventually(server, '/api/notes', 200);
    expect((await declared.lectern('role', 'allow', 'Public', 'api::note.note', 'find')).stdout).toBe(
      'public already had the right api::note.note.find.\n',
    );
    expect((await declared.lectern('role', 'deny', 'public', 'note', 'find', 'update')).stdout).toBe(
      'public no longer has the right api::note.note.find.\npublic did not have the right api::note.note.update.\n',
    );
    await eventually(server, '/api/notes', 403);
    await server.stop();
    expect(await declared.rights('public')).toEqual(['api::note.note.findOne']);
  });

  it('gives a right without the restriction of a rule that was left behind', async () => {
    await declared.change(
      `INSERT INTO lectern_role_rules (role_id, action, fields) SELECT id, 'api::page.page.find', '["title"]' FROM up_roles WHERE type = 'public'`,
    );
    await declared.lectern('role', 'allow', 'public', 'page', 'find');
    expect(await declared.rights('public')).toContain('api::page.page.find');
    expect(await declared.rights('public')).not.toContain('api::page.page.find ["title"]');
  });

  it.each([
    [['allow', 'pubic', 'note', 'find'], 1, 'There is no role pubic; there are authenticated, public. Did you mean public?'],
    [['allow', 'public', 'ntoe', 'find'], 1, 'There is no content type or controller ntoe. Did you mean note?'],
    [
      ['allow', 'public', 'note', 'fnd'],
      1,
      'fnd is not an action of api::note.note; there are find, findOne, create, update, delete, findDraft, publish. Did you mean find?',
    ],
    [['allow', 'public', 'note'], 2, "missing required argument 'action'"],
  ])('%j is refused', async (args, status, says) => {
    const refused = await declared.lectern('role', ...args);
    expect([refused.status, refused.stderr]).toEqual([status, expect.stringContaining(says)]);
  });
});
