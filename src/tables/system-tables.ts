/** The tables of a database besides those of content types. */
import type { ColumnType } from '../dialects/column-type.ts';
import { fileUid } from '../model/built-in-types.ts';
import type { Uid } from '../model/content-model.ts';
import { type Column, type Index, plainIndex, type Table } from './table.ts';

type ColumnForm = ColumnType | Pick<Column, 'type' | 'length'>;

const table = (name: string, columns: Readonly<Record<string, ColumnForm>>, own: Partial<Table> = {}): Table => ({
  name,
  origin: { uid: 'system' },
  columns: [
    { name: 'id', type: 'id' },
    ...Object.entries(columns).map(([column, form]) => ({ name: column, ...(typeof form === 'string' ? { type: form } : form) })),
  ],
  indexes: [],
  foreignKeys: [],
  ownIndexes: [],
  ...own,
});

/** Settings, each a key and a JSON value; the default locale is one of them. */
export const settingsTable = 'strapi_core_store_settings';
/** The list of Strapi's own migrations that have run. If it is missing, Strapi treats the rows as
 *  those of version 4 and, among other things, creates a draft of every published entry. */
export const internalMigrationsTable = 'strapi_migrations_internal';
/** Strapi's copy of the schema for its tables: a database with this table was created by Strapi. */
export const strapiSchemaTable = 'strapi_database_schema';

/** Lectern's record of the tables that it created, to recognise tables of earlier models. */
export const recordTable = 'lectern_schema';
/** Responses to writes with an idempotency key: a retry of the write gets the same response. */
const idempotencyKeysTable = 'lectern_idempotency_keys';
/** What Strapi has no tables for: restrictions to fields and rows, and actions of Lectern alone. */
export const roleRulesTable = 'lectern_role_rules';

/** Links of published entries to documents without a published version
 *  (`pipeline/execute/write/difference/awaited-links.ts`). */
export const awaitedLinksTable = 'lectern_awaited_links';

/** Changes of documents, with their callers, for webhooks and `lectern events`. */
export const eventsTable = 'lectern_events';

/** What documents were, for `GET …/:documentId/history`. */
export const historyTable = 'lectern_history';

/** Publishing and unpublishing at a time. */
export const scheduleTable = 'lectern_schedule';
/** Sets of documents that are published together, and the documents of each. */
export const releasesTable = 'lectern_releases';
export const releaseEntriesTable = 'lectern_release_entries';

/** When each webhook was registered, and what `lectern webhook add` has stored of it. */
export const webhooksTable = 'lectern_webhooks';
/** Messages to receivers of events: those that wait, and what became of the others. */
export const deliveriesTable = 'lectern_deliveries';
/** What one process at a time does for all servers of a database. */
export const leasesTable = 'lectern_leases';

/** Rows that transactions write in place of locks, where several nodes of the database write
 *  (`dialects/mysql-transaction.ts`). */
export const locksTable = 'lectern_locks';

/** The progress of `lectern transfer` into this database, until the copy is complete. */
export const transferTable = 'lectern_transfer';

/** The accounts of users at other identity providers. */
export const identitiesTable = 'lectern_identities';
/** Codes that front ends exchange for tokens after a sign-in at a provider. */
export const signInCodesTable = 'lectern_sign_in_codes';

const unique = (name: string, ...columns: readonly string[]): Index => ({ name, columns, unique: true });
const owned = (name: string, column: string, references: string): Pick<Table, 'foreignKeys'> => ({
  foreignKeys: [{ name, column, references, onDelete: 'CASCADE' }],
});

/** A hash in hexadecimal. */
const hash = { type: 'string', length: 64 } as const;

