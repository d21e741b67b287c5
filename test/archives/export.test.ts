/** `lectern export`: what is in the archive, compared with the archive that Strapi made of the same database, and what stays behind. */
import { spawn } from 'node:child_process';
import { createDecipheriv, scryptSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedProject } from '../compatibility/recordings.ts';
import { type ArchiveFiles, linesOf, readArchiveFolder, readTar, readTarGz } from '../support/archives.ts';
import { engines } from '../support/engines.ts';
import type { Project } from '../support/project.ts';
import { changeIn, type Json, ruleStatements } from '../support/served-project.ts';
import { command, run } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Made by `strapi export --no-encrypt` of Strapi 5.54.0 from the recorded database, without the largest pictures. */
const strapiArchive = fileURLToPath(new URL('./strapi.tar.gz', import.meta.url));

describe.each(engines)('lectern export on %s', (engine) => {
  let project: Project;
  beforeAll(async () => {
    project = await recordedProject(engine);
  });
  afterAll(() => project?.remove());
  /** Another one, which tests change. */
  let other: Project;
  beforeAll(async () => {
    other = await recordedProject(engine);
  });
  afterAll(() => other?.remove());

  const exported = (target: string, ...args: readonly string[]) => run(['export', target, '--dir', project.dir, ...args], project.env);
  async function archive(...args: readonly string[]): Promise<ArchiveFiles> {
    const file = join(temporaryFolder(), 'site.tar.gz');
    const { status, stderr } = await exported(file, ...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return readTarGz(file);
  }

  it('has the entries and relations of the archive that Strapi made of the database', async () => {
    const [ours, theirs] = [await archive(), await readTarGz(strapiArchive)];
    expect(Object.keys(ours).filter((name) => !name.startsWith('assets/'))).toEqual([
      'schemas/schemas_00001.jsonl',
      'entities/entities_00001.jsonl',
      'links/links_00001.jsonl',
      'configuration/configuration_00001.jsonl',
      'metadata.json',
    ]);
    const byId = (files: ArchiveFiles) =>
      new Map(linesOf(files, 'entities').map(({ type, id, data }) => [`${String(type)} ${String(id)}`, comparable(data as Json)]));
    expect(byId(ours)).toEqual(byId(theirs));
    const links = (files: ArchiveFiles) =>
      linesOf(files, 'links')
        // `localizations` is no relation: it repeats the documentId.
        .filter(({ left }) => (left as Json).field !== 'localizations')
        .map((link) => JSON.stringify(link, sortedKeys))
        .sort();
    expect(links(ours)).toEqual(links(theirs));
  });

  it('has every file with its row', async () => {
    const files = await archive('--only', 'files');
    expect(Object.keys(files).filter((name) => name.startsWith('assets/uploads/'))).toHaveLength(15);
    expect(files['assets/uploads/notes_ete_32d0e626d9.txt']).toEqual(
      readFileSync(join(project.dir, 'public/uploads/notes_ete_32d0e626d9.txt')),
    );
    expect(JSON.parse(String(files['assets/metadata/small_tower_c80be42ec5.webp.json']))).toMatchObject({
      type: 'small',
      mainHash: 'tower_c80be42ec5',
    });
    expect(linesOf(files, 'entities')).toEqual([]);
  });

  it('has the files of rows whose texts have Unicode line separators', async () => {
    await changeIn(other, "UPDATE files SET caption = 'one\u2028two\u2029three'");
    const target = join(temporaryFolder(), 'site');
    expect(await run(['export', target, '--only', 'files', '--dir', other.dir], other.env)).toMatchObject({ status: 0, stderr: '' });
    expect(Object.keys(readArchiveFolder(target)).filter((name) => name.startsWith('assets/uploads/'))).toHaveLength(15);
  });

  it('has no hashes of passwords, tokens, sessions, or secrets of providers', async () => {
    const files = await archive('--exclude', 'files');
    const text = Object.values(files).join('\n');
    const found = ['reader@example.com', '$2a$', '$2b$', 'resetPasswordToken":"', 'plugin_users-permissions_grant'].filter((each) =>
      text.includes(each),
    );
    expect(found).toEqual(['reader@example.com']);
    expect(linesOf(files, 'entities').filter(({ type }) => String(type).startsWith('admin::'))).toEqual([]);
  });

  it('leaves out restricted rights, which would have no restriction in the archive', async () => {
    await changeIn(
      other,
      'CREATE TABLE IF NOT EXISTS lectern_role_rules (id integer, role_id integer, action varchar(255), fields text, "condition" text, UNIQUE (role_id, action))',
    );
    await changeIn(other, ...ruleStatements('public', 'api::article.article.find', { where: { title: 'x' } }));
    const target = join(temporaryFolder(), 'site');
    const { status, stdout } = await run(['export', target, '--dir', other.dir], other.env);
    expect([status, stdout]).toEqual([0, expect.stringContaining('1 right with restrictions is not in the archive')]);
    const files = readArchiveFolder(target);
    const rights = linesOf(files, 'entities').filter(({ type }) => type === 'plugin::users-permissions.permission');
    const links = linesOf(files, 'links').filter(({ left }) => (left as Json).type === 'plugin::users-permissions.permission');
    const all = linesOf(await readTarGz(strapiArchive), 'entities').filter(({ type }) => type === 'plugin::users-permissions.permission');
    expect([rights.length, links.length]).toEqual([all.length - 1, all.length - 1]);
  });

  it('writes the same as a folder and as an encrypted file', async () => {
    const folder = temporaryFolder();
    expect(await exported(join(folder, 'site'))).toMatchObject({ status: 0, stdout: expect.stringContaining('1,200 relations, 15 files') });
    expect((await exported(join(folder, 'site.tar.gz.enc'), '--key', 'a key')).status).toBe(0);
    const decipher = createDecipheriv('aes-128-ecb', scryptSync('a key', '', 16), null);
    const tar = gunzipSync(Buffer.concat([decipher.update(readFileSync(join(folder, 'site.tar.gz.enc'))), decipher.final()]));
    const { 'metadata.json': _, ...encrypted } = await readTar(tar);
    const { 'metadata.json': __, ...unpacked } = readArchiveFolder(join(folder, 'site'));
    expect(encrypted).toEqual(unpacked);
    expect(statSync(join(folder, 'site.tar.gz.enc')).mode & 0o077).toBe(0);
  });

  it('overwrites nothing without --force, and leaves nothing else behind', async () => {
    const folder = temporaryFolder();
    for (const name of ['site.tar.gz', 'site']) {
      const target = join(folder, name);
      expect((await exported(target)).status).toBe(0);
      expect(await exported(target)).toMatchObject({ status: 1, stderr: expect.stringContaining('already exists; --force replaces it') });
      expect((await exported(target, '--force')).status).toBe(0);
    }
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    expect(await exported(folder, '--force')).toMatchObject({ status: 1, stderr: expect.stringContaining('has other files') });
    expect(readdirSync(folder).sort()).toEqual(['mine.txt', 'site', 'site.tar.gz']);
  });

  const mistakes = [
    { it: 'an unknown group', args: ['x.tar.gz', '--only', 'pictures'], status: 2, says: '"pictures" is none of content, files, config' },
    {
      it: 'nothing to export',
      args: ['x.tar.gz', '--only', 'files', '--exclude', 'files'],
      status: 2,
      says: '--only and --exclude leave nothing',
    },
    {
      it: 'an encrypted archive without a key',
      args: ['x.tar.gz.enc'],
      status: 2,
      says: 'give the key with --key, or set LECTERN_ARCHIVE_KEY',
    },
    { it: 'a key for another archive', args: ['x.tar.gz', '--key', 'k'], status: 2, says: '--key is for encrypted archives' },
    { it: 'a folder that is not there', args: ['none/x.tar.gz'], status: 1, says: 'There is no folder' },
  ];
  it.each(mistakes)('refuses $it', async ({ args: [target = '', ...args], status, says }) => {
    const path = join(temporaryFolder(), target);
    expect(await exported(path, ...args)).toMatchObject({ status, stderr: expect.stringContaining(says) });
    expect(existsSync(path)).toBe(false);
  });

  it('refuses a folder that is served', async () => {
    const refused = await exported(join(project.dir, 'public/site.tar.gz'));
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is served publicly') });
  });

  it('leaves nothing behind at Ctrl-C', async () => {
    const folder = temporaryFolder();
    const child = spawn(process.execPath, [command, 'export', join(folder, 'site.tar.gz'), '--dir', project.dir], {
      env: { PATH: process.env.PATH, ...project.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise<number | null>((done) => child.on('close', done));
    while (readdirSync(folder).length === 0) await new Promise((done) => setTimeout(done, 1));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** Without what Strapi exports and Lectern does not, and with the digits that Strapi loses. */
function comparable(data: Json): Json {
  const { passphrase: _, pass: __, password: ___, resetPasswordToken: ____, confirmationToken: _____, ...rest } = data;
  return { ...rest, ...Object.fromEntries(['big', 'views'].map((name) => [name, Number(rest[name])])) };
}

const sortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
