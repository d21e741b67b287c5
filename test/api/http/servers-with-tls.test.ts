/** TLS where there are several PostgreSQL servers: a read replica with an authority of its own, and a list of hosts. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { engines } from '../../support/engines.ts';
import { hasPostgresPrograms, type OwnPostgres, startOwnPostgres, startReplica } from '../../support/own-postgres.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type Served, useProject } from '../../support/served-project.ts';
import { run, serverOfTest } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';

const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0;
if (!hasPostgresPrograms || !hasOpenssl) console.log(' NOT tested: several servers with TLS (initdb or openssl is not installed here)');

/** A folder with two authorities, and a certificate of the first one for 127.0.0.1. */
function makeCertificates() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  const openssl = (args: string) => {
    const { status, stderr } = spawnSync('openssl', args.split(' '), { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  for (const name of ['authority', 'stranger']) openssl(`${made} -subj /CN=${name} -keyout ${name}.key -out ${name}.pem`);
  const signed = '-CA authority.pem -CAkey authority.key -addext subjectAltName=IP:127.0.0.1';
  openssl(`${made} -subj /CN=server ${signed} -keyout server.key -out server.pem`);
  return { path: (name: string) => join(folder, name), close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** From now on, the server takes connections with TLS alone. */
function secure(server: OwnPostgres, path: (name: string) => string): void {
  const { uid, gid } = statSync(server.data);
  for (const name of ['server.key', 'server.pem']) {
    const copy = join(server.data, name);
    writeFileSync(copy, readFileSync(path(name)));
    chownSync(copy, uid, gid);
    chmodSync(copy, 0o600);
  }
  appendFileSync(join(server.data, 'postgresql.conf'), "ssl = on\nssl_cert_file = 'server.pem'\nssl_key_file = 'server.key'\n");
  writeFileSync(join(server.data, 'pg_hba.conf'), 'hostssl all all all trust\n');
  server.stop('fast');
  server.start();
}

describe.runIf(engines.includes('postgres') && hasPostgresPrograms && hasOpenssl)('PostgreSQL servers with TLS', () => {
  const certificates = useMade(async () => makeCertificates());
  const primary = useMade(() => startOwnPostgres());
  const replica = useMade(async () => {
    const server = await startReplica(primary());
    secure(server, certificates().path);
    return server;
  });
  const replicaUrl = (authority: string, host = '127.0.0.1') =>
    `${replica().url.replace('127.0.0.1', host)}?sslmode=verify-full&sslrootcert=${certificates().path(authority)}`;
  const served: Served = useProject('postgres', {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    types: [],
    public: ['api::note.note.find'],
    database: () => primary().url,
    env: () => ({ DATABASE_REPLICA_URLS: replicaUrl('authority.pem') }),
  });

  it('reads use a replica whose certificate is of the authority that its URL names', async () => {
    let asked = 0;
    const replicaOfRead = async () => {
      const { status, headers } = await served.ask('public', 'GET', `/api/notes?filters[title][$ne]=${asked++}`);
      return [status, /replica;desc="(\d+)"/.exec(String(headers['server-timing']))?.[1]].join(' ');
    };
    await vi.waitUntil(async () => (await replicaOfRead()) === '200 1', { timeout: 10_000, interval: 50 });
  });

  it.each([
    ['of another authority', 'stranger.pem', '127.0.0.1', /read replica 1 .* is not used: .*(?:self-signed|unable to)/],
    ['for another name', 'authority.pem', 'localhost', /read replica 1 .* is not used: .*altnames/],
  ])('a certificate %s is refused', async (_, authority, host, problem) => {
    const env = { ...served.environment, DATABASE_REPLICA_URLS: replicaUrl(authority, host) };
    expect((await run(['check', '--dir', served.project.dir], env)).stdout).toMatch(problem);
  });

  it('in a list of hosts, the certificate is compared with the name of the host that is used', async () => {
    secure(primary(), certificates().path);
    const { port } = new URL(primary().url);
    const query = `sslmode=verify-full&sslrootcert=${certificates().path('authority.pem')}`;
    const url = (...hosts: readonly string[]) =>
      `postgres://postgres@${hosts.map((host) => `${host}:${port}`).join(',')}/postgres?${query}`;
    const environment = { ...served.environment, DATABASE_REPLICA_URLS: '' };
    const server = await serverOfTest(served.project.dir, { ...environment, DATABASE_URL: url('localhost', '127.0.0.1') });
    expect((await server.get('/api/notes')).status).toBe(200);
    const { status, stderr } = await run(['start', '--dir', served.project.dir, '--port', '0'], {
      ...environment,
      DATABASE_URL: url('localhost', 'localhost'),
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/No host in DATABASE_URL can be used: localhost:\d+: .*altnames/)]);
  });
});
