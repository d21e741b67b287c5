/** What Lectern needs of PostgreSQL, or of an engine that speaks its protocol. */
import type { Connection, Database } from '../database.ts';
import { postgres } from '../postgres.ts';
import { reading, writing } from '../postgres-connection.ts';
import { idOf, idQuestion, readSnapshot } from '../postgres-own-transactions.ts';
import { positionsQuestion } from '../postgres-positions.ts';
import { databaseQuestion, systemQuestion } from '../postgres-questions.ts';
import { replicaQuestion } from '../postgres-replica.ts';
import { lockStatement } from '../postgres-transaction.ts';
import { versionQuestion } from '../postgres-versions.ts';
import { literal } from '../quote.ts';
import { postgresTransfer } from '../transfer/postgres.ts';
import { type Need, seesCommits, tryCancel, tryEach, tryExclusion } from './need.ts';
import { trySearch } from './try-search.ts';
import type { Run } from './two-connections.ts';

export interface PostgresSession {
  /** What the server's pool would be. */
  readonly database: Database;
  /** Run statements on one of two connections. */
  readonly one: Run;
  readonly two: Run;
  /** Cancels the statement of the second connection. */
  cancel(): Promise<void>;
  /** The name of a table of this probe: `id`, `title`, `data`. It has one row. */
  readonly table: string;
  /** Why the engine's snapshots are not relied on. */
  readonly doubt: string | undefined;
  /** Whether a connection pooler stands in between. */
  readonly isPooled: boolean;
  /** Milliseconds: the limit for statements that was asked for. */
  readonly statementTime: number;
}

/** `set`: the limit of the session, as PostgreSQL writes it. */
const ignoredLimit = (set: string) =>
  `${set === '0' ? 'there is no limit' : `the role's limit of ${set} counts instead of limits.statementTime`}, as behind a connection pooler that ignores options`;

type PostgresNeed = Need<PostgresSession>;

const insert = (table: string) => `INSERT INTO ${table} (title) VALUES ('a') RETURNING id`;

const lists = (tables: Awaited<ReturnType<Database['tables']>>, name: string) => tables.some((each) => each.name === name);

