/** Tries what Lectern needs on two connections to a server that speaks PostgreSQL's protocol. */
import pg from 'pg';
import type { DatabaseConfig } from '../../config/config.ts';
import { StartError } from '../../errors/start-error.ts';
import type { Database } from '../database.ts';
import { postgres } from '../postgres.ts';
import { configuredConnection } from '../postgres-connection.ts';
import { findEngine } from '../postgres-engine.ts';
import { PostgresPool, processOf } from '../postgres-pool.ts';
import { postgresServersOf } from '../postgres-servers.ts';
import { postgresConnection } from '../server-reach.ts';
import { withTlsOfUrl } from '../tls-of-url.ts';
import { type ProbeOptions, type ProbeReport, tryAll } from './need.ts';
import { type PostgresSession, postgresNeeds } from './postgres-needs.ts';
import { probeName, withProbeTable } from './probe-table.ts';
import { type Run, TwoConnections } from './two-connections.ts';

export async function probePostgres(
  configured: DatabaseConfig,
  database: Database,
  { statementTime, signal }: ProbeOptions,
): Promise<ProbeReport> {
  const config = withTlsOfUrl(configured);
  // Without time limits, since one connection waits for the other.
  const settings = { schema: config.schema, hasTimeLimit: false };
  const connection = { ...configuredConnection(postgresConnection(config, postgresServersOf(configured)), settings), max: 2, min: 0 };
  const pool = new PostgresPool({ connection, statementTime, connectionTime: config.connectionTime });
  const sides = new TwoConnections<pg.PoolClient>({
    open: async () => (await pool.begin()).client,
    run: async (client, text, parameters) => {
      // Without a name: a pooler may lead to another session.
      const { rows } = await pool.query(client, { text, values: [...parameters], rowMode: 'array' });
      return rows;
    },
    rollBack: async (client) => (await pool.rollBack(client)) && pool.isKept(client),
    close: (client, isUsable) => pool.end(client, isUsable),
  });
  const { one, two } = sides;
  const table = probeName();
  try {
    await refuseReadOnly(one);
    const [[version] = []] = await one('SELECT version()');
    const { name, doubt } = await findEngine(database, String(version));
    const isPooled = await findPooler(one, await sides.clientOf('one'));
    const notes = await notesOf(one, isPooled);
    const session: PostgresSession = {
      ...{ database, one, two, table, doubt, isPooled, statementTime },
      cancel: async () => pool.cancel(await sides.clientOf('two')),
    };
    const { reset } = sides;
    const findings = await withProbeTable({ name: table, tables: postgres.tables, run: one, reset, isRefusal }, () =>
      tryAll({ needs: postgresNeeds, session, signal, isRefusal, reset }),
    );
    return { engine: name, findings, notes };
  } finally {
    sides.close();
    await pool.close();
  }
}

const isRefusal = (error: unknown): error is Error => error instanceof pg.DatabaseError;

async function refuseReadOnly(one: Run): Promise<void> {
  const first = async (text: string) => (await one(text).catch(() => []))[0]?.[0];
  if ((await first("SELECT current_setting('transaction_read_only')")) !== 'on') return;
  throw new StartError([
    (await first('SELECT pg_is_in_recovery()')) === true
      ? 'The server is a standby, which cannot be written to: name its primary in DATABASE_URL, and the standby in DATABASE_REPLICA_URLS (docs/scaling.md, "Read replicas").'
      : 'The transactions of this user are read-only (default_transaction_read_only), so Lectern could store nothing.',
  ]);
}

async function notesOf(one: Run, isPooled: boolean): Promise<string[]> {
  const notes: string[] = [];
  const [[aurora] = []] = await one('SELECT aurora_version()').catch(() => []);
  if (aurora !== undefined)
    notes.push(`This is Aurora ${String(aurora)}: do not name its readers in DATABASE_REPLICA_URLS, since they do not replay a log.`);
  if (isPooled)
    notes.push('A connection pooler stands in between: the results are those through the pooler (docs/scaling.md, "PgBouncer").');
  return notes;
}

/** A pooler gives its clients other numbers than those of the server's processes. */
async function findPooler(one: Run, client: pg.PoolClient): Promise<boolean> {
  const [[process] = []] = await one('SELECT pg_backend_pid()').catch(() => []);
  return process !== undefined && Number(process) !== processOf(client);
}
