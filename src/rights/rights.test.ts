import { describe, expect, it } from 'vitest';
import { conditionText } from './restrictions.ts';
import { fullRights, fullRightsWithMcp, mcpWrite, readOnlyRights, rightsOfRole, rightsTo } from './rights.ts';

describe('rights', () => {
  it('share a key when they allow the same actions, in any order', () => {
    expect(rightsTo(['a.find', 'b.find', 'a.find']).key).toBe(rightsTo(['b.find', 'a.find']).key);
  });
  it('have different keys when they differ', () => {
    const keys = [fullRights, fullRightsWithMcp, readOnlyRights, rightsTo([]), rightsTo(['a.find'])].map((rights) => rights.key);
    expect(new Set(keys).size).toBe(keys.length);
  });
  it('allow what is listed and nothing else', () => {
    const rights = rightsTo(['api::article.article.find']);
    expect(rights.allows('api::article.article.find')).toBe(true);
    expect(rights.allows('api::article.article.findOne')).toBe(false);
  });
  it.each([
    ['api::vault.vault.find', true],
    ['api::vault.vault.findOne', true],
    ['api::vault.vault.findDraft', true],
    ['plugin::upload.content-api.findOne', true],
    ['plugin::upload.content-api.findPage', false],
    ['plugin::i18n.locales.listLocales', false],
    ['plugin::users-permissions.auth.callback', false],
    ['api::vault.vault.create', false],
  ])('read-only: %s is %s', (action, allowed) => expect(readOnlyRights.allows(action)).toBe(allowed));
});

it.each([
  ['full access', fullRights, false],
  ['full access with MCP', fullRightsWithMcp, true],
  ['read-only', readOnlyRights, false],
  ['a custom token', rightsTo(['api::article.article.create']), false],
  ['a custom token that names it', rightsTo([mcpWrite]), true],
])('writing through MCP: %s', (_, rights, allowed) => expect(rights.allows(mcpWrite)).toBe(allowed));

describe('rights of a role', () => {
  const nobody = new Map<string, string>();
  const find = 'api::note.note.find';
  const rule = (action: string, condition: unknown = null, fields: unknown = null) => ({
    action,
    condition: condition === null ? null : JSON.stringify(condition),
    fields: fields === null ? null : JSON.stringify(fields),
  });
  const rights = (rules: ReturnType<typeof rule>[], user: ReadonlyMap<string, string> = nobody) =>
    rightsOfRole({ actions: [find], rules }, user);

  it('are granted by a rule where only Lectern knows the action, and nowhere else', () => {
    const { allows } = rights([rule('api::note.note.findDraft'), rule('api::note.note.publish'), rule('api::note.note.update')]);
    expect(['findDraft', 'publish', 'update'].map((name) => allows(`api::note.note.${name}`))).toEqual([true, true, false]);
  });
  it('have different keys where limits differ, and the same where they do not', () => {
    const own = { owner: '$user.id' };
    const keys = [
      rights([]),
      rights([rule(find, { a: 1 })]),
      rights([rule(find, { a: 2 })]),
      rights([rule(find, null, ['a'])]),
      rights([rule(find, own)]),
      rights([rule(find, own)], new Map([['id', '1']])),
      rights([rule(find, own)], new Map([['id', '2']])),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(rights([rule(find, own)], new Map([['id', '2']])).key).toBe(keys.at(-1));
  });
  it('fill in the user once: what a user is called is no placeholder', () => {
    const { restriction } = rights([rule(find, { name: '$user.name', $or: [{ level: 3 }] })], new Map([['name', '$user.id']]));
    const { condition, user = nobody } = restriction(find) ?? {};
    expect(condition).toEqual({ name: '\0name', $or: [{ level: '3' }] });
    expect(['\0name', '3', '\0\0name'].map((text) => conditionText(text, user))).toEqual(['$user.id', '3', '\0name']);
  });
  it('share the key of plans where the values of the user alone differ, and no other key', () => {
    const own = [rule(find, { owner: '$user.id', team: '$user.team' })];
    const [ada, ben, alone] = [
      [
        ['id', '1'],
        ['team', 'a'],
      ],
      [
        ['id', '2'],
        ['team', 'a'],
      ],
      [['id', '3']],
    ].map((values) => rights(own, new Map(values as [string, string][])));
    expect(ada?.planKey).toBe(ben?.planKey);
    expect(ada?.restriction(find)?.planKey).toBe(ben?.restriction(find)?.planKey);
    expect(ada?.key).not.toBe(ben?.key);
    expect(ada?.restriction(find)?.key).not.toBe(ben?.restriction(find)?.key);
    expect(alone?.planKey).not.toBe(ada?.planKey);
  });
  it('take no text of a condition for a value of the user', () => {
    const [literal, marked] = [{ name: '\0name' }, { name: '$user.name' }].map((condition) =>
      rights([rule(find, condition)], new Map([['name', 'x']])),
    );
    expect(literal?.planKey).not.toBe(marked?.planKey);
  });
  it('are lost by a limit that nothing would hold to', () => {
    const action = 'plugin::users-permissions.auth.callback';
    const limited = rightsOfRole({ actions: [action], rules: [rule(action, { id: 1 })] }, nobody);
    expect(limited.allows(action)).toBe(false);
  });
});
