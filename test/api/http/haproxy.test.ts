/** deploy/haproxy.cfg as HAProxy reads it, and its choice of a Galera node. The servers behind it: rolling-restart.test.ts. */
import { spawnSync } from 'node:child_process';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import { atPorts, configuration, type Haproxy, haproxy, sections, startHaproxy } from '../../support/haproxy.ts';
import { onMariadb } from '../../support/mariadb-server.ts';
import { hasGalera, type OwnMariadb, startGalera } from '../../support/own-mariadb.ts';

if (haproxy === undefined) console.log(' NOT tested: deploy/haproxy.cfg (haproxy is not installed here)');

it.runIf(haproxy !== undefined)('the whole file is valid', () => {
  const { status, stdout, stderr } = spawnSync(haproxy ?? '', ['-c', '-f', configuration], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('valid');
});

describe.runIf(engines.includes('mariadb') && hasGalera && haproxy !== undefined)('nodes of a Galera cluster', () => {
  let nodes: readonly OwnMariadb[] = [];
  let balancer: Haproxy;
  let port: number;
  const portOf = (index: number) => Number(new URL(nodes[index]?.url ?? '').port);
  const onNode = (index: number, statement: string) => onMariadb(nodes[index]?.url ?? '', (connection) => connection.query(statement));
  const throughBalancer = () => mysql.createConnection({ host: '127.0.0.1', port, user: 'root' });
  const reached = async (connection: mysql.Connection) => {
    const [[row]] = (await connection.query('SELECT @@port AS port')) as unknown as [[{ port: number } | undefined]];
    return row?.port;
  };
  const becomes = (name: string, status: string) => expect.poll(async () => (await balancer.figuresOf(name)).status).toBe(status);

  beforeAll(async () => {
    nodes = await startGalera();
    await onNode(0, "CREATE USER haproxy@'%' IDENTIFIED VIA mysql_native_password USING ''");
    port = await freePort();
    balancer = await startHaproxy(
      atPorts(sections('listen galera'), { ':3306': port, 'node-1': portOf(0), 'node-2': portOf(1), 'node-3': await freePort() }),
    );
  });
  afterAll(async () => {
    await balancer?.stop();
    for (const node of nodes) node.remove();
  });

  it('connections go to the first one that is Synced, and are closed when it is no longer', async () => {
    for (const name of ['node-1', 'node-2']) await becomes(name, 'UP');
    await becomes('node-3', 'DOWN');
    const first = await throughBalancer();
    const closed = new Promise((resolve) => first.on('error', resolve));
    expect(await reached(first)).toBe(portOf(0));
    // As when the node gives its data to one that joins: it still responds, and signs in.
    await onNode(0, 'SET GLOBAL wsrep_desync = ON');
    await becomes('node-1', 'DOWN');
    await closed;
    const second = await throughBalancer();
    expect(await reached(second)).toBe(portOf(1));
    second.destroy();
    await onNode(0, 'SET GLOBAL wsrep_desync = OFF');
    await becomes('node-1', 'UP');
  });

  it('checks do not make a node refuse the host of the balancer', async () => {
    const [rows] = (await onNode(1, "SHOW GLOBAL STATUS LIKE 'Aborted_connects'")) as unknown as [{ Value: string }[]];
    expect(Number(rows[0]?.Value)).toBe(0);
  });
});
