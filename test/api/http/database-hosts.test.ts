/** Several hosts in DATABASE_URL: relays before one server stand for the nodes of a cluster. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type EngineName, engines } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import { type Relay, startRelay } from '../../support/relay.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { type RunningServer, run, serverOfTest } from '../../support/server.ts';
import { serversToLose } from '../../support/servers-to-lose.ts';

const managementToken = 'a-management-token-of-a-test-of-hosts';
const tested = engines.filter((engine): engine is Exclude<EngineName, 'sqlite'> => engine !== 'sqlite');

describe.each(tested)('several hosts in DATABASE_URL of %s', (engine) => {
  const served = useProject(engine, {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    types: [],
    env: { LECTERN_DATABASE_CONNECTION_TIME: '3000', LECTERN_MANAGEMENT_TOKEN: managementToken },
  });
  const serverUrl = () => new URL(served.project.database.url ?? '');
  const relay = async (): Promise<Relay> => {
    const { hostname, port } = serverUrl();
    const started = await startRelay({ host: hostname, port: Number(port || serversToLose[engine].port), isRecorded: false });
    onTestFinished(() => started.close());
    return started;
  };
  const urlOf = (...hosts: readonly string[]) => serverUrl().href.replace(serverUrl().host, hosts.join(','));
  const at = ({ port }: { readonly port: number }) => `127.0.0.1:${port}`;
  const serverWith = (url: string) => serverOfTest(served.project.dir, { ...served.environment, DATABASE_URL: url });
  const write = async (server: RunningServer) => {
    const request = { method: 'POST', path: '/api/notes', headers: served.authorization('full'), body: { data: { title: 'a' } } };
    return (await server.send(request)).status;
  };
  const untilWritten = (server: RunningServer) =>
    vi.waitUntil(async () => (await write(server)) === 201, { timeout: 10_000, interval: 50 });

  it('a host that refuses connections and one that drops packets are passed over, in the time of one connection', async () => {
    const silent = await relay();
    silent.silence();
    const server = await serverWith(urlOf(at({ port: await freePort() }), at(silent), serverUrl().host));
    expect(await write(server)).toBe(201);
  });

  it('the next one is used when a host hangs up, and when it falls silent', async () => {
    const [one, two] = [await relay(), await relay()];
    const server = await serverWith(urlOf(at(one), at(two)));
    const used = async () => {
      const { text } = await server.get('/_ready', { authorization: `Bearer ${managementToken}` });
      return JSON.parse(text).checks.database.about;
    };
    expect(await used()).toBe(at(one));
    expect([await write(server), two.turns]).toEqual([201, 0]);
    await one.hangUp();
    await untilWritten(server);
    expect(two.turns).toBeGreaterThan(0);
    expect(await used()).toBe(at(two));
    expect(server.output.stderr).toContain(`"host":"${at(two)}","msg":"another host of DATABASE_URL is used from now on"`);
    await one.restore();
    const before = one.turns;
    expect([await write(server), one.turns]).toEqual([201, before]);
    two.silence();
    await untilWritten(server);
    expect(one.turns).toBeGreaterThan(before);
  });

  it('if none can be used, a message names each one, without the password', async () => {
    const hosts = [at({ port: await freePort() }), at({ port: await freePort() })];
    const url = urlOf(...hosts).replace(/\/\/([^@]*?)(?::[^@]*)?@/, '//$1:geheim@');
    const { status, stdout, stderr } = await run(['start', '--dir', served.project.dir, '--port', '0'], {
      ...served.environment,
      DATABASE_URL: url,
    });
    expect(status).toBe(1);
    expect(stderr).toContain(`No host in DATABASE_URL can be used: ${hosts[0]}: connect ECONNREFUSED`);
    expect(stderr).toContain(`${hosts[1]}: connect ECONNREFUSED`);
    expect(stdout + stderr).not.toContain('geheim');
  });
});
