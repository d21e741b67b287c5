/** deploy/haproxy.cfg as HAProxy reads it, and its choice of a Galera node. The servers behind it: rolling-restart.test.ts. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import { atPorts, configuration, type Haproxy, haproxy, sections, startHaproxy } from '../../support/haproxy.ts';
import { listen } from '../../support/listen.ts';
import { onMariadb } from '../../support/mariadb-server.ts';
import { hasGalera, type OwnMariadb, startGalera } from '../../support/own-mariadb.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

if (haproxy === undefined) console.log(' NOT tested: deploy/haproxy.cfg (haproxy is not installed here)');

it.runIf(haproxy !== undefined)('the whole file is valid', () => {
  const { status, stdout, stderr } = spawnSync(haproxy ?? '', ['-c', '-f', configuration], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('valid');
});

describe.runIf(haproxy !== undefined)('in front of Lectern', () => {
  const served = useProject(anyEngine[0] ?? 'sqlite', {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    public: ['api::note.note.find'],
  });
  let balancer: Haproxy;
  let origin: string;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    balancer = await startHaproxy(
      atPorts(sections('frontend api', 'backend lectern'), {
        ':80': port,
        'lectern-1': served.server.port,
        'lectern-2': await freePort(),
      }),
    );
    await vi.waitUntil(async () => (await balancer.figuresOf('lectern-1')).status === 'UP', { timeout: 10_000 });
  });
  afterAll(() => balancer?.stop());

  it('the longest query that Lectern accepts arrives there, with long headers', async () => {
    const query = 'filters[title][$ne]=';
    const path = `/api/notes?${query}${'a'.repeat(65_536 - query.length)}`;
    const headers = { cookie: `a=${'b'.repeat(8000)}` };
    const response = await fetch(origin + path, { headers });
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ data: [] })]);
    expect(response.headers.get('keep-alive')).toBeNull();
    const longer = await fetch(`${origin}${path}a`, { headers });
    expect([longer.status, await longer.text()]).toEqual([400, expect.stringContaining('65536')]);
  });

  it('its own errors have the shape of those of Lectern', async () => {
    const broken = createServer(({ url, socket }, response) => (url === '/_ready' ? response.end() : socket.destroy()));
    const port = await freePort();
    const ports = { ':80': port, 'lectern-1': await listen(broken), 'lectern-2': await freePort() };
    const other = await startHaproxy(atPorts(sections('frontend api', 'backend lectern'), ports));
    await vi.waitUntil(async () => (await other.figuresOf('lectern-1')).status === 'UP', { timeout: 10_000 });
    const response = await fetch(`http://127.0.0.1:${port}/api/notes`, { method: 'POST' });
    await other.stop();
    broken.close();
    const error = (status: number) => ({
      data: null,
      error: { status, name: expect.any(String), message: expect.any(String), details: {} },
    });
    expect([response.status, await response.json()]).toEqual([502, error(502)]);
    const written = [...readFileSync(configuration, 'utf8').matchAll(/http-error status (\d+) .* string '(.*)'/g)];
    expect(written.map(([, status, body = '']) => [status, JSON.parse(body)])).toEqual(
      [502, 503, 504].map((status) => [String(status), error(status)]),
    );
  });
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
