/** Turns locales, permissions, users and API tokens into documents of their built-in types. */

import type { Connection } from '../dialects/database.ts';
import { apiTokenHash } from '../identity/api-token-secret.ts';
import { readLocales } from '../locales/locales-store.ts';
import { userUid } from '../model/built-in-types.ts';
import type { ContentModel } from '../model/content-model.ts';
import { roleRows } from '../rights/role-store.ts';
import type { SeedContent, SeedDocument, SeedDocuments, SeedToken, SeedUser } from './content.ts';
import type { RowIndex } from './row-index.ts';

const roleType = 'plugin::users-permissions.role';
export const localeType = 'plugin::i18n.locale';

/** Adds the roles and locales of a prepared database to the index. */
export async function indexExisting(model: ContentModel, connection: Connection, index: RowIndex): Promise<void> {
  const { rows: locales } = await readLocales(connection);
  if (model.contentTypes.has(localeType))
    for (const { code, id } of locales) index.add({ type: localeType, key: code, locale: null, status: 'single', id });
  if (!model.contentTypes.has(roleType)) return;
  for (const { type, id } of await roleRows(connection))
    index.add({ type: roleType, key: String(type), locale: null, status: 'single', id });
}

/** The documents for `content.access` and `content.locales`. */
export function accessDocuments(
  { locales, access }: SeedContent,
  index: RowIndex,
  /** The rights that the database has: the type of the role, a space, the action. */
  granted: ReadonlySet<string>,
): SeedDocuments[] {
  const { users = [], tokens = [], apiTokenSalt } = access;
  return [
    {
      type: localeType,
      documents: (locales ?? []).filter(({ code }) => !index.has(localeType, code, null)).map((locale) => document(locale.code, locale)),
    },
    {
      type: 'plugin::users-permissions.permission',
      documents: (['authenticated', 'public'] as const).flatMap((role) =>
        access[role].filter((action) => !granted.has(`${role} ${action}`)).map((action) => document(`${role} ${action}`, { action, role })),
      ),
    },
    { type: userUid, documents: users.map((user) => document(user.username, userData(user))) },
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

const userData = (user: SeedUser) => ({ role: 'authenticated', ...user, provider: 'local', confirmed: true, blocked: false });

/** Only the HMAC of a token is stored, so a leaked database gives no access. */
function tokenData({ name, type, token }: SeedToken, salt: string | undefined) {
  if (salt === undefined) throw new Error('API tokens need apiTokenSalt');
  return { name, kind: 'content-api', type, accessKey: apiTokenHash(token, salt) };
}
