import { copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Driver as BetterSqlite3 } from '../../../src/dialects/sqlite-driver.ts';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { apiTokenSalt, jwtSecret, reader, tokens } from '../../support/library/content.ts';
import { bodyOf } from '../../support/library/library.ts';
import { libraryProject } from '../../support/library/library-project.ts';
import { type RunningServer, startProcess } from '../../support/server.ts';
import { hasFileSizeLimits, hasOwnFileSystems, works } from '../../support/small-disks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

if (!hasFileSizeLimits) console.log(' NOT tested: a limit on the size of the database file (no prlimit here)');
if (!hasOwnFileSystems) console.log(' NOT tested: a full file system (no user namespaces here)');

const secrets = { API_TOKEN_SALT: apiTokenSalt, JWT_SECRET: jwtSecret };
const headers = { Authorization: `Bearer ${tokens.full.token}` };
const noRoom = {
  data: null,
  error: { status: 507, name: 'InsufficientStorageError', message: expect.stringContaining('The disk of the database is full') },
};
/** More than any of the small disks here takes. */
const enough = 2000;

const create = (server: RunningServer, key: string): Promise<HttpResponse> => {
  const data = { title: key, slug: key, body: `${key} `.repeat(4000), editions: [{ year: 1, publisher: key }] };
  return server.send({ method: 'POST', path: '/api/books?status=published', headers, body: { data } });
};

const titles = async (server: RunningServer, status: string): Promise<unknown[]> => {
  const found: unknown[] = [];
  for (let page = 1; ; page++) {
    const path = `/api/books?status=${status}&filters[slug][$startsWith]=fill-&fields=title&pagination[pageSize]=100&pagination[page]=${page}`;
    const { data } = bodyOf(await server.get(path, headers));
    if (!Array.isArray(data)) throw new Error('no list');
    found.push(...data.map((entry: { title: unknown }) => entry.title));
    if (data.length < 100) return found;
  }
};

/** Writes until the disk is full, and then checks the stored rows. Returns the titles of the confirmed writes. */
async function fill(server: RunningServer, database: string): Promise<string[]> {
  const written: string[] = [];
  let refused: HttpResponse | undefined;
  while (refused === undefined && written.length < enough) {
    const response = await create(server, `fill-${written.length}`);
    if (response.status === 201) written.push(`fill-${written.length}`);
    else refused = response;
  }
  expect(refused?.json()).toMatchObject(noRoom);
  // Several at once share a commit, and each of them gets the error.
  const together = await Promise.all(Array.from({ length: 8 }, (_, index) => create(server, `together-${index}`)));
  for (const response of together) expect(response.json()).toMatchObject(noRoom);
  expect(server.output.stderr + server.output.stdout).toContain('The disk of the database is full');

  expect(await titles(server, 'draft')).toEqual(written);
  expect(await titles(server, 'published')).toEqual(written);
  await fillUp(server);
  // Signing in writes as well.
  const login = { identifier: reader.username, password: reader.password };
  expect((await server.send({ method: 'POST', path: '/api/auth/local', body: login })).json()).toMatchObject(noRoom);
  checkFile(database);
  return written;
}

/** With writes so small that nothing smaller fits. */
async function fillUp(server: RunningServer): Promise<void> {
  for (let round = 0; round < enough; round++) {
    const response = await server.send({ method: 'PUT', path: '/api/rules', headers, body: { data: { text: `${round}` } } });
    if (response.status === 507) return;
    expect(response.status).toBe(200);
  }
  throw new Error('there is still room');
}

async function goOn(server: RunningServer, database: string, written: readonly string[]): Promise<void> {
  expect((await create(server, 'fill-afterwards')).status).toBe(201);
  expect(await titles(server, 'published')).toEqual([...written, 'fill-afterwards']);
  checkFile(database);
}

/** Checks a copy, since SQLite would look for a file of another namespace by the same path in its own. */
function checkFile(path: string): void {
  const copy = temporaryFolder();
  for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, join(copy, `data.db${end}`));
  const file = new BetterSqlite3(join(copy, 'data.db'));
  expect(file.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(file.prepare('SELECT COUNT(*) FROM books WHERE slug LIKE ?').pluck().get('together-%')).toBe(0);
  file.close();
}

describe.runIf(engines.includes('sqlite'))('sqlite: disk full', () => {
  it.runIf(hasFileSizeLimits)('in the largest file that the server may write', async () => {
    const project = await libraryProject('sqlite');
    onTestFinished(() => project.remove());
    const server = await startProcess(project.dir, { ...project.env, ...secrets });
    onTestFinished(() => server.stop());
    expect((await create(server, 'fill-0')).status).toBe(201);
    const limit = (bytes: string) => {
      expect(works('prlimit', '--pid', String(server.pid), `--fsize=${bytes}:unlimited`)).toBe(true);
    };
    const sizes = ['', '-wal'].map((end) => statSync(`${project.file}${end}`, { throwIfNoEntry: false })?.size ?? 0);
    limit(String(Math.max(...sizes) + 50_000));
    expect((await server.send({ method: 'DELETE', path: `/api/books/${await documentIdOf(server, 'fill-0')}`, headers })).status).toBe(204);
    const written = await fill(server, project.file);
    limit('unlimited');
    await goOn(server, project.file, written);
  });

  it.runIf(hasOwnFileSystems)('on the disk', async () => {
    const project = await libraryProject('sqlite');
    onTestFinished(() => project.remove());
    const disk = join(project.dir, 'public');
    const script = 'mount -t tmpfs -o size=4m tmpfs "$0" && cp "$1" "$0/data.db" && shift && exec "$@"';
    const env = { ...project.env, ...secrets, DATABASE_FILENAME: join(disk, 'data.db') };
    const server = await startProcess(project.dir, env, [], ['unshare', '-Urm', 'sh', '-c', script, disk, project.file]);
    onTestFinished(() => server.stop());
    // The disk as the server sees it.
    const seen = `/proc/${server.pid}/root${disk}`;
    const filler = join(seen, 'filler');
    writeFileSync(filler, Buffer.alloc(1_500_000));
    const written = await fill(server, join(seen, 'data.db'));
    expect(written.length).toBeGreaterThan(0);
    rmSync(filler);
    await goOn(server, join(seen, 'data.db'), written);
  });
});

async function documentIdOf(server: RunningServer, title: string): Promise<string> {
  const { data } = bodyOf(await server.get(`/api/books?filters[title]=${title}`, headers));
  const [entry]: readonly { documentId: string }[] = Array.isArray(data) ? data : [];
  return entry?.documentId ?? '';
}
