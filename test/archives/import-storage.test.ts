/** `lectern import` beside a server, and interrupted. */
import { spawn } from 'node:child_process';
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTarGz, writeArchiveFolder } from '../support/archives.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { emptySite, siteEnv } from '../support/recorded-site.ts';
import { queryIn } from '../support/served-project.ts';
import { command, run, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { hasTerminal, startOnTerminal } from '../support/terminal.ts';

const strapiArchive = fileURLToPath(new URL('./strapi.tar.gz', import.meta.url));

describe.each(engines)('lectern import on %s', (engine) => {
  it('is seen by a server that runs', async () => {
    const target = await emptySite(engine);
    const server = await startServer(target.dir, siteEnv(target));
    try {
      expect((await server.get('/api/articles')).status).toBe(403);
      expect((await run(['import', strapiArchive, '--dir', target.dir], siteEnv(target))).status).toBe(0);
      const response = await server.get('/api/articles?pagination[pageSize]=1');
      expect([response.status, response.json()]).toMatchObject([200, { data: [{ title: expect.any(String) }] }]);
    } finally {
      await server.stop();
      await target.remove();
    }
  });

  it('writes nothing when it is interrupted', async () => {
    const target = await emptySite(engine);
    const folder = join(temporaryFolder(), 'site');
    writeArchiveFolder(folder, await readTarGz(strapiArchive));
    const tags = Array.from({ length: 60_000 }, (_, index) => {
      const id = 1000 + index;
      return `\n{"type":"api::tag.tag","id":${id},"data":{"documentId":"t${String(id).padEnd(23, 'x')}","name":"tag ${id}"}}`;
    });
    appendFileSync(join(folder, 'entities/entities_00001.jsonl'), tags.join(''));
    try {
      const child = spawn(process.execPath, [command, 'import', folder, '--dir', target.dir], {
        env: { PATH: process.env.PATH, ...siteEnv(target) },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = new Promise<number | null>((done) => child.on('close', done));
      const uploads = join(target.dir, 'public/uploads');
      const stored = () => {
        try {
          return readdirSync(uploads).filter((name) => !name.startsWith('.')).length;
        } catch {
          return 0;
        }
      };
      while (stored() < 10 && child.exitCode === null) await new Promise((done) => setTimeout(done, 5));
      child.kill('SIGINT');
      expect(await ended).toBe(130);
      expect([stored(), readdirSync(join(uploads, '.incoming'))]).toEqual([0, []]);
      expect(Number((await queryIn(target, 'SELECT count(*) FROM tags'))[0]?.[0])).toBe(0);
    } finally {
      await target.remove();
    }
  });
});

describe.each(anyEngine)('lectern import --replace on a terminal, on %s', (engine) => {
  it.skipIf(!hasTerminal)('asks, and leaves the content at `n` and at Ctrl-C', async () => {
    const target = await emptySite(engine);
    try {
      expect((await run(['import', strapiArchive, '--dir', target.dir], siteEnv(target))).status).toBe(0);
      const count = () => queryIn(target, 'SELECT count(*) FROM articles');
      const before = await count();
      for (const [key, status] of [
        ['n', 1],
        ['\u0003', 130],
      ] as const) {
        const asked = startOnTerminal(['import', strapiArchive, '--replace', '--dir', target.dir], siteEnv(target));
        await expect.poll(() => asked.shown(), { timeout: 20_000 }).toContain('Delete it?');
        asked.type(key);
        expect({ key, status: await asked.ended }).toEqual({ key, status });
        expect(asked.shown()).toContain('Nothing was imported.');
        expect(await count()).toEqual(before);
      }
    } finally {
      await target.remove();
    }
  });
});
