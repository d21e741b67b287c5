/** Reaching a database server at the start: TLS by the variables of Strapi's template, and one sentence for each error. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { listen } from '../../support/listen.ts';
import { hasPostgresPrograms, type OwnPostgres, startOwnPostgres } from '../../support/own-postgres.ts';
import { makeProject, type Project, projectOfTest } from '../../support/project.ts';
import { startRelay } from '../../support/relay.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type Environment, run, serverOfTest } from '../../support/server.ts';

const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0;
if (!hasPostgresPrograms || !hasOpenssl) console.log(' NOT tested: PostgreSQL with TLS (initdb or openssl is not installed here)');
const files = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });

/** The output of `lectern start` when it cannot start. */
async function refusal(project: Project, env: Environment): Promise<string> {
  const { status, stderr } = await run(['start', '--dir', project.dir, '--port', '0', '--host', '127.0.0.1'], env);
  expect(status).toBe(1);
  return stderr;
}

/** Refuses connections as PgBouncer does, and names the first startup parameter that it does not know. */
async function startPooler(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const known: ReadonlySet<string> = new Set(['user', 'database', 'client_encoding', 'application_name']);
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (packet: Buffer) => {
      const texts = packet.subarray(8).toString().split('\0');
      const unknown = texts.find((text, index) => index % 2 === 0 && text !== '' && !known.has(text));
      const fields = `SFATAL\0C08P01\0Munsupported startup parameter: ${unknown}\0\0`;
      const head = Buffer.from('E\0\0\0\0');
      head.writeInt32BE(4 + fields.length, 1);
      socket.end(Buffer.concat([head, Buffer.from(fields)]));
    });
  });
  return { port: await listen(server), close: async () => void server.close() };
}

