import { describe, expect, it } from 'vitest';
import { fullRights, readOnlyRights, rightsTo } from './rights.ts';

describe('rights', () => {
  it('share a key when they allow the same actions, in any order', () => {
    expect(rightsTo(['a.find', 'b.find', 'a.find']).key).toBe(rightsTo(['b.find', 'a.find']).key);
  });
  it('have different keys when they differ', () => {
    const keys = [fullRights, readOnlyRights, rightsTo([]), rightsTo(['a.find'])].map((rights) => rights.key);
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
