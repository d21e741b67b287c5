import { describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';
import { type ConfiguredSettings, configuredSettings, describeIgnored, withConfigured } from './stored-settings.ts';

const email = 'plugin_users-permissions_email';
const advanced = 'plugin_users-permissions_advanced';

function configuredBy(origin: 'strapi' | 'lectern', environment: Readonly<Record<string, string>>): ConfiguredSettings {
  const loaded = loadConfig({ dir: '/nowhere', environment, overrides: {} });
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  return configuredSettings(loaded.config, origin);
}
const role = { LECTERN_AUTH_DEFAULT_ROLE: 'editor', LECTERN_AUTH_ALLOW_REGISTER: 'false' };
const subject = { LECTERN_MAIL_TEMPLATES: '{"resetPassword":{"subject":"New"}}' };

describe('settings of the configuration and of the database', () => {
  it.each([
    [
      'lectern',
      role,
      advanced,
      { default_role: 'member', unique_email: true },
      { default_role: 'editor', unique_email: true, allow_register: false },
    ],
    ['strapi', role, advanced, { default_role: 'member', allow_register: null }, { default_role: 'member', allow_register: false }],
    ['strapi', role, advanced, { default_role: '', allow_register: true }, { default_role: 'editor', allow_register: true }],
    ['lectern', {}, advanced, { default_role: 'member' }, { default_role: 'member' }],
    ['lectern', role, advanced, undefined, { default_role: 'editor', allow_register: false }],
    ['lectern', role, email, undefined, {}],
    [
      'lectern',
      subject,
      email,
      { reset_password: { options: { object: 'Old', message: 'Text' } } },
      { reset_password: { options: { object: 'New', message: 'Text' } } },
    ],
    ['strapi', subject, email, { reset_password: { options: { object: 'Old' } } }, { reset_password: { options: { object: 'Old' } } }],
    ['strapi', subject, email, 'broken', { reset_password: { options: { object: 'New' } } }],
  ] as const)('%s, %j: %s %j becomes %j', (origin, environment, key, stored, value) => {
    expect(withConfigured(stored, key, configuredBy(origin, environment))).toEqual(value);
  });

  it('reports no value that the panel has as well, and none in a database of our own', () => {
    const stored = new Map([[advanced, { default_role: 'editor', allow_register: true }] as const]);
    expect(describeIgnored(stored, configuredBy('strapi', role))).toEqual([
      'auth.allowRegister has no effect: Strapi made this database, and its panel has set true',
    ]);
    expect(describeIgnored(stored, configuredBy('lectern', role))).toEqual([]);
  });
});
