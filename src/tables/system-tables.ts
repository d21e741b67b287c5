/** The tables of a database besides those of content types. */

import type { ColumnType } from '../dialects/column-type.ts';
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

/** Settings, each a key and a JSON value; the default locale is one of them. */
export const settingsTable = 'strapi_core_store_settings';
/** The list of Strapi's own migrations that have run. If it is missing, Strapi treats the rows as those of version 4 and, among other things, creates
 *  a draft of every published entry. */
export const internalMigrationsTable = 'strapi_migrations_internal';
/** Strapi's copy of the schema that it created the tables from: a database with this table was created by Strapi. */
export const strapiSchemaTable = 'strapi_database_schema';

/** Lectern's record of the tables that it created, from which it recognises tables of earlier models. */
export const recordTable = 'lectern_schema';
/** Responses to writes with an idempotency key, so that a retry of the same write gets the same response. */
const idempotencyKeysTable = 'lectern_idempotency_keys';
/** The parts of roles' rights for which Strapi has no tables: restrictions to fields and rows, and actions that only Lectern has. */
export const roleRulesTable = 'lectern_role_rules';

/** How far `lectern transfer` into this database has come: it is there until the copy is complete. */
export const transferTable = 'lectern_transfer';

/** The accounts of users at other identity providers. */
export const identitiesTable = 'lectern_identities';
/** Codes that front ends exchange for tokens after a sign-in at a provider. */
export const signInCodesTable = 'lectern_sign_in_codes';

const plain = (name: string, column: string): Index => ({ name, columns: [column], unique: false });
const unique = (name: string, column: string): Index => ({ name, columns: [column], unique: true });

/** A column for a hash in hexadecimal. */
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

/** Indexes with the names that Strapi's plugins give them. */
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