describe.runIf(engines.includes('postgres') && hasPostgresPrograms && hasOpenssl)('PostgreSQL', () => {
  let own: OwnPostgres;
  let project: Project;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
    const made = spawnSync(
      'openssl',
      // One certificate for all: the authority's, the server's, and that of the user `postgres`.
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=postgres -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem'.split(
        ' ',
      ),
      { cwd: folder, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(made.stderr);
    own = await startOwnPostgres();
    project = await makeProject('postgres', files, own.url);
  });
  afterAll(async () => {
    own?.remove();
    await project?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const env = (more: Environment): Environment => {
    const { port } = new URL(own.url);
    return {
      DATABASE_CLIENT: 'postgres',
      DATABASE_HOST: '127.0.0.1',
      DATABASE_PORT: port,
      DATABASE_USERNAME: 'postgres',
      DATABASE_NAME: 'postgres',
      ...more,
    };
  };
  const starts = async (more: Environment) => {
    const server = await serverOfTest(project.dir, env({ DATABASE_SSL: 'true', ...more }));
    expect((await server.get('/')).status).toBe(200);
  };
  const path = (name: string) => join(folder, name);

  it('DATABASE_SSL=true, and the server has no TLS: a clear message', async () => {
    const said = await refusal(project, env({ DATABASE_SSL: 'true' }));
    expect(said).toContain('The database server does not support TLS: set DATABASE_SSL=false, or switch it on at the server');
  });

  it('a server that does not respond: a clear message, in time', async () => {
    const relay = await startRelay({ host: '127.0.0.1', port: Number(new URL(own.url).port) });
    relay.silence();
    const said = await refusal(project, env({ DATABASE_PORT: String(relay.port) }));
    await relay.close();
    expect(said).toContain('The database does not respond');
    const gone = await refusal(project, env({ DATABASE_PORT: String(relay.port) }));
    expect(gone).toContain(`The database does not respond at 127.0.0.1:${relay.port} (ECONNREFUSED)`);
  });

  it('a pooler that refuses a startup parameter: only `options`, and a clear message', async () => {
    const pooler = await startPooler();
    const said = await refusal(project, env({ DATABASE_PORT: String(pooler.port) }));
    await pooler.close();
    expect(said).toContain('(unsupported startup parameter: options): add options to its ignore_startup_parameters');
  });

  describe('with TLS alone', () => {
    beforeAll(async () => {
      const client = new pg.Client({ connectionString: own.url });
      await client.connect();
      await client.query('CREATE DATABASE certified');
      await client.end();
      own.stop('fast');
      const { uid, gid } = statSync(own.data);
      for (const name of ['key.pem', 'cert.pem']) {
        const copy = join(own.data, name);
        writeFileSync(copy, readFileSync(path(name)));
        chownSync(copy, uid, gid);
        chmodSync(copy, 0o600);
      }
      const settings = ['ssl = on', "ssl_cert_file = 'cert.pem'", "ssl_key_file = 'key.pem'", "ssl_ca_file = 'cert.pem'"];
      appendFileSync(join(own.data, 'postgresql.conf'), `${settings.join('\n')}\n`);
      writeFileSync(join(own.data, 'pg_hba.conf'), 'hostssl certified all 127.0.0.1/32 cert\nhostssl all all 127.0.0.1/32 trust\n');
      own.start();
    });

    it('TLS is needed, or the certificate is not trusted: a clear message', async () => {
      expect(await refusal(project, env({}))).toContain('refuses connections without TLS: set DATABASE_SSL=true');
      expect(await refusal(project, env({ DATABASE_SSL: 'true' }))).toMatch(/is not trusted.*set DATABASE_SSL_CA/s);
    });

    it.each<[string, () => Environment]>([
      ['DATABASE_SSL_REJECT_UNAUTHORIZED=false accepts any certificate', () => ({ DATABASE_SSL_REJECT_UNAUTHORIZED: 'false' })],
      ['DATABASE_SSL_CA as a file', () => ({ DATABASE_SSL_CA: path('cert.pem') })],
      ['DATABASE_SSL_CA as text', () => ({ DATABASE_SSL_CA: readFileSync(path('cert.pem'), 'utf8') })],
      ['DATABASE_SSL_CA as text in one line', () => ({ DATABASE_SSL_CA: readFileSync(path('cert.pem'), 'utf8').replaceAll('\n', '\\n') })],
    ])('%s', (_, more) => starts(more()));

    it('DATABASE_SSL_CERT and DATABASE_SSL_KEY for a server that asks for them', async () => {
      const certified = { DATABASE_NAME: 'certified', DATABASE_SSL_CA: path('cert.pem') };
      expect(await refusal(project, env({ DATABASE_SSL: 'true', ...certified }))).toContain('set DATABASE_SSL_CERT and DATABASE_SSL_KEY');
      await starts({ ...certified, DATABASE_SSL_CERT: path('cert.pem'), DATABASE_SSL_KEY: path('key.pem') });
    });

    it('sslmode in DATABASE_URL, together with DATABASE_SSL_CA', async () => {
      const url = (more: string): Environment => ({ DATABASE_CLIENT: 'postgres', DATABASE_URL: `${own.url}?${more}` });
      expect(await refusal(project, url('sslmode=require'))).toContain('set DATABASE_SSL_CA');
      const server = await serverOfTest(project.dir, { ...url('sslmode=require'), DATABASE_SSL_CA: path('cert.pem') });
      expect((await server.get('/')).status).toBe(200);
      expect(server.output.stderr).not.toContain('SECURITY WARNING');
    });

    it('a client certificate of an unknown authority, and a key with a passphrase: clear messages', async () => {
      const openssl = (args: string) => spawnSync('openssl', args.split(' '), { cwd: folder, encoding: 'utf8' });
      openssl(
        'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=postgres -keyout strange.key -out strange.pem',
      );
      openssl('pkey -in key.pem -aes256 -passout pass:secret -out locked.pem');
      const certified = { DATABASE_SSL: 'true', DATABASE_NAME: 'certified', DATABASE_SSL_CA: path('cert.pem') };
      const strange = { ...certified, DATABASE_SSL_CERT: path('strange.pem'), DATABASE_SSL_KEY: path('strange.key') };
      expect(await refusal(project, env(strange))).toContain('refuses the certificate in DATABASE_SSL_CERT (unknown ca)');
      const locked = { ...certified, DATABASE_SSL_CERT: path('cert.pem'), DATABASE_SSL_KEY: path('locked.pem') };
      expect(await refusal(project, env(locked))).toContain('DATABASE_SSL_KEY is protected by a passphrase');
    });

    it('a password is required: a clear message; database.startWait waits for a server that starts later', async () => {
      const client = new pg.Client({ connectionString: own.url, ssl: { rejectUnauthorized: false } });
      await client.connect();
      await client.query("ALTER ROLE CURRENT_USER PASSWORD 'a password'");
      await client.end();
      const file = join(own.data, 'pg_hba.conf');
      const before = readFileSync(file, 'utf8');
      writeFileSync(file, 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
      own.stop('fast');
      own.start();
      const trusted = { DATABASE_SSL: 'true', DATABASE_SSL_CA: path('cert.pem') };
      const said = await refusal(project, env(trusted));
      await starts({ DATABASE_SSL_CA: path('cert.pem'), DATABASE_PASSWORD: 'a password' });
      writeFileSync(file, before);
      own.stop('fast');
      expect(said).toContain('The database server requires a password: set DATABASE_PASSWORD');
      // The server starts while the start waits for it.
      const starting = starts({ DATABASE_SSL_CA: path('cert.pem'), LECTERN_DATABASE_START_WAIT: '60000' });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      own.start();
      await starting;
    });

    it.each([
      ['DATABASE_SSL_CA', '/nowhere.pem', 'DATABASE_SSL_CA must be PEM text or the path of a file with it'],
      ['DATABASE_SSL_KEY', '-----BEGIN NOTHING-----', 'must be set together'],
      ['DATABASE_SSL_KEY', '-----BEGIN ENCRYPTED PRIVATE KEY-----', 'must be set together'],
    ])('%s=%s: a clear message, without the text', async (name, value, says) => {
      const said = await refusal(project, env({ DATABASE_SSL: 'true', [name]: value }));
      expect(said).toContain(says);
      expect(said).not.toContain('NOTHING');
    });
  });
});

describe.runIf(anyEngine.length > 0)('A server without DATABASE_CLIENT', () => {
  it.each([{ DATABASE_HOST: '127.0.0.1' }, { DATABASE_NAME: 'strapi' }, { DATABASE_URL: 'postgres://127.0.0.1/strapi' }])(
    '%j: a sentence, whoever makes the database',
    async (env: Environment) => {
      const name = Object.keys(env)[0] ?? '';
      for (const more of [{}, { 'package.json': { name: 'old', dependencies: { '@strapi/strapi': '5.54.0' } } }]) {
        const project = await projectOfTest('sqlite', { ...files, ...more });
        const said = await refusal(project, env);
        expect(said).toContain(`${name} is set, but DATABASE_CLIENT is not, so SQLite is used`);
        expect((await run(['role', 'list', '--dir', project.dir], env)).stderr).toContain('Set DATABASE_CLIENT=postgres');
      }
    },
  );
});