export const postgresNeeds: readonly PostgresNeed[] = [
  {
    what: '`pg_advisory_xact_lock`',
    usedFor: 'writes of the same document, unique value, `Idempotency-Key` or role, one after another; migrations',
    without:
      '**writes are not safe**: simultaneous writes can store a unique value twice, as on engines that accept the call and lock nothing (older versions of CockroachDB and YugabyteDB)',
    isEssential: true,
    try({ one, two, table }) {
      const key = String(Math.floor(Math.random() * 2 ** 52));
      return tryExclusion({ ...{ one, two, table, begin: writing }, lock: (run) => run(lockStatement, [[key]]) });
    },
  },
  {
    what: '`FOR NO KEY UPDATE`',
    usedFor: 'writes',
    without: 'writes fail, or two of them overwrite each other',
    isEssential: true,
    try: ({ one, two, table }) =>
      tryExclusion({ ...{ one, two, table, begin: writing }, lock: (run) => run(`SELECT id FROM ${table}${postgres.rowLock}`) }),
  },
  {
    what: '`READ COMMITTED` transactions',
    usedFor: 'all writes',
    without: 'with stricter transactions, more writes fail as conflicts (40001); they are repeated, and then get 503',
    isEssential: false,
    async try({ one, two, table }) {
      await one(writing);
      return (await seesCommits({ one, table }, () => two(insert(table))))
        ? []
        : ['a transaction does not see what others commit while it runs'];
    },
  },
  {
    what: '`REPEATABLE READ READ ONLY` transactions',
    usedFor: 'reads of several statements',
    without: 'a response may show parts of two states of the data',
    isEssential: false,
    async try({ one, two, table }) {
      await one(reading);
      return (await seesCommits({ one, table }, () => two(insert(table)))) ? ['a transaction sees what others commit while it runs'] : [];
    },
  },
  {
    what: '`pg_current_snapshot`, `pg_current_xact_id_if_assigned`, `pg_postmaster_start_time`, `pg_is_in_recovery`, on an engine whose `version()` and `pg_extension` show it to be PostgreSQL',
    usedFor: 'the version of the data, for the caches',
    without:
      'nothing is cached by the version of the data: with `cache.consistency` `exact`, responses are not cached, otherwise for that time, as on MariaDB',
    isEssential: false,
    async try({ one, two, table, doubt }) {
      if (doubt !== undefined) return [doubt];
      const [[, before] = []] = await one(versionQuestion);
      await two(writing);
      await two(insert(table));
      const id = idOf(await two(idQuestion));
      await two('COMMIT');
      const [[start, after] = []] = await one(versionQuestion);
      if (typeof start !== 'string') return ['the server is in recovery: it does not list its transactions'];
      const { next, running } = readSnapshot(String(after));
      const isShown = id !== undefined && id < next && !running.has(id) && before !== after;
      return isShown ? [] : ['a snapshot does not show what another connection has committed'];
    },
  },
  {
    what: '`serial`, `RETURNING id`, `ON CONFLICT DO NOTHING`, `nextval`, `pg_get_serial_sequence`, `setval`',
    usedFor: 'new rows',
    without:
      'new rows cannot be stored. Ids must fit `integer`: those of `serial` on CockroachDB do so with `serial_normalization = sql_sequence` only',
    isEssential: true,
    async try({ one, table }) {
      const [[id] = []] = await one(insert(table));
      const [[next] = []] = await one(`SELECT ${postgres.nextId(table, 'id')}`);
      await one(`INSERT INTO ${table} (id) VALUES ($1)${postgres.unlessPresent('id')}`, [id]);
      const [continued = ''] = postgresTransfer.continueIds(table, 'id', Number(next) + 10);
      await one(continued);
      const [[last] = []] = await one(insert(table));
      const ids = [id, next, last].map(Number);
      if (ids.some((each) => !(each > 0 && each < 2 ** 31))) return [`ids such as ${ids[0]} do not fit integer`];
      return ids[0] !== undefined && Number(last) > Number(next) ? [] : ['ids do not grow'];
    },
  },
  {
    what: '`AS MATERIALIZED`, `unnest`, `row_number`, `array_agg`, `to_regclass`, `quote_ident`, `starts_with`, `strpos`, `ILIKE`, `to_char`, `jsonb_typeof`, `COLLATE "C"`, `NULLS FIRST`, `IS NOT DISTINCT FROM`',
    usedFor: 'reads',
    without: 'reads that use them fail, or are ordered in another way',
    isEssential: true,
    try: ({ one, table }) =>
      tryEach(one, [
        ['AS MATERIALIZED', 'WITH a AS MATERIALIZED (SELECT 1 AS x) SELECT x FROM a', 1],
        ['unnest', `SELECT count(*) FROM ${postgres.idList("'{1,2}'", 'a')}`, 2],
        ['row_number', 'SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY x) AS n FROM (VALUES (3), (4)) AS a(x)) AS b', 2],
        ['array_agg', 'SELECT array_agg(x::text ORDER BY x DESC)::text FROM (VALUES (1), (2)) AS a(x)', '{2,1}'],
        ['to_regclass', `SELECT ${postgres.tableExists(literal(table))}`, true],
        ['starts_with', "SELECT starts_with('ab', 'a')", true],
        ['strpos', "SELECT strpos('ab', 'b')", 2],
        ['ILIKE', "SELECT 'ÄB' ILIKE '%äb%'", true],
        ['to_char of a date', `SELECT ${postgres.select("date '2024-01-31'", 'date')}`, '2024-01-31'],
        ['to_char of a time', `SELECT ${postgres.select("time '09:30:00.123'", 'time')}`, '09:30:00.123'],
        ['datetime', `SELECT ${postgres.select("timestamp(6) '1970-01-01 00:00:01.5'", 'datetime')} % 60000`, 1500],
        ['jsonb_typeof', `SELECT ${postgres.select('data', 'json')} FROM ${table} WHERE data IS NOT NULL`, 'a'],
        ['COLLATE "C"', `SELECT x FROM (VALUES ('a'), ('B')) AS a(x) ORDER BY x${postgres.ordering('asc', 'string')} LIMIT 1`, 'B'],
        ['NULLS FIRST', 'SELECT x IS NULL FROM (VALUES (1), (NULL)) AS a(x) ORDER BY x ASC NULLS FIRST LIMIT 1', true],
        ['IS NOT DISTINCT FROM', `SELECT NULL::text ${postgres.same} NULL::text`, true],
      ]),
  },
  {
    what: '`pg_class`, `pg_attribute`, `pg_type`, `pg_namespace`, `pg_constraint`, `pg_index`, `pg_indexes`, `pg_am`, `pg_proc`, `format_type`, `pg_get_expr`, `has_column_privilege`, `pg_has_role`, `current_schema`, `current_database`, `current_setting`, `WITH ORDINALITY`',
    usedFor: 'the list of tables and indexes: each start, migrations',
    without: 'the server does not start',
    isEssential: true,
    async try({ database, table }) {
      await database.formerLogRemoval();
      const tables = await database.tables();
      if (!lists(tables, table)) return ['a table that was just made is not listed'];
      const indexes = (await database.indexes()).filter((each) => each.table === table);
      return indexes.some(({ columns }) => columns[0] === 'id') ? [] : ['the index of a table is not listed'];
    },
  },
  {
    what: 'DDL in a transaction with data',
    usedFor: 'the first start, migrations',
    without: 'a failed migration is not undone as a whole',
    isEssential: false,
    async try({ one, table }) {
      const other = `${table}_undone`;
      await one(writing);
      try {
        await one(`CREATE TABLE ${other} (id integer)`);
        await one(`INSERT INTO ${other} VALUES (1)`);
      } finally {
        await one('ROLLBACK');
      }
      const [[remains] = []] = await one(`SELECT ${postgres.tableExists(literal(other))}`);
      if (remains !== true) return [];
      await one(`DROP TABLE ${other}`);
      return ['ROLLBACK does not undo CREATE TABLE'];
    },
  },
  {
    what: '`CREATE TEMPORARY TABLE`',
    usedFor: 'migrations that add drafts or a locale to existing rows',
    without: 'these migrations fail',
    isEssential: false,
    async try({ one, table }) {
      await one(writing);
      await one(`CREATE TEMPORARY TABLE ${table}_temporary AS SELECT 1 AS x`);
      return [];
    },
  },
  {
    what: '`statement_timeout`',
    usedFor: 'time limits, such as `limits.statementTime`',
    without: 'slow statements run to their end, unless the role has a limit',
    isEssential: false,
    async try({ one, statementTime }) {
      const [[set] = []] = await one("SELECT current_setting('statement_timeout')");
      // PostgreSQL writes the time in the greatest unit that has no fraction.
      const isSet = [`${statementTime}ms`, `${statementTime / 1000}s`, String(statementTime)].includes(String(set));
      if (!isSet) return [ignoredLimit(String(set))];
      await one(writing);
      await one("SET LOCAL statement_timeout = '100ms'");
      return one('SELECT pg_sleep(1.5)').then(
        () => ['a statement runs longer'],
        () => [],
      );
    },
  },
  {
    what: '`pg_cancel_backend`',
    usedFor: 'ending the statement of a caller that has closed its connection',
    without: 'it runs on, until its time limit',
    isEssential: false,
    try: ({ one, two, cancel }) => tryCancel(one, () => two('SELECT pg_sleep(2)'), cancel),
  },
  {
    what: '`INDEX CONCURRENTLY`, `lock_timeout`',
    usedFor: '`lectern indexes`',
    without: 'this command fails; the server is not affected',
    isEssential: false,
    async try({ one, table }) {
      const index = `${table}_title`;
      await one(`CREATE INDEX CONCURRENTLY ${index} ON ${table} (title${postgres.indexOrdering('asc', 'string')})`);
      await one(`DROP INDEX CONCURRENTLY ${index}`);
      await one(writing);
      await one("SET LOCAL lock_timeout = '2s'");
      return [];
    },
  },
  {
    what: '`pg_trgm`, `pg_opclass`, `pg_opclass_is_visible`, `pg_available_extensions`, `has_database_privilege`',
    usedFor: 'indexes that search in texts',
    without: 'texts get no such index, and `$contains` reads the whole table',
    isEssential: false,
    async try({ one }) {
      const [[isAvailable] = []] = await one(postgres.tables.textIndexes?.isAvailable ?? '');
      return isAvailable === true ? [] : ['the extension pg_trgm is not there, or this user may not create it'];
    },
  },
  {
    what: '`pg_try_advisory_lock`, `pg_advisory_unlock`, `pg_locks`, `pg_backend_pid`, `hashtext`',
    usedFor: '`lectern indexes`, `lectern transfer`, which run one at a time',
    without: 'these commands fail, or two of them run at once; behind a connection pooler, give them the URL of the server itself',
    isEssential: false,
    async try({ one, two, isPooled }) {
      // By chance, the trial may have one session all the time.
      if (isPooled) return ['a connection pooler may lead each statement to another session'];
      const { take, isHeld, release } = postgresTransfer.lock ?? {};
      if (take === undefined || isHeld === undefined || release === undefined) return [];
      const [[isTaken] = []] = await one(take);
      const [[isTakenTwice] = []] = await two(take);
      const [[isListed] = []] = await one(isHeld);
      await one(release);
      if (isTakenTwice === true) await two(release);
      if (isTaken !== true) return ['another transfer holds the lock'];
      if (isTakenTwice === true) return ['two connections have the lock at once'];
      return isListed === true ? [] : ['the lock is not listed in pg_locks'];
    },
  },
  {
    what: '`information_schema.columns`, `information_schema.tables`, `pg_depend`, `pg_sequences`',
    usedFor: '`lectern transfer`',
    without: 'this command fails; the server is not affected',
    isEssential: false,
    async try({ database, table }) {
      const catalogue = await database.read((connection: Connection) => postgresTransfer.catalogue(connection));
      const highest = catalogue.find(({ name }) => name === table)?.highestId ?? 0;
      return highest > 0 ? [] : ['the table, or its last id, is not listed'];
    },
  },
  {
    what: '`pg_current_wal_flush_lsn`, `pg_current_wal_insert_lsn`, `pg_last_wal_replay_lsn`, `pg_walfile_name`, `pg_stat_wal_receiver`, `pg_control_system`, `pg_control_checkpoint`, `pg_control_recovery`, `pg_database`',
    usedFor: 'read replicas',
    without: 'replicas are not used, the primary serves',
    isEssential: false,
    async try({ one }) {
      for (const question of [positionsQuestion, replicaQuestion, databaseQuestion]) await one(question);
      // Users may lack the right to it; then replicas are told apart by less.
      await one(systemQuestion).catch(() => undefined);
      return [];
    },
  },
  {
    what: 'functions in `plpgsql`, `CREATE TRIGGER`, `pg_trigger`, `to_tsvector`, `concat_ws`, `regexp_replace`, `octet_length`, `normalize`, `string_agg`, `string_to_array`, `jsonb_path_query`, indexes of the type `gin`',
    usedFor: '`lectern search`, and full-text search in reads',
    without: '`lectern search build` fails; the server is not affected',
    isEssential: false,
    try: ({ one, table, database: { dialect } }) => trySearch({ one, table, dialect }),
  },
];
