/** `lectern restore`: a backup takes the place of the database; whatever goes wrong, the present one stays as it is. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { Driver } from '../../../src/dialects/sqlite-driver.ts';
import { writeTarGz } from '../../support/archives.ts';
import { engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { command, run, runProcess, startProcess, startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const note = { attributes: { title: { type: 'string' } } };
const files = schemaFiles({ note });
const works = (name: string, ...args: readonly string[]) => spawnSync(name, args, { stdio: 'ignore' }).status === 0;

/** An archive with these entries. */
async function archiveOf(
  path: string,
  entries: readonly (readonly [name: string, content: Buffer])[],
  level: number = constants.Z_DEFAULT_COMPRESSION,
): Promise<string> {
  const tar = pack();
  for (const [name, content] of entries) tar.entry({ name }, content);
  tar.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of tar) pieces.push(piece as Buffer);
  writeFileSync(path, gzipSync(Buffer.concat(pieces), { level }));
  return path;
}

describe.runIf(engines.includes('sqlite'))('sqlite: lectern restore', () => {
  const api = useProject('sqlite', { files });
  let backup: string;
  const uploads = () => join(api.project.dir, 'public/uploads');
  const restore = (file: string, args: readonly string[] = ['--yes'], launcher: readonly string[] = []) =>
    runProcess(['restore', file, ...args, '--dir', api.project.dir], api.environment, launcher);
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
    const dir = temporaryFolder();
    writeFiles(dir, files);
    const env = { DATABASE_CLIENT: 'sqlite' };
    await (await startProcess(dir, env)).stop();
    const database = join(dir, '.tmp/data.db');
    const handle = new Driver(database);
    handle.pragma(`journal_mode = ${mode}`);
    handle.close();
    const server = await startProcess(dir, env);
    try {
      const refused = await run(['restore', backup, '--yes', '--dir', dir], env);
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('stop the server') });
      expect(existsSync(database)).toBe(true);
      expect((await server.get('/api/notes')).status).toBe(403);
    } finally {
      await server.stop();
    }
    expect(await run(['restore', backup, '--yes', '--dir', dir], env)).toMatchObject({ status: 0 });
  });

  it('asks first, and without a terminal needs --yes', async () => {
    await api.command('check');
    const before = state();
    expect(await restore(backup, [])).toMatchObject({ status: 1, stderr: expect.stringContaining('With --yes') });
    expect(state()).toEqual(before);
  });

  it('puts the backup in place, and keeps what was there', async () => {
    await api.command('check');
    writeFileSync(join(uploads(), 'changed.txt'), 'as it is now');
    writeFileSync(join(uploads(), 'new.txt'), 'new');
    spawnSync('rm', ['-r', join(uploads(), 'deep')]);
    // A reader of the database leaves this file behind.
    writeFileSync(`${api.project.file}-shm`, '');
    const done = await restore(backup);
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
    const dir = temporaryFolder();
    writeFiles(dir, files);
    const env = { ...api.environment, DATABASE_FILENAME: '.tmp/data.db' };
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
    const server = await startServer(dir, env);
    expect(JSON.parse((await server.get('/api/notes?fields=title', api.authorization('full'))).text).data).toMatchObject([
      { title: 'in the log' },
    ]);
    await server.stop();
  });

  it('says so when the files of the archive are left out for a bucket', async () => {
    const dir = temporaryFolder();
    writeFiles(dir, files);
    const env = { ...api.environment, DATABASE_FILENAME: '.tmp/data.db', LECTERN_UPLOAD_PROVIDER: 's3', AWS_BUCKET: 'media' };
    expect(await run(['restore', backup, '--dir', dir], env)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('The 3 uploaded files of the archive are left out: `upload.provider` is s3.'),
    });
  });

  it('says so when the backup was made with other schema files', async () => {
    const dir = temporaryFolder();
    writeFiles(dir, schemaFiles({ note: { attributes: { ...note.attributes, body: { type: 'text' } } } }));
    const env = { ...api.environment, DATABASE_FILENAME: '.tmp/data.db' };
    expect(await run(['restore', backup, '--dir', dir], env)).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/made with other schema files.*lectern migrate plan --dir/s),
    });
    expect(await run(['migrate', 'plan', '--dir', dir], env)).toMatchObject({ status: 3, stdout: expect.stringContaining('"body"') });
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
      (path) => {
        const content = databaseIn(backup);
        content.fill(7, 4096 * 3, 4096 * 40);
        writeFileSync(path, content);
      },
      /is damaged/,
    ],
    'a database that ends early': [(path) => writeFileSync(path, databaseIn(backup).subarray(0, 4096 * 20)), /is damaged/],
    'a database of another program': [
      (path) => {
        const handle = new Driver(path);
        handle.exec('CREATE TABLE things (id integer)');
        handle.close();
      },
      /none of the content types of this project/,
    ],
    'a file that leads out of its folder': [
      (path) =>
        archiveOf(path, [
          ['.tmp/data.db', databaseIn(backup)],
          ['public/uploads/../../escaped.txt', Buffer.from('x')],
        ]),
      /is not in the folder of uploaded files/,
    ],
    'a file of the project': [
      (path) =>
        archiveOf(path, [
          ['.tmp/data.db', databaseIn(backup)],
          ['.env', Buffer.from('x')],
        ]),
      /is not in the folder of uploaded files/,
    ],
    nothing: [(path) => archiveOf(path, []), /is an empty archive/],
    'a bomb': [
      (path) => archiveOf(path, [['.tmp/data.db', Buffer.alloc(100 * 1024 * 1024)]]),
      /unpacks to more than 100 times its size\. Nothing was restored/,
    ],
    'a named pipe': [(path) => spawnSync('mkfifo', [path]), /neither an archive/],
  };
  /** The database is the first file of the archive. */
  function databaseIn(archive: string): Buffer {
    const tar = gunzipSync(readFileSync(archive));
    const size = Number.parseInt(tar.subarray(124, 136).toString('latin1'), 8);
    return Buffer.from(tar.subarray(512, 512 + size));
  }

  it.each(Object.keys(damaged))('leaves everything as it is if given %s', async (name) => {
    const [make, says] = damaged[name] ?? [];
    const path = join(temporaryFolder(), 'given');
    await make?.(path);
    await api.command('check');
    const before = state();
    expect(await restore(path)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(says ?? /^$/) });
    expect(state()).toEqual(before);
    expect(existsSync(join(api.project.dir, 'escaped.txt'))).toBe(false);
  });

  it.runIf(works('prlimit', '--pid', String(process.pid)))('leaves everything as it is when the disk is full', async () => {
    await api.command('check');
    const before = state();
    const full = await restore(backup, ['--yes'], ['prlimit', '--fsize=100000']);
    expect(full).toMatchObject({ status: 1, stderr: expect.stringContaining('No space is left') });
    expect(state()).toEqual(before);
  });

  it('leaves everything as it is when it is interrupted', async () => {
    await api.command('check');
    // As long as nothing else makes it slow: half a gigabyte of nothing to unpack.
    const folder = temporaryFolder();
    const large = join(folder, 'large.tar.gz');
    await archiveOf(large, [
      ['.tmp/data.db', databaseIn(backup)],
      ['public/uploads/large.bin', Buffer.alloc(2 ** 28)],
    ]);
    const before = state();
    const child = spawn(process.execPath, [command, 'restore', large, '--yes', '--dir', api.project.dir], {
      env: { PATH: process.env.PATH, ...api.environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<number | null>((done) => child.on('close', done));
    const beside = () => readdirSync(dirname(api.project.file)).filter((name) => name.startsWith(`.${basename(api.project.file)}-`));
    while (beside().length === 0 && child.exitCode === null) await new Promise((done) => setTimeout(done, 5));
    await new Promise((done) => setTimeout(done, 100));
    child.kill('SIGINT');
    expect({ status: await ended, stderr }).toEqual({ status: 130, stderr: 'Interrupted: nothing was restored.\n' });
    expect(state()).toEqual(before);
  }, 60_000);
});

describe.runIf(engines.includes('sqlite') && existsSync('/proc/self/fd'))('sqlite: lectern restore compares uploads', () => {
  const api = useProject('sqlite', { files });

  it.each(['Ctrl-C', 'a server that starts'])(
    'and %s leaves everything as it is',
    async (event) => {
      const large = join(api.project.dir, 'public/uploads/large.bin');
      mkdirSync(dirname(large), { recursive: true });
      writeFileSync(large, '');
      truncateSync(large, 2 ** 28);
      writeFileSync(join(dirname(large), 'a.txt'), 'former');
      await api.command('check');
      const archive = await archiveOf(
        join(temporaryFolder(), 'large.tar.gz'),
        [
          ['.tmp/data.db', readFileSync(api.project.file)],
          ['public/uploads/a.txt', Buffer.from('new')],
          ['public/uploads/large.bin', Buffer.alloc(2 ** 28)],
        ],
        // Zeros that were compressed would be taken for a bomb.
        constants.Z_NO_COMPRESSION,
      );
      const child = spawn(process.execPath, [command, 'restore', archive, '--yes', '--dir', api.project.dir], {
        env: { PATH: process.env.PATH, ...api.environment },
        stdio: 'ignore',
      });
      const ended = new Promise<number | null>((done) => child.on('close', done));
      const opened = () => {
        try {
          const folder = `/proc/${child.pid}/fd`;
          return readdirSync(folder).some((name) => readlinkSync(join(folder, name)) === realpathSync(large));
        } catch {
          return false;
        }
      };
      while (child.exitCode === null && !opened()) await new Promise((done) => setTimeout(done, 2));
      let handle: InstanceType<typeof Driver> | undefined;
      if (event === 'Ctrl-C') child.kill('SIGINT');
      else {
        child.kill('SIGSTOP');
        handle = new Driver(api.project.file);
        handle.prepare('SELECT count(*) FROM notes').get();
        child.kill('SIGCONT');
      }
      const status = await ended;
      handle?.close();
      expect([status, readFileSync(join(dirname(large), 'a.txt'), 'utf8')]).toEqual([event === 'Ctrl-C' ? 130 : 1, 'former']);
    },
    60_000,
  );
});

describe.runIf(engines.includes('postgres'))('postgres: lectern restore', () => {
  const api = useProject('postgres', { files });

  it('names the tool to use', async () => {
    expect(await api.command('restore', 'backup.tar.gz')).toMatchObject({ status: 1, stderr: expect.stringContaining('pg_restore') });
  });
});
