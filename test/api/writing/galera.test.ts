/** Two servers on two nodes of a Galera cluster: what they write at once must not contradict each other, and callers see what they have written. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { onMariadb } from '../../support/mariadb-server.ts';
import { hasGalera, type OwnMariadb, startGalera } from '../../support/own-mariadb.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type RunningServer, run, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

if (!hasGalera) console.log(' NOT tested: a Galera cluster (galera-4 and rsync are not installed here)');
const rights = { author: ['find', 'create', 'update'], book: ['find', 'findOne', 'create', 'update'] };
const files = {
  ...schemaFiles(
    {
      author: {
        attributes: {
          name: { type: 'string' },
          code: { type: 'uid', targetField: 'name' },
          book: { type: 'relation', relation: 'oneToOne', target: 'api::book.book', mappedBy: 'author' },
        },
      },
      book: {
        attributes: {
          title: { type: 'string', unique: true },
          parts: { type: 'component', component: 'part.part', repeatable: true },
          author: { type: 'relation', relation: 'oneToOne', target: 'api::author.author', inversedBy: 'book' },
        },
      },
    },
    { part: { text: { type: 'string' } } },
  ),
  'permissions.json': { roles: { public: { rights } } },
};
const managementToken = 'a-management-token-of-the-nodes-of-a-cluster';
const env = { JWT_SECRET: 'a-secret-of-both-servers', LECTERN_MANAGEMENT_TOKEN: managementToken };
const query = async (url: string, text: string) => (await onMariadb(url, (connection) => connection.query(text)))[0];
const rounds = Array.from({ length: 40 }, (_, round) => round);

describe.runIf(engines.includes('mariadb') && hasGalera)('A Galera cluster', () => {
  const projects: Project[] = [];
  const servers: RunningServer[] = [];
  let nodes: readonly OwnMariadb[] = [];
  beforeAll(async () => {
    nodes = await startGalera();
    for (const { url } of nodes) {
      const project = await makeProject('mariadb', files, url);
      projects.push(project);
      servers.push(await startServer(project.dir, { ...project.env, ...env }));
    }
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    for (const project of projects) await project.remove();
    for (const node of nodes) node.remove();
  });

  const onBoth = (method: string, path: string, body: (server: number) => object) =>
    Promise.all(servers.slice(0, 2).map((server, index) => server.send({ method, path, body: { data: body(index) } })));
  const on = async (server: number, method: string, path: string, data?: object) => {
    const body = data === undefined ? {} : { body: { data } };
    const response = await servers[server]?.send({ method, path, ...body });
    return (response?.json() as { readonly data: unknown } | undefined)?.data;
  };
  const create = async (path: string, data: object) => {
    const created = await on(0, 'POST', path, data);
    return (created as { readonly documentId: string }).documentId;
  };

  it('is recognised at the start and by /_ready', async () => {
    for (const server of servers) {
      expect(server.output.stderr).toContain('Galera');
      const ready = await server.send({ method: 'GET', path: '/_ready', headers: { authorization: `Bearer ${managementToken}` } });
      expect(ready.json()).toMatchObject({ checks: { database: { status: 'ok', about: 'a node of a Galera cluster' } } });
    }
  });

  it('is named by lectern check --database', async () => {
    const { status, stdout } = await run(['check', '--dir', temporaryFolder(), '--database', nodes[0]?.url ?? '']);
    expect([status, stdout]).toEqual([0, expect.stringContaining('This is a node of a Galera cluster')]);
  });

  it('stores a unique value once, and gives each document a uid of its own', async () => {
    const titles: string[] = [];
    for (const round of rounds) {
      const books = await onBoth('POST', '/api/books', () => ({ title: `Title ${round}` }));
      titles.push(
        books
          .map(({ status }) => status)
          .sort()
          .join(' '),
      );
      await onBoth('POST', '/api/authors', () => ({ name: 'Same' }));
    }
    expect(new Set(titles)).toEqual(new Set(['201 400']));
    const codes = async () => {
      const authors = await on(1, 'GET', '/api/authors?pagination[pageSize]=100&fields[0]=code');
      return (authors as readonly { readonly code: string }[]).map(({ code }) => code);
    };
    // The last one may still be on its way to this node.
    await expect.poll(async () => (await codes()).length).toBe(2 * rounds.length);
    expect(new Set(await codes()).size).toBe(2 * rounds.length);
  });

  it('links a document that may have one owner to one', async () => {
    const author = await create('/api/authors', { name: 'Wanted' });
    const books = [await create('/api/books', { title: 'First owner' }), await create('/api/books', { title: 'Second owner' })];
    for (const _ of rounds) {
      const owners = await Promise.all(
        servers.map((server, index) => server.send({ method: 'PATCH', path: `/api/books/${books[index]}`, body: { data: { author } } })),
      );
      expect(owners.map(({ status }) => status)).toEqual([200, 200]);
      const linked = await on(0, 'GET', `/api/books?filters[author][documentId]=${author}`);
      expect(linked).toHaveLength(1);
    }
  });

  it('registers a user once', async () => {
    for (const round of rounds.slice(0, 5)) {
      const body = { username: `visitor${round}`, email: `visitor${round}@example.org`, password: 'Some-Pass-1' };
      const registered = await Promise.all(
        servers.map((server) => server.send({ method: 'POST', path: '/api/auth/local/register', body })),
      );
      expect(registered.map(({ status }) => status).sort()).toEqual([200, 400]);
      // The other node may not know the user yet.
      const made = registered.findIndex(({ status }) => status === 200);
      const { jwt } = (registered[made]?.json() ?? {}) as { readonly jwt?: string };
      const me = { method: 'GET', path: '/api/users/me', headers: { authorization: `Bearer ${jwt}` } };
      expect((await servers[1 - made]?.send(me))?.status).toBeOneOf([200, 403]);
    }
  });

  it('shows callers what they have written on another node', async () => {
    for (const round of rounds) {
      const body = { data: { title: `Seen ${round}` } };
      const created = await servers[0]?.send({ method: 'POST', path: '/api/books', body });
      const headers = { 'x-lectern-position': String(created?.headers['x-lectern-position']) };
      const { documentId } = (created?.json() as { readonly data?: { readonly documentId: string } } | undefined)?.data ?? {};
      const read = await servers[1]?.send({ method: 'GET', path: `/api/books/${documentId}`, headers });
      expect(read?.status).toBe(200);
      // A list that the other server has just cached.
      const path = '/api/books?filters[title][$startsWith]=Seen&pagination[pageSize]=100';
      const list = await servers[1]?.send({ method: 'GET', path, headers });
      expect(list?.json()).toMatchObject({ meta: { pagination: { total: round + 1 } } });
      const changed = await servers[1]?.send({
        method: 'PATCH',
        path: `/api/books/${documentId}`,
        body: { data: { title: `Seen, ${round}` } },
      });
      expect(changed?.status).toBe(200);
    }
  });

  it('links parts to their document when the step of ids changes', async () => {
    const parts = [{ text: 'one' }, { text: 'two' }, { text: 'three' }];
    await on(0, 'POST', '/api/books', { title: 'Before', parts });
    // As a node does when another one joins or leaves, in open sessions too.
    for (const { url } of nodes) await query(url, 'SET GLOBAL auto_increment_increment = 7');
    const book = await create('/api/books', { title: 'After', parts });
    expect(await on(0, 'GET', `/api/books/${book}?populate=parts`)).toMatchObject({ parts });
  });

  it('goes on writing while a table is changed on another node', async () => {
    const book = await create('/api/books', { title: 'While tables change' });
    const changes = (async () => {
      for (let round = 0; round < 5; round++) {
        await query(nodes[1]?.url ?? '', 'ALTER TABLE books ADD COLUMN extra int');
        await query(nodes[1]?.url ?? '', 'ALTER TABLE books DROP COLUMN extra');
      }
    })();
    let isOver = false;
    void changes.then(() => {
      isOver = true;
    });
    for (let round = 0; !isOver; round++)
      expect(
        (await onBoth('PATCH', `/api/books/${book}`, (index) => ({ title: `Change ${round} ${index}` }))).map(({ status }) => status),
      ).toEqual([200, 200]);
    await changes;
  });

  it('responds with 503 on a node that is not synced, until it is', async () => {
    const [, node] = nodes;
    const status = async (path: string) => (await servers[1]?.send({ method: 'GET', path }))?.status;
    await query(node?.url ?? '', 'SET GLOBAL wsrep_desync = ON');
    try {
      await expect.poll(() => status('/_ready'), { timeout: 5000 }).toBe(503);
      const read = await servers[1]?.send({ method: 'GET', path: '/api/books?fields[0]=title' });
      expect([read?.status, Number(read?.headers['retry-after'])]).toEqual([503, expect.any(Number)]);
      expect(await on(0, 'GET', '/api/books')).not.toHaveLength(0);
    } finally {
      await query(node?.url ?? '', 'SET GLOBAL wsrep_desync = OFF');
    }
    await expect.poll(() => status('/_ready'), { timeout: 5000 }).toBe(200);
    await expect.poll(() => status('/api/books?fields[0]=title'), { timeout: 5000 }).toBe(200);
  });

  it('is set up once by servers that start at the same time, also after one has ended in the middle', async () => {
    const [first = '', second = ''] = nodes.map(({ url }) => new URL('/started', url).href);
    await query(nodes[0]?.url ?? '', 'CREATE DATABASE started');
    // What is left by a process that ended.
    await query(first, 'CREATE TABLE lectern_lease (id int NOT NULL PRIMARY KEY, owner varchar(32) NOT NULL, count int NOT NULL)');
    await query(first, "INSERT INTO lectern_lease VALUES (1, 'somebody', 5)");
    const starting = [first, second, second].map(async (url) => {
      const project = await makeProject('mariadb', files, url);
      projects.push(project);
      const server = await startServer(project.dir, { ...project.env, ...env });
      servers.push(server);
      return server;
    });
    for (const server of await Promise.all(starting)) expect((await server.send({ method: 'GET', path: '/_ready' })).status).toBe(200);
    expect(await query(second, "SHOW TABLES LIKE 'lectern_lease'")).toEqual([]);
    expect(await query(second, "SELECT COUNT(*) AS count FROM up_roles WHERE type = 'public'")).toEqual([{ count: 1 }]);
  });

  it('uses another node of a list when its own is not synced', async () => {
    const [first = '', second = ''] = nodes.map(({ url }) => new URL(url).host);
    const DATABASE_URL = nodes[0]?.url.replace(first, `${first},${second}`) ?? '';
    const server = await startServer(projects[0]?.dir ?? '', { ...projects[0]?.env, ...env, DATABASE_URL });
    servers.push(server);
    await query(nodes[0]?.url ?? '', 'SET GLOBAL wsrep_desync = ON');
    try {
      await expect.poll(async () => (await servers[0]?.send({ method: 'GET', path: '/_ready' }))?.status, { timeout: 5000 }).toBe(503);
      expect((await server.send({ method: 'POST', path: '/api/books', body: { data: { title: 'Elsewhere' } } })).status).toBe(201);
    } finally {
      await query(nodes[0]?.url ?? '', 'SET GLOBAL wsrep_desync = OFF');
    }
    await expect.poll(async () => (await servers[0]?.send({ method: 'GET', path: '/_ready' }))?.status, { timeout: 5000 }).toBe(200);
  });

  it('loses no update of a document that both change', async () => {
    const book = await create('/api/books', { title: 'Both' });
    for (const round of rounds) {
      const updates = await onBoth('PATCH', `/api/books/${book}`, (index) => ({ title: `Both ${round} ${index}` }));
      expect(updates.map(({ status }) => status)).toEqual([200, 200]);
    }
  });
});
