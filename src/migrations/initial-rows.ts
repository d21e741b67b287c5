/** Writes the first rows of a new project: roles, rights, the locale and settings. */
import type { Connection } from '../dialects/database.ts';
import { insertLocale } from '../locales/locales-store.ts';
import { roleRights } from '../rights/role-rights-store.ts';
import { addRole } from '../rights/role-store.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import { Rows } from '../sql/rows.ts';
import { writeSetting } from '../tables/settings-store.ts';
import { internalMigrationsTable } from '../tables/system-tables.ts';

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

const settings = {
  plugin_i18n_default_locale: 'en',
  'plugin_users-permissions_advanced': {
    unique_email: true,
    allow_register: true,
    email_confirmation: false,
    email_reset_password: null,
    email_confirmation_redirection: null,
    default_role: 'authenticated',
  },
};

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

/** Runs in the transaction that creates the tables: a database is either empty or complete. */
export async function writeInitialRows(connection: Connection): Promise<void> {
  const rows = new Rows(connection, connection.dialect);
  for (const { name, description, type, actions } of roles) {
    const id = await addRole(rows, { name, description, type });
    await roleRights(rows, true).grant(
      id,
      actions.map((each) => ({ action: each, restriction: undefined })),
    );
  }
  await insertLocale(connection, { code: 'en', name: 'English (en)' });
  for (const [key, value] of Object.entries(settings)) await writeSetting(connection, key, value);
  const now = Date.now();
  for (const name of strapiMigrations) rows.inserts.later(internalMigrationsTable, migrationColumns, [name, now]);
  rows.inserts.flush();
}

const migrationColumns: readonly TypedColumn[] = [
  { name: 'name', type: 'string' },
  { name: 'time', type: 'datetime' },
];
