/** What Lectern needs of MariaDB or MySQL, or of an engine that speaks their protocol. */
import type { Database } from '../database.ts';
import type { MysqlServer } from '../mysql-servers.ts';
import { mysqlTransfer } from '../transfer/mysql.ts';
import { type Need, seesCommits, tryCancel, tryEach, tryExclusion } from './need.ts';
import { trySearch } from './try-search.ts';
import type { Run } from './two-connections.ts';

export interface MysqlSession {
  /** What the server's pool would be. */
  readonly database: Database;
  readonly server: MysqlServer;
  /** Run statements on one of two connections. An INSERT returns its ids. */
  readonly one: Run;
  readonly two: Run;
  /** Cancels the statement of the second connection. */
  cancel(): Promise<void>;
  /** The name of a table of this probe: `id`, `title`, `data`. It has one row. */
  readonly table: string;
  /** The difference of two ids. */
  readonly idStep: number;
}

type MysqlNeed = Need<MysqlSession>;

const begin = 'START TRANSACTION';
const insert = (table: string, { returningId }: MysqlServer) => `INSERT INTO ${table} (title) VALUES ('a')${returningId}`;

async function commit(run: Run, ...statements: readonly string[]): Promise<void> {
  await run(begin);
  for (const each of statements) await run(each);
  await run('COMMIT');
}

