/** Tries what Lectern needs on two connections to a server that speaks MySQL's protocol. */
import type { DatabaseConfig } from '../../config/config.ts';
import { StartError } from '../../errors/start-error.ts';
import type { Database } from '../database.ts';
import type { Client } from '../mysql-client.ts';
import { isServerError } from '../mysql-errors.ts';
import { MysqlPool } from '../mysql-pool.ts';
import { mysqlHosts } from '../server-reach.ts';
import { type MysqlSession, mysqlNeeds } from './mysql-needs.ts';
import { type ProbeOptions, type ProbeReport, tryAll } from './need.ts';
import { probeName, withProbeTable } from './probe-table.ts';
import { type Run, TwoConnections } from './two-connections.ts';

export async function probeMysql(
  config: DatabaseConfig,
  database: Database,
  { statementTime, signal }: ProbeOptions,
): Promise<ProbeReport> {
  const { connectionTime } = config;
  const pool = new MysqlPool({ hosts: mysqlHosts(config), min: 0, max: 2, statementTime, connectionTime, currentReads: 'all' });
  const sides = new TwoConnections<Client>({
    open: () => pool.take({ isolation: 'READ COMMITTED' }),
    run: (client, text, parameters) => pool.run(client, { text, parameters }),
    rollBack: (client) =>
      pool.run(client, { text: 'ROLLBACK', parameters: [] }).then(
        () => !client.isBroken,
        () => false,
      ),
    close: (client, isUsable) => pool.end(client, isUsable),
  });
  const { one, two } = sides;
  const table = probeName();
  try {
    await refuseReadOnly(one);
    const { session } = await sides.clientOf('one');
    const { server, idStep, isGalera } = session;
    const [[version, comment] = []] = await one('SELECT VERSION(), @@version_comment');
    const notes = await notesOf(one, isGalera);
    const tried: MysqlSession = {
      ...{ database, server, one, two, table, idStep },
      cancel: async () => pool.cancel(await sides.clientOf('two')),
    };
    const { reset } = sides;
    const findings = await withProbeTable({ name: table, tables: database.dialect.tables, run: one, reset, isRefusal: isServerError }, () =>
      tryAll({ needs: mysqlNeeds, session: tried, signal, isRefusal: isServerError, reset }),
    );
    return { engine: engineName(String(version), String(comment), server.label), findings, notes };
  } finally {
    sides.close();
    await pool.close();
  }
}

/** `MariaDB 10.11.14-MariaDB`, `Vitess (8.0.30-Vitess)`. */
function engineName(version: string, comment: string, label: string): string {
  const other = /TiDB|Vitess|OceanBase|SingleStore/i.exec(`${version} ${comment}`)?.[0];
  return other === undefined ? `${label} ${version}` : `${other} (${version})`;
}

async function refuseReadOnly(one: Run): Promise<void> {
  const [[readOnly] = []] = await one('SELECT @@global.read_only');
  if (Number(readOnly) === 1)
    throw new StartError(['The server is read-only (read_only), as replicas are: give the URL of the server that it follows.']);
}

async function notesOf(one: Run, isGalera: boolean): Promise<string[]> {
  const notes: string[] = [];
  const aurora = await one('SELECT @@aurora_version').catch(() => []);
  if (aurora.length > 0) notes.push(`This is Aurora ${String(aurora[0]?.[0])}: Lectern needs the URL of its writer.`);
  if (isGalera)
    notes.push(
      'This is a node of a Galera cluster: named locks hold on this node alone, and Lectern uses rows of lectern_locks for all nodes (docs/scaling.md, "Galera").',
    );
  return notes;
}
