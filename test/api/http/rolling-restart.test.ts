/** Two servers behind HAProxy, restarted one after another by SIGTERM under load: every request succeeds. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import { atPorts, type Haproxy, haproxy, sections, startHaproxy } from '../../support/haproxy.ts';
import { isLong } from '../../support/long.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { queryIn } from '../../support/served-project.ts';
import { type RunningServer, startProcess } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';

if (haproxy === undefined) console.log(' NOT tested: a rolling restart behind a load balancer (haproxy is not installed here)');

const connections = isLong ? 32 : 6;
/** Between two requests of a connection. Milliseconds. */
const rest = isLong ? 20 : 150;
/** As deploy/haproxy.cfg advises: on a busy machine, a check may take more than half a second. */
const delay = '4000';
const names = ['lectern-1', 'lectern-2'] as const;
const permissions = { 'permissions.json': { roles: { public: { rights: { note: ['find', 'create'] } } } } };
const files = { ...schemaFiles({ note: { attributes: { text: { type: 'string' } } } }), ...permissions };

/** HTTP requests go one by one to a server that is ready: the file that we deliver. */
const byRequest = sections('frontend api', 'backend lectern');

/** Connections go to a server that is ready and stay there, as with a Kubernetes service or a balancer of TCP connections. */
const byConnection = `${sections()}
listen api
    mode tcp
    bind :80
    option httpchk
    http-check send meth GET uri /_ready
    http-check expect status 200
    default-server check inter 1s fastinter 500ms fall 2 rise 1
    server lectern-1 10.0.0.11:1337
    server lectern-2 10.0.0.12:1337
`;

interface Load {
  readonly failed: readonly string[];
  readonly created: number;
  readonly read: number;
}

/** Reads and writes over connections that stay open, until `isOver`. Each write creates a note. `when` says in words when a request failed. */
async function load(port: number, isOver: () => boolean, when: () => string): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const failed: string[] = [];
  const counts = { created: 0, read: 0 };
  let number = 0;
  const ask = (method: string, path: string, body?: unknown) =>
    new Promise<number | undefined>((resolve) => {
      const payload = body === undefined ? '' : JSON.stringify(body);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
      const asked = request({ host: '127.0.0.1', port, method, path, agent, headers, timeout: 30_000 }, (response) => {
        response.on('error', (error) => asked.destroy(error));
        response.resume().on('end', () => resolve(response.statusCode));
      });
      asked.on('timeout', () => asked.destroy(new Error('no response')));
      asked.on('error', (error) => {
        failed.push(`${method}: ${error.message}, ${when()}`);
        resolve(undefined);
      });
      asked.end(payload);
    });
  const client = async () => {
    while (!isOver()) {
      const isWrite = number++ % 5 === 0;
      const status = isWrite
        ? await ask('POST', '/api/notes', { data: { text: `note ${number}` } })
        : await ask('GET', `/api/notes?filters[text][$ne]=${number}&pagination[pageSize]=5`);
      if (status === (isWrite ? 201 : 200)) counts[isWrite ? 'created' : 'read']++;
      else if (status !== undefined) failed.push(`${isWrite ? 'POST' : 'GET'}: status ${status}, ${when()}`);
      await pause(rest);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return { failed, ...counts };
}

/** Two servers of a project, each at a port of its own. */
async function startPair(project: Project) {
  const ports = [await freePort(), await freePort()] as const;
  const start = (index: number) =>
    startProcess(project.dir, { ...project.env, LECTERN_SHUTDOWN_DELAY: delay, LECTERN_TRUST_PROXY: '127.0.0.1', LECTERN_WORKERS: '1' }, [
      '--port',
      String(ports[index]),
    ]);
  const servers: RunningServer[] = [await start(0), await start(1)];
  return {
    ports,
    async restart(index: number) {
      await servers[index]?.stop();
      servers[index] = await start(index);
    },
    stop: () => Promise.all(servers.map(async (server) => server.alive() && server.stop())),
  };
}

async function restartUnderLoad(
  pair: Awaited<ReturnType<typeof startPair>>,
  configuration: string,
  restarts: number,
): Promise<Load & { readonly figures: readonly object[] }> {
  const port = await freePort();
  const balancer = await startHaproxy(atPorts(configuration, { ':80': port, 'lectern-1': pair.ports[0], 'lectern-2': pair.ports[1] }));
  const isUp = (name: string) => expect.poll(async () => (await balancer.figuresOf(name)).status).toBe('UP');
  let isOver = false;
  let since = performance.now();
  const when = () => `${Math.round(performance.now() - since)} ms after SIGTERM`;
  try {
    for (const name of names) await isUp(name);
    const loaded = load(port, () => isOver, when);
    for (let number = 0; number < restarts; number++) {
      const index = number % names.length;
      since = performance.now();
      await pair.restart(index);
      await isUp(names[index] ?? '');
    }
    isOver = true;
    return { ...(await loaded), figures: await Promise.all(names.map((name) => failuresOf(balancer, name))) };
  } finally {
    isOver = true;
    await balancer.stop();
  }
}

/** Requests that HAProxy has sent again or elsewhere, and connections and responses that failed. */
async function failuresOf(balancer: Haproxy, name: string) {
  const { wretr, wredis, econ, eresp } = await balancer.figuresOf(name);
  return { wretr, wredis, econ, eresp };
}
const none = { wretr: '0', wredis: '0', econ: '0', eresp: '0' };

describe.runIf(engines.includes('postgres') && haproxy !== undefined)('a rolling restart under load', () => {
  const project = useMade(() => makeProject('postgres', files));
  const pair = useMade(() => startPair(project()));
  let createdBefore = 0;

  it.each([
    ['that sends each request to a server that is ready', byRequest, isLong ? 10 : 2],
    ['that leaves connections where they are', byConnection, isLong ? 10 : 1],
  ])(
    'behind a balancer %s: no request fails or is repeated',
    { timeout: isLong ? 360_000 : 120_000 },
    async (_, configuration, restarts) => {
      const { failed, created, read, figures } = await restartUnderLoad(pair(), configuration, restarts);
      expect({ failed, figures }).toEqual({ failed: [], figures: [none, none] });
      expect(read).toBeGreaterThan(restarts * 20);
      const [[stored] = []] = await queryIn(project(), 'SELECT count(*) FROM notes');
      expect(Number(stored) - createdBefore).toBe(created);
      createdBefore = Number(stored);
    },
  );
});