export const mysqlNeeds: readonly MysqlNeed[] = [
  {
    what: '`GET_LOCK`, `RELEASE_ALL_LOCKS`',
    usedFor: 'writes of the same document, unique value, `Idempotency-Key` or role, one after another; migrations',
    without: '**writes are not safe**: simultaneous writes can store a unique value twice',
    isEssential: true,
    try: ({ one, two, table }) =>
      tryExclusion({
        ...{ one, two, table, begin },
        lock: (run) => run(`SELECT GET_LOCK('${table}', 4)`),
        release: (run) => run('DO RELEASE_ALL_LOCKS()'),
      }),
  },
  {
    what: '`FOR UPDATE`',
    usedFor: 'writes',
    without: 'writes fail, or two of them overwrite each other',
    isEssential: true,
    try: ({ one, two, table, database }) =>
      tryExclusion({ ...{ one, two, table, begin }, lock: (run) => run(`SELECT id FROM ${table}${database.dialect.rowLock}`) }),
  },
  {
    what: '`READ COMMITTED` transactions',
    usedFor: 'all writes',
    without: '**writes are not safe**: after it has waited for a lock, a write does not see what was committed meanwhile',
    isEssential: true,
    async try({ one, two, table, server }) {
      await one(begin);
      const isSeen = await seesCommits({ one, table }, () => commit(two, insert(table, server)));
      return isSeen ? [] : ['a transaction does not see what others commit while it runs'];
    },
  },
  {
    what: '`START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY` at `REPEATABLE READ`',
    usedFor: 'reads',
    without: 'a response may show parts of two states of the data',
    isEssential: false,
    async try({ one, two, table, server }) {
      await one('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await one('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
      const isSeen = await seesCommits({ one, table }, () => commit(two, insert(table, server)));
      return isSeen ? ['a transaction sees what others commit while it runs'] : [];
    },
  },
  {
    what: '`AUTO_INCREMENT`, `RETURNING` on MariaDB, `ON DUPLICATE KEY UPDATE`',
    usedFor: 'new rows',
    without: 'new rows cannot be stored, or their links lead to other rows',
    isEssential: true,
    async try({ one, table, idStep, server, database }) {
      await one(begin);
      const reported = await one(`INSERT INTO ${table} (title) VALUES ('x'), ('y'), ('z')${server.returningId}`);
      const stored = await one(`SELECT id FROM ${table} WHERE title IN ('x', 'y', 'z') ORDER BY title`);
      await one(`INSERT INTO ${table} (id) VALUES (?)${database.dialect.unlessPresent('id')}`, [Number(stored[0]?.[0])]);
      const ids = stored.map(([id]) => Number(id));
      if (ids.some((id) => !(id > 0 && id < 2 ** 31))) return [`ids such as ${ids[0]} do not fit int`];
      const isReported = JSON.stringify(reported.map(([id]) => Number(id))) === JSON.stringify(ids);
      return isReported ? [] : [`the ids that are reported for rows are not theirs (auto_increment_increment is ${idStep})`];
    },
  },
  {
    what: '`JSON_TABLE`, `JSON_UNQUOTE`, `ROW_NUMBER`, `STRAIGHT_JOIN`, `TIMESTAMPDIFF`, `CONVERT_TZ`, `DATE_FORMAT`, `TIME_FORMAT`, `LOCATE`, `CHAR_LENGTH`, `<=>`, and the order of texts by code points',
    usedFor: 'reads',
    without: 'reads that use them fail, or are ordered in another way',
    isEssential: true,
    try: ({ one, table, database: { dialect } }) =>
      tryEach(one, [
        ['JSON_TABLE', `SELECT SUM(a.value) FROM ${dialect.idList("'[1,2]'", 'a')}`, 3],
        ['JSON_UNQUOTE', `SELECT ${dialect.select('data', 'json')} FROM ${table} WHERE data IS NOT NULL`, 'a'],
        ['ROW_NUMBER', 'SELECT MAX(n) FROM (SELECT ROW_NUMBER() OVER (ORDER BY x) AS n FROM (SELECT 3 AS x UNION SELECT 4) AS a) AS b', 2],
        ['STRAIGHT_JOIN', `SELECT COUNT(*) FROM (SELECT 1 AS x) AS a ${dialect.orderedJoin} (SELECT 1 AS y) AS b ON x = y`, 1],
        ['TIMESTAMPDIFF', `SELECT ${dialect.select("CAST('1970-01-01 00:00:01.5' AS DATETIME(6))", 'datetime')} % 60000`, 1500],
        ['CONVERT_TZ', "SELECT CONVERT_TZ('2024-01-01 00:00:00', '+01:00', '+00:00')", '2023-12-31 23:00:00'],
        ['DATE_FORMAT', `SELECT ${dialect.select("CAST('2024-01-31' AS DATE)", 'date')}`, '2024-01-31'],
        ['TIME_FORMAT', `SELECT ${dialect.select("CAST('09:30:00.123' AS TIME(3))", 'time')}`, '09:30:00.123'],
        ['LOCATE', "SELECT LOCATE('b', 'ab')", 2],
        ['CHAR_LENGTH', "SELECT CHAR_LENGTH('äb')", 2],
        ['<=>', `SELECT NULL ${dialect.same} NULL`, 1],
        ['texts', `SELECT x FROM (SELECT 'a' AS x UNION SELECT 'B') AS a ORDER BY x${dialect.ordering('asc', 'string')} LIMIT 1`, 'B'],
      ]),
  },
  {
    what: '`information_schema.COLUMNS`, `information_schema.TABLES`, `information_schema.STATISTICS`, `information_schema.TABLE_CONSTRAINTS`, `information_schema.TRIGGERS`, `information_schema.CHECK_CONSTRAINTS`, `json_valid`',
    usedFor: 'the list of tables and indexes: each start, migrations',
    without: 'the server does not start',
    isEssential: true,
    async try({ database, table }) {
      await database.formerLogRemoval();
      const made = (await database.tables()).find(({ name }) => name === table);
      if (made === undefined) return ['a table that was just made is not listed'];
      if (made.columns.get('data') !== 'json') return ['a column of JSON is not listed as such'];
      if (made.constraints.length === 0) return ['the foreign key of a table is not listed'];
      const indexes = (await database.indexes()).filter((each) => each.table === table);
      return indexes.some(({ columns }) => columns[0] === 'id') ? [] : ['the index of a table is not listed'];
    },
  },
  {
    what: 'foreign keys that delete rows (CASCADE)',
    usedFor: 'deleting links together with their documents',
    without: 'links of deleted documents remain, and are shown by later documents with the same id',
    isEssential: true,
    async try({ one, table, server }) {
      await one(begin);
      const [[parent] = []] = await one(insert(table, server));
      await one(`INSERT INTO ${table} (title, parent_id) VALUES ('child', ?)`, [parent]);
      await one(`DELETE FROM ${table} WHERE id = ?`, [parent]);
      const [[left] = []] = await one(`SELECT COUNT(*) FROM ${table} WHERE title = 'child'`);
      return Number(left) === 0 ? [] : ['rows that refer to a deleted row remain'];
    },
  },
  {
    what: '`CREATE TEMPORARY TABLE`',
    usedFor: 'migrations that add drafts or a locale to existing rows',
    without: 'these migrations fail',
    isEssential: false,
    async try({ one, table }) {
      await one(`CREATE TEMPORARY TABLE ${table}_temporary (x int)`);
      await one(`DROP TEMPORARY TABLE ${table}_temporary`);
      return [];
    },
  },
  {
    what: '`KILL QUERY`',
    usedFor: 'ending the statement of a caller that has closed its connection, and on MySQL writes at their time limit',
    without: 'it runs on',
    isEssential: false,
    try: ({ one, two, cancel }) => tryCancel(one, () => two('SELECT SLEEP(2)'), cancel),
  },
  {
    what: '`RELEASE_LOCK`, `IS_USED_LOCK`, `CONNECTION_ID`, `SHA1`, `information_schema.KEY_COLUMN_USAGE`, `information_schema.REFERENTIAL_CONSTRAINTS`',
    usedFor: '`lectern transfer`',
    without: 'this command fails; the server is not affected',
    isEssential: false,
    async try({ one, database, server, table }) {
      const transfer = mysqlTransfer(server);
      const catalogue = await database.read((connection) => transfer.catalogue(connection));
      if (!catalogue.some(({ name }) => name === table)) return ['the table is not listed'];
      const { take, isHeld, release } = transfer.lock ?? {};
      if (take === undefined || isHeld === undefined || release === undefined) return [];
      const [[isTaken] = []] = await one(take);
      const [[isListed] = []] = await one(isHeld);
      await one(release);
      return Number(isTaken) === 1 && Number(isListed) === 1 ? [] : ['its lock cannot be taken'];
    },
  },
  {
    what: '`CREATE TRIGGER`, `FULLTEXT`, `REGEXP_REPLACE`, `CONCAT_WS`, `JSON_EXTRACT`, `JSON_ARRAYAGG`',
    usedFor: '`lectern search`, and full-text search in reads',
    without: '`lectern search build` fails; the server is not affected',
    isEssential: false,
    try: ({ one, table, database: { dialect } }) => trySearch({ one, table, dialect }),
  },
];
