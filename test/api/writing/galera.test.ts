/** Two servers on two nodes of a Galera cluster: what they write at once must not contradict each other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { hasGalera, type OwnMariadb, startGalera } from '../../support/own-mariadb.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type RunningServer, startServer } from '../../support/server.ts';

if (!hasGalera) console.log(' NOT tested: a Galera cluster (galera-4 and rsync are not installed here)');
const rights = { author: ['find', 'create', 'update'], book: ['find', 'create', 'update'] };
const files = {
  ...schemaFiles({
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
        author: { type: 'relation', relation: 'oneToOne', target: 'api::author.author', inversedBy: 'book' },
      },
    },
  }),
  'permissions.json': { roles: { public: { rights } } },
};
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
      servers.push(await startServer(project.dir, { ...project.env, JWT_SECRET: 'a-secret-of-both-servers' }));
    }
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    for (const project of projects) await project.remove();
    for (const node of nodes) node.remove();
  });

  const onBoth = (method: string, path: string, body: (server: number) => object) =>
    Promise.all(servers.map((server, index) => server.send({ method, path, body: { data: body(index) } })));
  const on = async (server: number, method: string, path: string, data?: object) => {
    const body = data === undefined ? {} : { body: { data } };
    const response = await servers[server]?.send({ method, path, ...body });
    return (response?.json() as { readonly data: unknown } | undefined)?.data;
  };
  const create = async (path: string, data: object) => {
    const created = await on(0, 'POST', path, data);
    return (created as { readonly documentId: string }).documentId;
  };

  it('is recognised at the start', () => {
    for (const { output } of servers) expect(output.stderr).toContain('Galera');
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

  it('loses no update of a document that both change', async () => {
    const book = await create('/api/books', { title: 'Both' });
    for (const round of rounds) {
      const updates = await onBoth('PATCH', `/api/books/${book}`, (index) => ({ title: `Both ${round} ${index}` }));
      expect(updates.map(({ status }) => status)).toEqual([200, 200]);
    }
  });
});