export const systemTables: readonly Table[] = [
  table(settingsTable, { key: 'string', value: 'text', type: 'string', environment: 'string', tag: 'string' }),
  table(internalMigrationsTable, { name: 'string', time: 'datetime' }),
  table(
    recordTable,
    { name: 'string', definition: 'text', recorded_at: 'datetime' },
    { indexes: [unique('lectern_schema_name_uq', 'name')] },
  ),
  table(
    idempotencyKeysTable,
    { key_hash: hash, request_hash: hash, status: 'integer', body: 'text', created_at: 'datetime' },
    { indexes: [unique('lectern_idempotency_keys_key_hash_uq', 'key_hash')] },
  ),
  table(
    roleRulesTable,
    { role_id: 'reference', action: 'string', fields: 'text', condition: 'text', created_at: 'datetime', updated_at: 'datetime' },
    {
      indexes: [unique('lectern_role_rules_role_id_action_uq', 'role_id', 'action')],
      ...owned('lectern_role_rules_role_id_fk', 'role_id', 'up_roles'),
    },
  ),
  table(
    awaitedLinksTable,
    {
      source_table: 'string',
      source_id: 'reference',
      field: 'string',
      target_type: 'string',
      document_id: 'string',
      locale: 'string',
      position: 'order',
    },
    {
      indexes: [
        plainIndex('lectern_awaited_links_document_id_index', 'document_id'),
        plainIndex('lectern_awaited_links_source_index', 'source_table', 'source_id'),
      ],
    },
  ),
  table(locksTable, { turn: 'integer' }),
  table(
    eventsTable,
    {
      type: 'string',
      uid: 'string',
      document_id: 'string',
      locale: 'string',
      status: 'string',
      is_new: 'boolean',
      paths: 'text',
      caller_kind: 'string',
      caller_id: 'reference',
      created_at: 'datetime',
      handled_at: 'datetime',
    },
    { indexes: [plainIndex('lectern_events_handled_at_index', 'handled_at', 'id')] },
  ),
  table(
    historyTable,
    {
      uid: 'string',
      document_id: 'string',
      locale: 'string',
      status: 'string',
      event: 'string',
      caller_kind: 'string',
      caller_id: 'reference',
      paths: 'text',
      replaced_at: 'datetime',
      written_at: 'datetime',
      content: 'text',
    },
    { indexes: [plainIndex('lectern_history_document_index', 'uid', 'document_id', 'id')] },
  ),
  table(
    scheduleTable,
    {
      uid: 'string',
      document_id: 'string',
      locale: 'string',
      action: 'string',
      due_at: 'datetime',
      caller_kind: 'string',
      caller_id: 'reference',
      state: 'string',
      problem: 'text',
      created_at: 'datetime',
      updated_at: 'datetime',
    },
    {
      indexes: [
        plainIndex('lectern_schedule_state_index', 'state', 'due_at'),
        plainIndex('lectern_schedule_document_index', 'uid', 'document_id'),
      ],
    },
  ),
  table(
    releasesTable,
    {
      name: 'string',
      publish_at: 'datetime',
      state: 'string',
      problem: 'text',
      revision: 'integer',
      maker_kind: 'string',
      maker_id: 'reference',
      caller_kind: 'string',
      caller_id: 'reference',
      created_at: 'datetime',
      updated_at: 'datetime',
    },
    { indexes: [plainIndex('lectern_releases_state_index', 'state', 'publish_at')] },
  ),
  table(
    releaseEntriesTable,
    { release_id: 'reference', uid: 'string', document_id: 'string', locale: 'string', action: 'string' },
    {
      indexes: [
        plainIndex('lectern_release_entries_release_id_index', 'release_id'),
        plainIndex('lectern_release_entries_document_index', 'uid', 'document_id'),
      ],
      ...owned('lectern_release_entries_release_id_fk', 'release_id', releasesTable),
    },
  ),
  table(
    webhooksTable,
    { key: 'string', definition: 'text', since: 'reference', gone_at: 'datetime', created_at: 'datetime' },
    { indexes: [unique('lectern_webhooks_key_uq', 'key')] },
  ),
  table(
    deliveriesTable,
    {
      event_id: 'reference',
      webhook: 'string',
      name: 'string',
      document_id: 'string',
      state: 'string',
      attempts: 'integer',
      due_at: 'datetime',
      status: 'integer',
      response: 'text',
      took: 'integer',
      created_at: 'datetime',
      updated_at: 'datetime',
    },
    {
      indexes: [
        plainIndex('lectern_deliveries_event_id_index', 'event_id'),
        plainIndex('lectern_deliveries_document_index', 'webhook', 'state', 'document_id'),
      ],
      ...owned('lectern_deliveries_event_id_fk', 'event_id', eventsTable),
    },
  ),
  table(leasesTable, { name: 'string', holder: 'string', count: 'integer' }, { indexes: [unique('lectern_leases_name_uq', 'name')] }),
  table(
    identitiesTable,
    { user_id: 'reference', issuer: 'string', subject: 'string', created_at: 'datetime' },
    {
      indexes: [
        unique('lectern_identities_issuer_subject_uq', 'issuer', 'subject'),
        plainIndex('lectern_identities_user_id_index', 'user_id'),
      ],
      ...owned('lectern_identities_user_id_fk', 'user_id', 'up_users'),
    },
  ),
  table(
    signInCodesTable,
    { code_hash: hash, provider: 'string', challenge: 'string', user_id: 'reference', expires_at: 'datetime' },
    {
      indexes: [unique('lectern_sign_in_codes_code_hash_uq', 'code_hash')],
      ...owned('lectern_sign_in_codes_user_id_fk', 'user_id', 'up_users'),
    },
  ),
];

/** Indexes with the names that Strapi's plugins give them. */
export const builtInIndexes: Readonly<Record<Uid, readonly Index[]>> = {
  [fileUid]: [
    plainIndex('upload_files_folder_path_index', 'folder_path'),
    plainIndex('upload_files_created_at_index', 'created_at'),
    plainIndex('upload_files_updated_at_index', 'updated_at'),
    plainIndex('upload_files_name_index', 'name'),
    plainIndex('upload_files_size_index', 'size'),
    plainIndex('upload_files_ext_index', 'ext'),
  ],
  'plugin::upload.folder': [unique('upload_folders_path_id_index', 'path_id'), unique('upload_folders_path_index', 'path')],
};
