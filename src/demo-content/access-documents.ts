/** Locales, and who may read: permissions, users and API tokens, as documents of their built-in types. */

import type { Connection, Dialect } from '../dialects/dialect.ts';
import { apiTokenHash } from '../identity/api-token-secret.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { SeedContent, SeedDocument, SeedDocuments, SeedToken, SeedUser } from './content.ts';
import type { RowIndex } from './row-index.ts';

const roleType = 'plugin::users-permissions.role';
const localeType = 'plugin::i18n.locale';

/** Puts the roles and locales into the index that a prepared database has. */
export async function indexExisting(model: ContentModel, dialect: Dialect, connection: Connection, index: RowIndex): Promise<void> {
  for (const [type, name] of [
    [roleType, 'type'],
    [localeType, 'code'],
  ] as const) {
    const contentType = model.contentTypes.get(type);
    const attribute = contentType?.attributes.get(name);
    if (contentType === undefined || attribute?.kind !== 'scalar') continue;
    const rows = await connection.query(`SELECT id, ${dialect.quote(attribute.column)} FROM ${dialect.quote(contentType.table)}`, []);
    for (const [id, key] of rows) index.add(type, String(key), null, 'single', Number(id));
  }
}

/** The documents to be written for `content.access` and `content.locales`. */
export function accessDocuments({ locales, access }: SeedContent, index: RowIndex): SeedDocuments[] {
  const { users = [], tokens = [], apiTokenSalt } = access;
  return [
    {
      type: localeType,
      documents: locales.filter(({ code }) => !index.has(localeType, code, null)).map((locale) => document(locale.code, locale)),
    },
    {
      type: 'plugin::users-permissions.permission',
      documents: (['authenticated', 'public'] as const).flatMap((role) =>
        access[role].map((action) => document(`${role} ${action}`, { action, role })),
      ),
    },
    { type: 'plugin::users-permissions.user', documents: users.map((user) => document(user.username, userData(user))) },
    { type: 'admin::api-token', documents: tokens.map((token) => document(token.name, tokenData(token, apiTokenSalt))) },
    {
      type: 'admin::api-token-permission',
      documents: tokens.flatMap(({ name, permissions = [] }) =>
        permissions.map((action) => document(`${name} ${action}`, { action, token: name })),
      ),
    },
  ];
}

const document = (key: string, data: SeedDocument['data']): SeedDocument => ({ key, status: 'published', data });

const userData = (user: SeedUser) => ({ ...user, provider: 'local', confirmed: true, blocked: false, role: 'authenticated' });

/** Only the HMAC of a token is stored, so a database that leaks gives nobody access. */
function tokenData({ name, type, token }: SeedToken, salt: string | undefined) {
  if (salt === undefined) throw new Error('API tokens need apiTokenSalt');
  return { name, kind: 'content-api', type, accessKey: apiTokenHash(token, salt) };
}

/** The default locale is a setting, not a column of the locale. */
export async function setDefaultLocale(code: string, dialect: Dialect, connection: Connection): Promise<void> {
  const { quote, placeholder } = dialect;
  await connection.query(
    `UPDATE ${quote('strapi_core_store_settings')} SET ${quote('value')} = ${placeholder(1)} WHERE ${quote('key')} = ${placeholder(2)}`,
    [JSON.stringify(code), 'plugin_i18n_default_locale'],
  );
}
