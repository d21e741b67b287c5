/** Writes the first rows of a new project: roles, rights, the locale and settings. */
import type { ColumnType, Connection, Dialect, SqlValue } from '../dialects/dialect.ts';
import { insertLocale } from '../locales/locales-store.ts';
import { internalMigrationsTable, settingsTable } from '../tables/system-tables.ts';
import { newDocumentId } from '../text/document-id.ts';

type Values = Readonly<Record<string, readonly [SqlValue, ColumnType]>>;

const action = (name: string): string => `plugin::users-permissions.${name}`;

/** Initially these roles may sign in and out, and have no rights to content. */
const roles = [
  {
    name: 'Authenticated',
    description: 'Default role given to authenticated user.',
    type: 'authenticated',
    actions: ['auth.logout', 'auth.getSessions', 'auth.revokeSession', 'user.me', 'auth.changePassword'].map(action),
  },
  {
    name: 'Public',
    description: 'Default role given to unauthenticated user.',
    type: 'public',
    actions: [
      'auth.callback',
      'auth.connect',
      'auth.forgotPassword',
      'auth.resetPassword',
      'auth.register',
      'auth.emailConfirmation',
      'auth.sendEmailConfirmation',
      'auth.refresh',
    ].map(action),
  },
] as const;

export const initialRoleTypes: readonly string[] = roles.map(({ type }) => type);

const settings = [
  { key: 'plugin_i18n_default_locale', type: 'string', value: 'en' },
  {
    key: 'plugin_users-permissions_advanced',
    type: 'object',
    value: {
      unique_email: true,
      allow_register: true,
      email_confirmation: false,
      email_reset_password: null,
      email_confirmation_redirection: null,
      default_role: 'authenticated',
    },
  },
] as const;

/** Strapi's migrations from version 4 to 5, recorded as done. */
const strapiMigrations = [
  '5.0.0-rename-identifiers-longer-than-max-length',
  '5.0.0-02-created-document-id',
  '5.0.0-03-created-locale',
  '5.0.0-04-created-published-at',
  '5.0.0-05-drop-slug-fields-index',
  '5.0.0-06-add-document-id-indexes',
  'core::5.0.0-discard-drafts',
  'admin::migrate-prefered-language-dk-to-da',
];

/** Runs in the transaction that creates the tables, so that a database is either empty or complete. */
export async function writeInitialRows(connection: Connection, dialect: Dialect): Promise<void> {
  const now = Date.now();
  const insert = (table: string, values: Values) => insertRow(connection, dialect, table, values);
  const document = (documentId = newDocumentId()): Values => ({
    document_id: [documentId, 'string'],
    created_at: [now, 'datetime'],
    updated_at: [now, 'datetime'],
    published_at: [now, 'datetime'],
  });

  for (const role of roles) {
    await insert('up_roles', {
      ...document(),
      name: [role.name, 'string'],
      description: [role.description, 'string'],
      type: [role.type, 'string'],
    });
    for (const [index, name] of role.actions.entries()) {
      const documentId = newDocumentId();
      await insert('up_permissions', { ...document(documentId), action: [name, 'string'] });
      await linkPermission(connection, dialect, { documentId, role: role.type, order: index + 1 });
    }
  }
  await insertLocale(connection, { code: 'en', name: 'English (en)' });
  for (const { key, type, value } of settings) {
    await insert(settingsTable, { key: [key, 'string'], value: [JSON.stringify(value), 'text'], type: [type, 'string'] });
  }
  for (const name of strapiMigrations) await insert(internalMigrationsTable, { name: [name, 'string'], time: [now, 'datetime'] });
}

async function insertRow(connection: Connection, dialect: Dialect, table: string, values: Values): Promise<void> {
  const entries = Object.entries(values);
  const columns = entries.map(([column]) => dialect.quote(column)).join(', ');
  const placeholders = entries.map(([, [value, type]], index) => dialect.comparand(dialect.placeholder(index + 1), type, value)).join(', ');
  await connection.query(
    `INSERT INTO ${dialect.quote(table)} (${columns}) VALUES (${placeholders})`,
    entries.map(([, [value, type]]) => dialect.bind(value, type)),
  );
}

/** The database assigns row ids, so the two rows are found by documentId and type. */
async function linkPermission(
  connection: Connection,
  dialect: Dialect,
  { documentId, role, order }: { readonly documentId: string; readonly role: string; readonly order: number },
): Promise<void> {
  const { quote } = dialect;
  const value = (position: number, type: ColumnType, bound: SqlValue) => dialect.comparand(dialect.placeholder(position), type, bound);
  await connection.query(
    `INSERT INTO ${quote('up_permissions_role_lnk')} (${quote('permission_id')}, ${quote('role_id')}, ${quote('permission_ord')}) ` +
      `SELECT p.${quote('id')}, r.${quote('id')}, ${value(1, 'order', order)} FROM ${quote('up_permissions')} p, ${quote('up_roles')} r ` +
      `WHERE p.${quote('document_id')} = ${value(2, 'string', documentId)} AND r.${quote('type')} = ${value(3, 'string', role)}`,
    [dialect.bind(order, 'order'), dialect.bind(documentId, 'string'), dialect.bind(role, 'string')],
  );
}
