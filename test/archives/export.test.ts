/** `lectern export`: what is in the archive, compared with the archive that Strapi made of the same database, and what stays behind. */
import { createDecipheriv, scryptSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { recordedProject } from '../compatibility/recordings.ts';
import { type ArchiveFiles, linesOf, readArchiveFolder, readTar, readTarGz, strapiArchive } from '../support/archives.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { changeIn, type Json, ruleStatements } from '../support/served-project.ts';
import { run } from '../support/server.ts';
import { startCommand } from '../support/start-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { useMade } from '../support/use-made.ts';

describe.each(engines)('lectern export on %s', (engine) => {
  const project = useMade(() => recordedProject(engine));

  const exported = (target: string, ...args: readonly string[]) => run(['export', target, '--dir', project().dir, ...args], project().env);
  async function archive(...args: readonly string[]): Promise<ArchiveFiles> {
    const file = join(temporaryFolder(), 'site.tar.gz');
    expect(await exported(file, ...args)).toMatchObject({ status: 0, stderr: '' });
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

  if (!anyEngine.includes(engine)) return;

  it('has every file with its row, also if its texts have Unicode line separators', async () => {
    await changeIn(project(), "UPDATE files SET caption = 'one\u2028two\u2029three'");
    const files = await archive('--only', 'files');
    expect(Object.keys(files).filter((name) => name.startsWith('assets/uploads/'))).toHaveLength(15);
    expect(files['assets/uploads/notes_ete_32d0e626d9.txt']).toEqual(
      readFileSync(join(project().dir, 'public/uploads/notes_ete_32d0e626d9.txt')),
    );
    expect(JSON.parse(String(files['assets/metadata/small_tower_c80be42ec5.webp.json']))).toMatchObject({
      type: 'small',
      mainHash: 'tower_c80be42ec5',
    });
    expect(linesOf(files, 'entities')).toEqual([]);
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

  it('writes the same as a folder and as an encrypted file', async () => {
    const folder = temporaryFolder();
    const [plain, secret] = [join(folder, 'site'), join(folder, 'site.tar.gz.enc')];
    expect(await exported(plain)).toMatchObject({ status: 0, stdout: expect.stringContaining('1,200 relations, 15 files') });
    expect((await exported(secret, '--key', 'a key')).status).toBe(0);
    const decipher = createDecipheriv('aes-128-ecb', scryptSync('a key', '', 16), null);
    const encrypted = await readTar(gunzipSync(Buffer.concat([decipher.update(readFileSync(secret)), decipher.final()])));
    const unpacked = readArchiveFolder(plain);
    expect(Object.keys(encrypted).sort()).toEqual(Object.keys(unpacked).sort());
    const different = Object.keys(unpacked).filter((name) => !encrypted[name]?.equals(unpacked[name] as Buffer));
    // It has the time of the export.
    expect(different.filter((name) => name !== 'metadata.json')).toEqual([]);
    expect(statSync(secret).mode & 0o077).toBe(0);
  });

  it('overwrites nothing without --force, and leaves nothing else behind', async () => {
    const folder = temporaryFolder();
    for (const name of ['site.tar.gz', 'site']) {
      const target = join(folder, name);
      expect((await exported(target)).status).toBe(0);
      const again = await exported(target);
      expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('already exists; --force replaces it') });
      expect((await exported(target, '--force')).status).toBe(0);
    }
    writeFileSync(join(folder, 'mine.txt'), 'mine');
    expect(await exported(folder, '--force')).toMatchObject({ status: 1, stderr: expect.stringContaining('has other files') });
    expect(readdirSync(folder).sort()).toEqual(['mine.txt', 'site', 'site.tar.gz']);
  });

  it.each([
    ['an unknown group', ['x.tar.gz', '--only', 'pictures'], 2, '"pictures" is none of content, files, config'],
    ['nothing to export', ['x.tar.gz', '--only', 'files', '--exclude', 'files'], 2, '--only and --exclude leave nothing'],
    ['an encrypted archive without a key', ['x.tar.gz.enc'], 2, 'give the key with --key, or set LECTERN_ARCHIVE_KEY'],
    ['a key for another archive', ['x.tar.gz', '--key', 'k'], 2, '--key is for encrypted archives'],
    ['a folder that is not there', ['none/x.tar.gz'], 1, 'There is no folder'],
  ])('refuses %s', async (_, [target = '', ...args], status, says) => {
    const path = join(temporaryFolder(), target);
    expect(await exported(path, ...args)).toMatchObject({ status, stderr: expect.stringContaining(says) });
    expect(existsSync(path)).toBe(false);
  });

  it('refuses a folder that is served', async () => {
    const refused = await exported(join(project().dir, 'public/site.tar.gz'));
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is served publicly') });
  });

  it('leaves nothing behind at Ctrl-C', async () => {
    const folder = temporaryFolder();
    const { ended, interrupt } = startCommand(['export', join(folder, 'site.tar.gz'), '--dir', project().dir], project().env);
    while (readdirSync(folder).length === 0) await new Promise((done) => setTimeout(done, 1));
    interrupt();
    expect(await ended).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves out restricted rights, which would have no restriction in the archive', async () => {
    await changeIn(
      project(),
      'CREATE TABLE lectern_role_rules (id integer, role_id integer, action varchar(255), fields text, "condition" text, UNIQUE (role_id, action))',
    );
    await changeIn(project(), ...ruleStatements('public', 'api::article.article.find', { where: { title: 'x' } }));
    const target = join(temporaryFolder(), 'site');
    const { status, stdout } = await exported(target);
    expect([status, stdout]).toEqual([0, expect.stringContaining('1 right with restrictions is not in the archive')]);
    const files = readArchiveFolder(target);
    const isRight = (type: unknown) => type === 'plugin::users-permissions.permission';
    const rights = linesOf(files, 'entities').filter(({ type }) => isRight(type));
    const links = linesOf(files, 'links').filter(({ left }) => isRight((left as Json).type));
    const all = linesOf(await readTarGz(strapiArchive), 'entities').filter(({ type }) => isRight(type));
    expect([rights.length, links.length]).toEqual([all.length - 1, all.length - 1]);
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
