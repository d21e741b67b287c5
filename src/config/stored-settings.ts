/** Settings that Strapi stores in the database, and that the configuration can set as well. In a
 *  database that Strapi made, a stored value wins. Elsewhere the configuration wins. */
import type { DatabaseOrigin } from '../tables/database-origin.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import type { Config } from './config.ts';

export type StoredKey = 'plugin_users-permissions_advanced' | 'plugin_users-permissions_email' | 'plugin_upload_settings';

interface StoredSetting {
  /** The key of the configuration. */
  readonly path: string;
  readonly key: StoredKey;
  /** The position in the stored object. */
  readonly at: readonly string[];
  /** Undefined if the configuration does not set it. */
  readonly configured: unknown;
}

export interface ConfiguredSettings {
  readonly isStrapis: boolean;
  readonly settings: readonly StoredSetting[];
}

type Source = Pick<Config, 'auth' | 'mail' | 'upload'>;

/** The settings of both kinds that the configuration sets. */
export function configuredSettings({ auth, mail, upload }: Source, origin: DatabaseOrigin): ConfiguredSettings {
  const advanced = (path: string, name: string, configured: unknown): StoredSetting => ({
    path,
    key: 'plugin_users-permissions_advanced',
    at: [name],
    configured,
  });
  const library = (name: 'sizeOptimization' | 'responsiveDimensions' | 'autoOrientation'): StoredSetting => ({
    path: `upload.${name}`,
    key: 'plugin_upload_settings',
    at: [name],
    configured: upload[name],
  });
  const template = (name: 'resetPassword' | 'emailConfirmation', stored: string): readonly StoredSetting[] =>
    (
      [
        ['subject', 'object'],
        ['message', 'message'],
        ['replyTo', 'response_email'],
      ] as const
    ).map(([own, strapis]) => ({
      path: `mail.templates.${name}.${own}`,
      key: 'plugin_users-permissions_email',
      at: [stored, 'options', strapis],
      configured: mail.templates[name]?.[own],
    }));
  const all = [
    advanced('auth.defaultRole', 'default_role', auth.defaultRole),
    advanced('auth.allowRegister', 'allow_register', auth.allowRegister),
    advanced('auth.uniqueEmail', 'unique_email', auth.uniqueEmail),
    advanced('auth.emailConfirmation', 'email_confirmation', auth.emailConfirmation),
    advanced('auth.resetPasswordPage', 'email_reset_password', auth.resetPasswordPage),
    advanced('auth.emailConfirmationPage', 'email_confirmation_redirection', auth.emailConfirmationPage),
    ...template('resetPassword', 'reset_password'),
    ...template('emailConfirmation', 'email_confirmation'),
    library('sizeOptimization'),
    library('responsiveDimensions'),
    library('autoOrientation'),
  ];
  return { isStrapis: origin === 'strapi', settings: all.filter(({ configured }) => configured !== undefined) };
}

/** The value of a row, with what the configuration sets. */
export function withConfigured(stored: unknown, key: StoredKey, { isStrapis, settings }: ConfiguredSettings): JsonObject {
  let value: JsonObject = isObject(stored) ? stored : {};
  for (const setting of settings) {
    if (setting.key === key && !(isStrapis && isSet(valueAt(value, setting.at)))) value = withValue(value, setting.at, setting.configured);
  }
  return value;
}

/** A line for each setting without effect, because Strapi's database has another value. */
export function describeIgnored(stored: ReadonlyMap<StoredKey, unknown>, { isStrapis, settings }: ConfiguredSettings): readonly string[] {
  if (!isStrapis) return [];
  return settings.flatMap(({ path, key, at, configured }) => {
    const value = valueAt(stored.get(key), at);
    if (!isSet(value) || value === configured) return [];
    const text = JSON.stringify(value);
    const shown = text.length > maxShown ? 'another text' : text;
    return [`${path} has no effect: Strapi made this database, and its panel has set ${shown}`];
  });
}

export const storedKeys: readonly StoredKey[] = [
  'plugin_users-permissions_advanced',
  'plugin_users-permissions_email',
  'plugin_upload_settings',
];

const maxShown = 80;

/** Strapi's panel stores an empty field as null or as an empty text. */
const isSet = (value: unknown) => value !== undefined && value !== null && value !== '';

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  return isObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : undefined;
}

function withValue(object: unknown, [name, ...rest]: readonly string[], value: unknown): JsonObject {
  const before = isObject(object) ? object : {};
  if (name === undefined) return before;
  return { ...before, [name]: rest.length === 0 ? value : withValue(before[name], rest, value) };
}
