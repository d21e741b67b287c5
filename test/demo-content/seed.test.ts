/** `lectern seed` on projects with a database of their own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../support/engines.ts';
import { schemaFiles, translated } from '../support/schema-files.ts';
import { type Json, useProject } from '../support/served-project.ts';
import { runProcess } from '../support/server.ts';
import { startCommand } from '../support/start-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withDatabase } from '../support/with-database.ts';
import { type Files, writeFiles } from '../support/write-files.ts';

const files = schemaFiles(
  {
    shelf: { attributes: { name: { type: 'string' } } },
    note: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', ...translated },
        shelf: { type: 'relation', relation: 'manyToOne', target: 'api::shelf.shelf' },
        cover: { type: 'media', multiple: false },
        seo: { type: 'component', component: 'part.seo' },
        sections: { type: 'dynamiczone', components: ['part.seo'] },
      },
    },
  },
  { seo: { text: { type: 'string' } } },
);

// `innodb_trx` shows a copy that stays as it is while somebody asks for it more often than every 100 ms.
const mysqlWriters = "SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'insert into %'";
/** Queries for the number of connections that write. */
const writers = {
  postgres: 'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL',
  mariadb: mysqlWriters,
  mysql: mysqlWriters,
};

const shelves = { type: 'api::shelf.shelf', documents: [{ key: 'top', data: { name: 'Top' } }] };
const picture = { name: 'a.txt', hash: 'a_1', ext: '.txt', mime: 'text/plain', size: 0.01, url: '/uploads/a_1.txt', provider: 'local' };
const notes = {
  type: 'api::note.note',
  documents: [
    {
      key: 'first',
      data: {
        title: 'First',
        shelf: 'top',
        cover: 'a.txt',
        seo: { text: 'one' },
        sections: [{ __component: 'part.seo', text: 'two' }],
      },
      draft: { title: 'First, edited' },
      translations: [{ locale: 'de', data: { title: 'Erste', shelf: 'top' } }],
    },
    { key: 'second', status: 'draft', data: { title: 'Second' } },
  ],
};

/** A folder with these files; texts are written as they are. */
function content(given: Files): string {
  const folder = temporaryFolder();
  writeFiles(folder, given);
  return folder;
}

