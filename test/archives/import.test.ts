/** `lectern import`: after it, requests get the responses that they got from the site that was exported, ids aside. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedProject } from '../compatibility/recordings.ts';
import { strapiArchive } from '../support/archives.ts';
import { engineSql } from '../support/engine-sql.ts';
import { engines, speaksMysql } from '../support/engines.ts';
import type { Project } from '../support/project.ts';
import { compareSites, emptySite, siteEnv } from '../support/recorded-site.ts';
import { queryIn } from '../support/served-project.ts';
import { type RunningServer, run, startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Columns of decimals have two digits after the point. */
const roundedBy = { sqlite: [], postgres: ['dec'], mariadb: ['dec'], mysql: ['dec'] } as const;
const rounded = (type: string) => `Note: 2 values of api::sink.sink.dec have more digits than its column (${type}), which rounds them.\n`;
const noteOfRounding = {
  sqlite: '',
  postgres: rounded('numeric(10,2)'),
  mariadb: rounded('decimal(10,2)'),
  mysql: rounded('decimal(10,2)'),
};

describe.each(engines)('lectern import on %s', (engine) => {
  const projects: Project[] = [];
  const servers: RunningServer[] = [];
  let source: Project;
  let exported: RunningServer;
  const started = async (project: Project) => {
    const server = await startServer(project.dir, siteEnv(project));
    servers.push(server);
    return server;
  };
  const made = async (project: Promise<Project>) => {
    projects.push(await project);
    return project;
  };
  const importInto = (project: Project, archive: string, ...args: readonly string[]) =>
    run(['import', archive, '--dir', project.dir, ...args], siteEnv(project));

  beforeAll(async () => {
    source = await made(recordedProject(engine));
    exported = await started(source);
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    for (const project of projects) await project.remove();
  });

  // MariaDB and MySQL compare texts in Lectern's tables exactly, and those in Strapi's tables by a collation that ignores letter case.
  it.skipIf(speaksMysql(engine))('gives an empty project, beside its server, the responses of the site that Lectern exported', async () => {
    const archive = join(temporaryFolder(), 'site.tar.gz');
    expect((await run(['export', archive, '--dir', source.dir], siteEnv(source))).status).toBe(0);
    const project = await made(emptySite(engine));
    const server = await started(project);
    expect((await server.get('/api/articles')).status).toBe(403);
    const { status, stdout, stderr } = await importInto(project, archive);
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'Imported: 330 entries, 1,200 relations, 15 files, 46 settings.\n',
      stderr: noteOfRounding[engine],
    });
    const { sent, different } = await compareSites(exported, server, roundedBy[engine]);
    expect(different).toEqual([]);
    expect(sent).toBeGreaterThan(150);
    // The digits that Strapi's archives lack.
    const digits = `SELECT ${engineSql[engine].asText('big')} FROM sinks WHERE label = 'sink-06'`;
    expect(await queryIn(project, digits)).toEqual(await queryIn(source, digits));
    const [ours, theirs] = [project, source].map(({ dir }) => readFileSync(join(dir, 'public/uploads/harbour_cf8a9c90ad.png')));
    expect(theirs && ours?.equals(theirs)).toBe(true);
  });

  it('replaces the content of a database that Strapi made, with the same responses', async () => {
    const project = await made(recordedProject(engine));
    expect(await importInto(project, strapiArchive, '--replace', '--yes')).toEqual({
      status: 0,
      stdout: 'Imported: 330 entries, 1,200 relations, 10 files, 47 settings.\n',
      // The archive was made without the largest picture and its four variants.
      stderr: `${noteOfRounding[engine]}Warning: the bytes of 5 files are not in the archive; their URLs are unchanged.\n`,
    });
    const server = await started(project);
    // Strapi rounds big integers to 15 digits.
    const { different } = await compareSites(exported, server, [...roundedBy[engine], 'big', 'views']);
    expect(different).toEqual([]);
    // Strapi's archives have the hashes of passwords.
    const login = { method: 'POST', path: '/api/auth/local', body: { identifier: 'reader@example.com', password: 'Reader-Pass-1' } };
    expect((await server.send(login)).status).toBe(200);
    // The bytes of the largest picture were here.
    expect(existsSync(join(project.dir, 'public/uploads/harbour_cf8a9c90ad.png'))).toBe(true);
    // Tokens stay: they are in no archive.
    expect(Number((await queryIn(project, 'SELECT count(*) FROM strapi_api_tokens'))[0]?.[0])).toBeGreaterThan(0);
  });
});
