/** `lectern restore`: a backup takes the place of the database; whatever goes wrong, the present one stays as it is. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Driver } from '../../../src/dialects/sqlite-driver.ts';
import { readTarGz, writeTarGz } from '../../support/archives.ts';
import { beforeFile, interruptedAt } from '../../support/before-file.ts';
import { engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { type Environment, run, runProcess, serverOfTest } from '../../support/server.ts';
import { hasFileSizeLimits } from '../../support/small-disks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const note = { attributes: { title: { type: 'string' } } };
const files = schemaFiles({ note });

const archiveOf = (path: string, files: Readonly<Record<string, Buffer | string>>) =>
  writeTarGz(
    path,
    Object.entries(files).map(([name, content]) => ({ header: { name }, content })),
  );
/** The database is the first file of an archive. */
const databaseIn = async (archive: string) => (await readTarGz(archive))['.tmp/data.db'] ?? Buffer.alloc(0);

describe.runIf(engines.includes('sqlite'))('sqlite: lectern restore', () => {
  const api = useProject('sqlite', { files });
  let backup: string;
  const uploads = () => join(api.project.dir, 'public/uploads');
  /** In a process of its own, which can be interrupted, and to which the server of this test is another one. */
  const restoreApart = (env: Environment = {}, launcher: readonly string[] = []) =>
    runProcess(['restore', backup, '--yes', '--dir', api.project.dir], { ...api.environment, ...env }, launcher);
  /** Another project of these files, and what a command needs to find it. */
  const another = (schemas = files) => {
    const dir = temporaryFolder();
    writeFiles(dir, schemas);
    return { dir, env: { ...api.environment, DATABASE_FILENAME: '.tmp/data.db' } };
  };
  const titles = async () =>
    (await api.query('SELECT title FROM notes WHERE published_at IS NOT NULL ORDER BY id')).map(([title]) => title);
  const formerOnes = () => readdirSync(dirname(api.project.file)).filter((name) => name.includes('.before-'));
  /** Everything that a failed restore might have changed. */
  const state = () => ({
    database: createHash('sha256').update(readFileSync(api.project.file)).digest('hex'),
    beside: readdirSync(dirname(api.project.file)).sort(),
    uploads: readdirSync(uploads(), { recursive: true }).map(String).sort(),
  });

  beforeAll(async () => {
    await api.write('POST', '/api/notes', { title: 'in the backup' });
    mkdirSync(join(uploads(), 'deep'), { recursive: true });
    writeFileSync(join(uploads(), 'same.txt'), 'same');
    writeFileSync(join(uploads(), 'changed.txt'), 'as it was');
    writeFileSync(join(uploads(), 'deep/gone.txt'), 'gone');
    backup = join(api.project.dir, 'backup.tar.gz');
    expect(await run(['backup', backup, '--dir', api.project.dir], api.environment)).toMatchObject({ status: 0 });
    await api.write('POST', '/api/notes', { title: 'after the backup' });
  });

  it.each(['wal', 'delete'])('refuses while a server has the database open, in journal mode %s', async (mode) => {
    await api.command('check');
    const handle = new Driver(api.project.file);
    handle.pragma(`journal_mode = ${mode}`);
    handle.close();
    const server = await api.restart({});
    expect(await restoreApart()).toMatchObject({ status: 1, stderr: expect.stringContaining('stop the server') });
    expect((await server?.get('/api/notes'))?.status).toBe(403);
    expect(await titles()).toEqual(['in the backup', 'after the backup']);
  });

  it('asks first, and without a terminal needs --yes', async () => {
    await api.command('check');
    const before = state();
    expect(await api.command('restore', backup)).toMatchObject({ status: 1, stderr: expect.stringContaining('With --yes') });
    expect(state()).toEqual(before);
  });

  it('puts the backup in place, and keeps what was there', async () => {
    await api.command('check');
    writeFileSync(join(uploads(), 'changed.txt'), 'as it is now');
    writeFileSync(join(uploads(), 'new.txt'), 'new');
    spawnSync('rm', ['-r', join(uploads(), 'deep')]);
    // A reader of the database leaves this file behind.
    writeFileSync(`${api.project.file}-shm`, '');
    const done = await api.command('restore', backup, '--yes');
    expect(done).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('with 3 uploaded files') });
    expect(await titles()).toEqual(['in the backup']);
    expect(readFileSync(join(uploads(), 'deep/gone.txt'), 'utf8')).toBe('gone');
    expect(readFileSync(join(uploads(), 'changed.txt'), 'utf8')).toBe('as it was');
    expect(readFileSync(join(uploads(), 'new.txt'), 'utf8')).toBe('new');
    const aside = readdirSync(join(api.project.dir, 'public')).find((name) => name.startsWith('uploads.before-')) ?? '';
    expect(readdirSync(join(api.project.dir, 'public', aside))).toEqual(['changed.txt']);
    expect(readFileSync(join(api.project.dir, 'public', aside, 'changed.txt'), 'utf8')).toBe('as it is now');

    // The former database is one file, with everything that was written.
    const [former = '', ...more] = formerOnes();
    expect(more).toEqual([]);
    expect(done.stdout).toContain(former);
    const handle = new Driver(join(dirname(api.project.file), former), { readonly: true });
    expect(handle.prepare('SELECT title FROM notes ORDER BY id').pluck().all()).toContain('after the backup');
    handle.close();

    const server = await api.restart({});
    expect(JSON.parse((await api.ask('full', 'GET', '/api/notes?fields=title')).text).data).toMatchObject([{ title: 'in the backup' }]);
    expect((await server?.get('/uploads/deep/gone.txt'))?.text).toBe('gone');
    await api.write('POST', '/api/notes', { title: 'after the restore' });
  });

  it('makes a new project of a backup, without a question, and takes a database file alone', async () => {
    const { dir, env } = another();
    expect(await run(['restore', backup, '--dir', dir], env)).toMatchObject({ status: 0, stdout: expect.not.stringContaining('former') });
    expect(statSync(join(dir, '.tmp/data.db')).mode & 0o777).toBe(0o600);
    const copy = join(dir, 'copy.db');
    copyFileSync(join(dir, '.tmp/data.db'), copy);
    expect(await run(['restore', copy, '--yes', '--dir', dir], env)).toMatchObject({ status: 0 });
    // Copied while a program had it open, with its write-ahead log.
    const handle = new Driver(copy);
    handle.pragma('journal_mode = wal');
    handle.exec("UPDATE notes SET title = 'in the log'");
    copyFileSync(copy, join(dir, 'open.db'));
    copyFileSync(`${copy}-wal`, join(dir, 'open.db-wal'));
    handle.close();
    expect(await run(['restore', join(dir, 'open.db'), '--yes', '--dir', dir], env)).toMatchObject({ status: 0 });
    const server = await serverOfTest(dir, env);
    expect(JSON.parse((await server.get('/api/notes?fields=title', api.authorization('full'))).text).data).toMatchObject([
      { title: 'in the log' },
    ]);
  });

  it('says so when the files of the archive are left out for a bucket', async () => {
    const { dir, env } = another();
    expect(await run(['restore', backup, '--dir', dir], { ...env, LECTERN_UPLOAD_PROVIDER: 's3', AWS_BUCKET: 'media' })).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('The 3 uploaded files of the archive are left out: `upload.provider` is s3.'),
    });
  });

  it('says so when the backup was made with other schema files', async () => {
    const { dir, env } = another(schemaFiles({ note: { attributes: { ...note.attributes, body: { type: 'text' } } } }));
    expect(await run(['restore', backup, '--dir', dir], env)).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/made with other schema files.*lectern migrate plan --dir/s),
    });
    expect(await run(['migrate', 'plan', '--dir', dir], env)).toMatchObject({ status: 3, stdout: expect.stringContaining('"body"') });
  });

  describe('into a project whose server is stopped', () => {
    beforeAll(async () => {
      await api.command('check');
    });

    const damaged: Readonly<Record<string, readonly [make: (path: string) => Promise<unknown> | unknown, says: RegExp]>> = {
      'an archive that ends early': [
        (path) => {
          copyFileSync(backup, path);
          truncateSync(path, Math.floor(statSync(backup).size / 2));
        },
        /incomplete or damaged/,
      ],
      'an archive with an impossible header': [
        (path) => writeTarGz(path, [{ header: { name: '.tmp/data.db', pax: { size: '-5' } } }]),
        /incomplete or damaged/,
      ],
      'a file of another kind': [(path) => writeFileSync(path, 'hello'), /neither an archive .* nor a SQLite database/],
      'no file': [() => undefined, /There is no file/],
      'a folder': [(path) => mkdirSync(path), /neither an archive/],
      'a database with overwritten pages': [
        async (path) => {
          const content = await databaseIn(backup);
          content.fill(7, 4096 * 3, 4096 * 40);
          writeFileSync(path, content);
        },
        /is damaged/,
      ],
      'a database that ends early': [async (path) => writeFileSync(path, (await databaseIn(backup)).subarray(0, 4096 * 20)), /is damaged/],
      'a database of another program': [
        (path) => {
          const handle = new Driver(path);
          handle.exec('CREATE TABLE things (id integer)');
          handle.close();
        },
        /none of the content types of this project/,
      ],
      'a file that leads out of its folder': [
        async (path) => archiveOf(path, { '.tmp/data.db': await databaseIn(backup), 'public/uploads/../../escaped.txt': 'x' }),
        /is not in the folder of uploaded files/,
      ],
      'a file of the project': [
        async (path) => archiveOf(path, { '.tmp/data.db': await databaseIn(backup), '.env': 'x' }),
        /is not in the folder of uploaded files/,
      ],
      nothing: [(path) => archiveOf(path, {}), /is an empty archive/],
      'a bomb': [
        (path) => archiveOf(path, { '.tmp/data.db': Buffer.alloc(65 * 1024 * 1024) }),
        /unpacks to more than 100 times its size\. Nothing was restored/,
      ],
      'a named pipe': [(path) => spawnSync('mkfifo', [path]), /neither an archive/],
    };

    it.each(Object.keys(damaged))('leaves everything as it is if given %s', async (name) => {
      const [make, says] = damaged[name] ?? [];
      const path = join(temporaryFolder(), 'given');
      await make?.(path);
      const before = state();
      expect(await api.command('restore', path, '--yes')).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(says ?? /^$/),
      });
      expect(state()).toEqual(before);
      expect(existsSync(join(api.project.dir, 'escaped.txt'))).toBe(false);
    });

    it.runIf(hasFileSizeLimits)('leaves everything as it is when the disk is full', async () => {
      const before = state();
      const full = await restoreApart({}, ['prlimit', '--fsize=100000']);
      expect(full).toMatchObject({ status: 1, stderr: expect.stringContaining('No space is left') });
      expect(state()).toEqual(before);
    });

    it.each([
      ['it unpacks', '/deep'],
      ['it compares uploads', '/uploads/same.txt'],
    ])('leaves everything as it is when it is interrupted while %s', async (_, name) => {
      const before = state();
      const { status, stderr } = await restoreApart(interruptedAt(name));
      expect({ status, stderr }).toEqual({ status: 130, stderr: 'Interrupted: nothing was restored.\n' });
      expect(state()).toEqual(before);
    });

    it('leaves everything as it is when a server starts while it compares uploads', async () => {
      writeFileSync(join(uploads(), 'changed.txt'), 'changed');
      const waits = join(temporaryFolder(), 'waits');
      const work = `fs.writeFileSync('${waits}', ''); while (fs.existsSync('${waits}')) await pause(20);`;
      const restoring = restoreApart(beforeFile('/uploads/same.txt', work));
      await expect.poll(() => existsSync(waits)).toBe(true);
      const handle = new Driver(api.project.file);
      handle.prepare('SELECT count(*) FROM notes').get();
      rmSync(waits);
      expect(await restoring).toMatchObject({ status: 1, stderr: expect.stringContaining('stop the server') });
      handle.close();
      expect(readFileSync(join(uploads(), 'changed.txt'), 'utf8')).toBe('changed');
    });
  });
});

describe.runIf(engines.includes('postgres'))('postgres: lectern restore', () => {
  const api = useProject('postgres', { files });

  it('names the tool to use', async () => {
    expect(await api.command('restore', 'backup.tar.gz')).toMatchObject({ status: 1, stderr: expect.stringContaining('pg_restore') });
  });
});