describe.each(engines)('%s: lectern seed', (engine) => {
  const api = useProject(engine, { files });
  const seed = (folder: string, ...args: readonly string[]) => api.command('seed', folder, ...args);
  const titles = async (query = '') => {
    const { data } = JSON.parse((await api.ask('full', 'GET', `/api/notes?fields=title&sort=title${query}`)).text);
    return (data as readonly Json[]).map(({ title }) => title);
  };
  const rows = () => api.query('SELECT (SELECT count(*) FROM notes), (SELECT count(*) FROM shelfs), (SELECT count(*) FROM files)');

  const ofNotes = (...documents: readonly object[]) => ({ 'notes.json': { type: 'api::note.note', documents } });
  const mistakes: Readonly<Record<string, readonly [given: Readonly<Record<string, unknown>>, says: RegExp]>> = {
    'broken JSON': [{ 'notes.json': '{\n  "type": "api::note.note",\n}' }, /notes\.json:3:1: /],
    'an unknown key': [ofNotes({ key: 'a', data: {}, statuz: 'draft' }), /notes\.json:7:7: documents\.0: .*statuz/],
    'a file without a type': [{ 'notes.json': '{\n  "documents": []\n}' }, /notes\.json:1:1: "type" is missing/],
    'a document without a key': [ofNotes({ data: {} }), /notes\.json:4:5: documents\.0: "key" is missing/],
    'a type that is no text': [{ 'notes.json': '{\n  "type": 5, "documents": []\n}' }, /notes\.json:2:3: type: has to be a text/],
    'an unknown type': [{ 'x.json': { type: 'api::nut.nut', documents: [] } }, /x\.json:2:3: api::nut\.nut: there is no such content type/],
    'an unknown attribute': [ofNotes({ key: 'a.b (c)', data: { titel: 'x' } }), /notes\.json:7:9: .*no attribute "titel"/],
    'a value of another type': [ofNotes({ key: 'a', data: { title: 5 } }), /notes\.json:7:9: .*5 is not a string/],
    'a relation to nothing': [
      ofNotes({ key: 'a', data: { shelf: 'none' } }),
      /notes\.json:7:9: .*there is no api::shelf\.shelf with key "none"/,
    ],
    'a mistake in a translation': [
      ofNotes({ key: 'a', data: {}, translations: [{ locale: 'en', data: { title: 1 } }] }),
      /notes\.json:11:13: .*1 is not a string/,
    ],
    'a mistake in a component': [ofNotes({ key: 'a', data: { seo: { text: true } } }), /notes\.json:8:11: .*true is not a string/],
    'an unknown component': [
      ofNotes({ key: 'a', data: { sections: [{ __component: 'part.none' }] } }),
      /notes\.json:\d+:\d+: .*there is no component part\.none/,
    ],
    'an unknown locale': [ofNotes({ key: 'a', locale: 'xx', data: {} }), /notes\.json:4:5: .*there is no locale "xx"/],
    'a key that is used twice': [ofNotes({ key: 'a', data: {} }, { key: 'a', data: {} }), /notes\.json:\d+:5: .*another document/],
    'no content': [{}, /has no content/],
  };

  it.runIf(anyEngine.includes(engine))('refuses mistakes and names their place, and a folder that is not there', async () => {
    const before = await rows();
    for (const [it, [given, says]] of Object.entries(mistakes)) {
      expect({ it, ...(await seed(content(given))) }).toEqual({ it, status: 1, stdout: '', stderr: expect.stringMatching(says) });
      expect(await rows()).toEqual(before);
    }
    expect(await seed('/nowhere/content')).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no folder') });
    // It would wait for a named pipe.
    const folder = content(ofNotes());
    execFileSync('mkfifo', [join(folder, 'zz.json')]);
    expect(await seed(folder)).toMatchObject({ status: 1, stderr: expect.stringMatching(/zz\.json: this is no file/) });
  });

  it('writes the documents, with relations, files, components and translations', async () => {
    const folder = content({
      'locales.json': [
        { code: 'en', name: 'English' },
        { code: 'de', name: 'German' },
      ],
      'access.json': { public: ['api::note.note.find'] },
      'files.json': { type: 'plugin::upload.file', documents: [{ key: 'a.txt', data: picture }] },
      'notes.json': notes,
      'shelves.json': shelves,
      'uploads/a_1.txt': 'hello',
    });
    // Where releases share their files, the folder is a link.
    const shared = temporaryFolder();
    rmSync(join(api.project.dir, 'public/uploads'), { recursive: true, force: true });
    mkdirSync(join(api.project.dir, 'public'), { recursive: true });
    symlinkSync(shared, join(api.project.dir, 'public/uploads'));
    expect(await seed(folder)).toEqual({ status: 0, stdout: 'Wrote 4 documents of 3 types, and 2 locales.\n', stderr: '' });
    await api.restart({});
    const { text } = await api.ask('public', 'GET', '/api/notes?fields=title&populate[seo][fields]=text&populate[sections]=true');
    expect(JSON.parse(text).data).toMatchObject([{ title: 'First', seo: { text: 'one' }, sections: [{ text: 'two' }] }]);
    const full = await api.ask('full', 'GET', '/api/notes?fields=title&populate[shelf][fields]=name&populate[cover][fields]=url');
    expect(JSON.parse(full.text).data).toMatchObject([{ shelf: { name: 'Top' }, cover: { url: '/uploads/a_1.txt' } }]);
    expect((await api.server.get('/uploads/a_1.txt')).text).toBe('hello');
    expect(readFileSync(join(shared, 'a_1.txt'), 'utf8')).toBe('hello');
    expect(await titles('&status=draft')).toEqual(['First, edited', 'Second']);
    expect(await titles('&locale=de')).toEqual(['Erste']);
    // The folder that it leads to ends with this test.
    rmSync(join(api.project.dir, 'public/uploads'));
  });

  // Files are copied in the same way for every engine.
  const canLimit = anyEngine.includes(engine) && spawnSync('prlimit', ['--pid', String(process.pid)]).status === 0;
  const interrupted = anyEngine.includes(engine) ? ['rows', 'files'] : ['rows'];

  it.runIf(canLimit)('leaves no file that was copied in part', async () => {
    const folder = content({
      ...ofNotes({ key: 'large', data: { title: 'Large' } }),
      'uploads/deep/large.txt': 'x'.repeat(6_000_000),
    });
    const uploads = join(api.project.dir, 'public/uploads');
    const before = await rows();
    const failed = await runProcess(['seed', folder, '--add', '--dir', api.project.dir], api.environment, ['prlimit', '--fsize=4000000']);
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('EFBIG') });
    expect(await rows()).toEqual(before);
    expect(readdirSync(uploads, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([]);
    // Nothing is in the way of the next time.
    expect(await seed(folder, '--add')).toMatchObject({ status: 0 });
    expect(statSync(join(uploads, 'deep/large.txt')).size).toBe(6_000_000);
  });

  it('needs --add for types that have entries, and never writes a document twice', async () => {
    const more = content({
      'access.json': { public: ['api::note.note.find'] },
      'locales.json': [{ code: 'de', name: 'German' }],
      ...ofNotes({ key: 'third', data: { title: 'Third' } }),
    });
    expect(await seed(more)).toMatchObject({ status: 1, stderr: expect.stringMatching(/notes\.json:2:3: .*entries.*--add/) });
    expect(await seed(more, '--add')).toMatchObject({ status: 0, stderr: '' });
    expect(await seed(more, '--add')).toMatchObject({ status: 1, stderr: expect.stringMatching(/notes\.json:4:5: .*exists already/) });
    await api.restart({});
    // The default locale stays `en`.
    expect((await titles()).filter((title) => title !== 'Large')).toEqual(['First', 'Third']);
    expect(await api.query("SELECT count(*) FROM up_permissions WHERE action = 'api::note.note.find'")).toEqual([[1]]);
  });

  it.each(interrupted)('writes nothing when it is interrupted while it writes %s', async (written) => {
    await api.command('check');
    const count = written === 'rows' ? 12_000 : 1;
    const documents = Array.from({ length: count }, (_, number) => ({ key: `many-${number}`, data: { title: `Many ${number}` } }));
    const uploads = Object.fromEntries(
      Array.from({ length: written === 'rows' ? 1 : 3000 }, (_, number) => [`uploads/many/${number}.txt`, 'x']),
    );
    const folder = content({ ...ofNotes(...documents), ...uploads });
    const copies = join(api.project.dir, 'public/uploads/many');
    const copied = () => (existsSync(copies) ? readdirSync(copies).length : 0);
    const before = await rows();
    const { output, ended, interrupt, isRunning } = startCommand(['seed', folder, '--add', '--dir', api.project.dir], api.environment);
    const until = async (isWriting: () => boolean | Promise<boolean>) => {
      while (!(await isWriting()) && isRunning()) await new Promise((done) => setTimeout(done, 10));
    };
    if (written === 'files') await until(() => copied() > 10);
    else if (engine === 'sqlite') await until(() => existsSync(`${api.project.file}-wal`));
    else {
      // On one connection: opening one for each question takes as long as the command writes.
      await withDatabase(api.project, ({ read }) =>
        until(async () => Number((await read((connection) => connection.query(writers[engine], [])))[0]?.[0]) > 0),
      );
    }
    interrupt();
    expect([await ended, output.stdout + output.stderr]).toEqual([130, 'Interrupted: nothing was written.\n']);
    expect([await rows(), copied()]).toEqual([before, 0]);
    if (engine === 'sqlite') expect(existsSync(`${api.project.file}-wal`)).toBe(false);
  });
});
