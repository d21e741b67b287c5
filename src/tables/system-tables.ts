/** What a database has besides the tables of content types. */

import type { ColumnType } from '../dialects/dialect.ts';
import { fileUid } from '../model/built-in-types.ts';
import type { Uid } from '../model/content-model.ts';
import type { Column, Index, Table } from './table.ts';

const table = (name: string, columns: Readonly<Record<string, ColumnType>>): Table => ({
  name,
  origin: { uid: 'system' },
  columns: [{ name: 'id', type: 'id' }, ...Object.entries(columns).map(([column, type]) => ({ name: column, type }))],
  indexes: [],
  foreignKeys: [],
  ownIndexes: [],
});

/** Key and JSON value settings, the default locale among them. */
export const settingsTable = 'strapi_core_store_settings';
/** Strapi's own migrations that have run. A Strapi that finds a database without it takes the rows for those of version 4 and, among
 *  other things, makes a draft of every published entry. */
export const internalMigrationsTable = 'strapi_migrations_internal';
/** Strapi's copy of the schema that it made the tables from: who has it was made by Strapi. */
export const strapiSchemaTable = 'strapi_database_schema';

/** What Lectern has made in a database that it made itself: tables of models that have changed since are known by it. */
export const recordTable = 'lectern_schema';
/** Answers to writes that named a key, so that the same write sent again gets the same answer. */
const idempotencyKeysTable = 'lectern_idempotency_keys';
/** What Strapi's tables cannot say of the rights of roles: which fields and rows an action is limited to, and actions that only Lectern knows. */
export const roleRulesTable = 'lectern_role_rules';

/** Users as other providers know them. */
export const identitiesTable = 'lectern_identities';
/** Codes that front ends exchange for tokens when a user comes back from a provider. */
export const signInCodesTable = 'lectern_sign_in_codes';

const plain = (name: string, column: string): Index => ({ name, columns: [column], unique: false });
const unique = (name: string, column: string): Index => ({ name, columns: [column], unique: true });

/** A hash in hexadecimal. */
const hash = (name: string): Column => ({ name, type: 'string', length: 64 });

export const systemTables: readonly Table[] = [
  table(settingsTable, { key: 'string', value: 'text', type: 'string', environment: 'string', tag: 'string' }),
  table(internalMigrationsTable, { name: 'string', time: 'datetime' }),
  {
    ...table(recordTable, { name: 'string', definition: 'text', recorded_at: 'datetime' }),
    indexes: [unique('lectern_schema_name_uq', 'name')],
  },
  {
    name: idempotencyKeysTable,
    origin: { uid: 'system' },
    columns: [
      { name: 'id', type: 'id' },
      hash('key_hash'),
      hash('request_hash'),
      { name: 'status', type: 'integer' },
      { name: 'body', type: 'text' },
      { name: 'created_at', type: 'datetime' },
    ],
    indexes: [unique('lectern_idempotency_keys_key_hash_uq', 'key_hash')],
    foreignKeys: [],
    ownIndexes: [],
  },
  {
    ...table(roleRulesTable, {
      role_id: 'reference',
      action: 'string',
      fields: 'text',
      condition: 'text',
      created_at: 'datetime',
      updated_at: 'datetime',
    }),
    indexes: [{ name: 'lectern_role_rules_role_id_action_uq', columns: ['role_id', 'action'], unique: true }],
    foreignKeys: [{ name: 'lectern_role_rules_role_id_fk', column: 'role_id', references: 'up_roles', onDelete: 'CASCADE' }],
  },
  {
    ...table(identitiesTable, { user_id: 'reference', issuer: 'string', subject: 'string', created_at: 'datetime' }),
    indexes: [
      { name: 'lectern_identities_issuer_subject_uq', columns: ['issuer', 'subject'], unique: true },
      plain('lectern_identities_user_id_index', 'user_id'),
    ],
    foreignKeys: [{ name: 'lectern_identities_user_id_fk', column: 'user_id', references: 'up_users', onDelete: 'CASCADE' }],
  },
  {
    name: signInCodesTable,
    origin: { uid: 'system' },
    columns: [
      { name: 'id', type: 'id' },
      hash('code_hash'),
      { name: 'provider', type: 'string' },
      { name: 'challenge', type: 'string' },
      { name: 'user_id', type: 'reference' },
      { name: 'expires_at', type: 'datetime' },
    ],
    indexes: [unique('lectern_sign_in_codes_code_hash_uq', 'code_hash')],
    foreignKeys: [{ name: 'lectern_sign_in_codes_user_id_fk', column: 'user_id', references: 'up_users', onDelete: 'CASCADE' }],
    ownIndexes: [],
  },
];

/** Indexes that Strapi's plugins ask for by name. */
export const builtInIndexes: Readonly<Record<Uid, readonly Index[]>> = {
  [fileUid]: [
    plain('upload_files_folder_path_index', 'folder_path'),
    plain('upload_files_created_at_index', 'created_at'),
    plain('upload_files_updated_at_index', 'updated_at'),
    plain('upload_files_name_index', 'name'),
    plain('upload_files_size_index', 'size'),
    plain('upload_files_ext_index', 'ext'),
  ],
  'plugin::upload.folder': [unique('upload_folders_path_id_index', 'path_id'), unique('upload_folders_path_index', 'path')],
};
