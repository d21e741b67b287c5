/** Archives that somebody made to break something, and archives with mistakes: each is refused with the place of the mistake, and nothing is written. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArchiveFiles, type TarEntry, writeArchiveFolder, writeTarGz } from '../support/archives.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { makeProject, type Project } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { changeIn, queryIn, ruleStatements } from '../support/served-project.ts';
import { run } from '../support/server.ts';
import { startCommand } from '../support/start-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { hasTerminal, startOnTerminal } from '../support/terminal.ts';

const attributes = {
  title: { type: 'string' },
  count: { type: 'integer' },
  extra: { type: 'json' },
  twin: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
};
const project = (engine: (typeof engines)[number]) => makeProject(engine, schemaFiles({ note: { attributes } }));

const note = (id: number, data: object = {}) => ({
  type: 'api::note.note',
  id,
  data: { documentId: `a${id}`.padEnd(24, 'b'), title: `note ${id}`, ...data },
});
const file = (id: number, key: string, data: object = {}) => ({
  type: 'plugin::upload.file',
  id,
  data: {
    documentId: `f${id}`.padEnd(24, 'b'),
    name: 'a.txt',
    hash: key,
    ext: '.txt',
    mime: 'text/plain',
    size: 1,
    url: '/elsewhere',
    provider: 'aws-s3',
    folderPath: '/',
    ...data,
  },
});
const schema = (more: object = {}) => ({
  uid: 'api::note.note',
  modelType: 'contentType',
  options: { draftAndPublish: false },
  attributes: { ...attributes, ...more },
});
const twin = (from: number, to: number) => ({
  kind: 'relation.circular',
  relation: 'oneToOne',
  left: { type: 'api::note.note', field: 'twin', ref: from },
  right: { type: 'api::note.note', ref: to },
});

interface Content {
  readonly entities?: readonly unknown[];
  readonly links?: readonly unknown[];
  readonly schemas?: readonly unknown[];
  readonly configuration?: readonly unknown[];
  readonly assets?: Readonly<Record<string, string>>;
  readonly version?: string;
}

function archive({
  entities = [note(1), note(2)],
  links = [],
  schemas = [schema()],
  configuration = [],
  assets = {},
  version = '5.54.0',
}: Content): ArchiveFiles {
  // A text stands as it is: a line with a mistake.
  const lines = (values: readonly unknown[]) =>
    Buffer.from(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n'));
  return {
    'metadata.json': Buffer.from(JSON.stringify({ strapi: { version } })),
    'schemas/schemas_00001.jsonl': lines(schemas),
    'entities/entities_00001.jsonl': lines(entities),
    'links/links_00001.jsonl': lines(links),
    'configuration/configuration_00001.jsonl': lines(configuration),
    ...Object.fromEntries(Object.entries(assets).map(([key, text]) => [`assets/uploads/${key}`, Buffer.from(text)])),
  };
}

const entriesOf = (files: ArchiveFiles): TarEntry[] => Object.entries(files).map(([name, content]) => ({ header: { name }, content }));

async function prepared(made: Promise<Project>): Promise<Project> {
  const { status, stderr } = await run(['migrate', 'apply', '--dir', (await made).dir], (await made).env);
  if (status !== 0) throw new Error(stderr);
  return made;
}

const importInto = (target: Project, path: string, ...args: readonly string[]) =>
  run(['import', path, '--dir', target.dir, ...args], target.env);

function folderOf(content: Content): string {
  const folder = join(temporaryFolder(), 'site');
  writeArchiveFolder(folder, archive(content));
  return folder;
}

describe.each(anyEngine)('hostile archives on %s', (engine) => {
  let target: Project;
  beforeAll(async () => {
    target = await prepared(project(engine));
  });
  afterAll(() => target?.remove());

  async function expectNothing(): Promise<void> {
    expect(await queryIn(target, 'SELECT id FROM notes UNION ALL SELECT id FROM files')).toEqual([]);
    const uploads = join(target.dir, 'public/uploads');
    expect(existsSync(uploads) ? readdirSync(uploads, { recursive: true }).sort() : ['.incoming']).toEqual(['.incoming']);
    expect(existsSync(join(target.dir, 'public/evil.txt')) || existsSync(join(target.dir, 'evil.txt'))).toBe(false);
  }

  const names = [
    '../evil.txt',
    '../../evil.txt',
    '/tmp/evil.txt',
    'assets/uploads/../../../../evil.txt',
    'assets\\uploads\\evil.txt',
    '.env',
    'assets/uploads/.htaccess',
    'assets/uploads/a/b.txt',
  ];
  const name = 'assets/uploads/a.txt';
  const linkname = '/etc/passwd';
  const tars: Readonly<Record<string, readonly [entry: TarEntry, says: RegExp]>> = {
    ...Object.fromEntries(names.map((each) => [`the name ${each}`, [{ header: { name: each }, content: 'x' }, /belongs in no archive/]])),
    'a symbolic link': [{ header: { name, type: 'symlink', linkname } }, /\(symlink\) belongs in no archive/],
    'a hard link': [{ header: { name, type: 'link', linkname } }, /\(link\) belongs in no archive/],
    'a device': [{ header: { name, type: 'character-device' } }, /belongs in no archive/],
    'a file that stands in it twice': [{ header: { name: 'metadata.json' }, content: '{}' }, /has "metadata.json" twice/],
    'a bomb': [
      { header: { name: 'entities/entities_00002.jsonl' }, content: Buffer.alloc(70 * 1024 * 1024, ' ') },
      /unpacks to more than 100 times its size/,
    ],
    'a header with an impossible size': [{ header: { name, pax: { size: '-5' } } }, /is not an archive/],
    'a header with an impossible comment': [{ header: { name, pax: { comment: 'x'.repeat(5 * 1024 * 1024) } } }, /is not an archive/],
  };
  it.each(Object.entries(tars).map(([it, [entry, says]]) => ({ it, entry, says })))('refuses $it', async ({ entry, says }) => {
    const path = join(temporaryFolder(), 'site.tar.gz');
    await writeTarGz(path, [...entriesOf(archive({})), entry]);
    expect(await importInto(target, path)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(says) });
    await expectNothing();
  });

  const broken: readonly (readonly [it: string, bytes: (whole: Buffer) => Buffer])[] = [
    ['half an archive', (whole) => whole.subarray(0, whole.length / 2)],
    ['another file', () => Buffer.from('not an archive')],
    ['a compressed text', () => gzipSync('x'.repeat(2000))],
    ['nothing', () => Buffer.alloc(0)],
  ];
  it.each(broken)('refuses %s', async (_, bytes) => {
    const path = join(temporaryFolder(), 'site.tar.gz');
    await writeTarGz(path, entriesOf(archive({})));
    writeFileSync(path, bytes(readFileSync(path)));
    expect(await importInto(target, path)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('is not an archive') });
    await expectNothing();
  });

  it('refuses a wrong key', async () => {
    const folder = temporaryFolder();
    expect((await run(['export', join(folder, 'a.tar.gz.enc'), '--key', 'right', '--dir', target.dir], target.env)).status).toBe(0);
    const refused = await importInto(target, join(folder, 'a.tar.gz.enc'), '--key', 'wrong');
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is not an archive, or the key is wrong') });
  });

  it.each([
    ['whose files are links', 'is not a file', (path: string) => symlinkSync('/etc/passwd', path)],
    // It would wait for the pipe.
    ['with a named pipe', 'pipe.txt is not a file', (path: string) => void execFileSync('mkfifo', [path])],
  ])('refuses a folder %s', async (_, says, make) => {
    const folder = folderOf({});
    mkdirSync(join(folder, 'assets/uploads'), { recursive: true });
    make(join(folder, 'assets/uploads/pipe.txt'));
    expect(await importInto(target, folder)).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
    await expectNothing();
  });

  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const user = (password: string) => ({
    type: 'plugin::users-permissions.user',
    id: 1,
    data: { documentId: 'u'.repeat(24), username: 'eve', email: 'eve@example.com', password },
  });
  const isNoHash = 'plugin::users-permissions.user.password has to be a hash of bcrypt';
  const contents: Readonly<Record<string, readonly [content: Content, says: string]>> = {
    'a broken line': [{ entities: [note(1), '{"type": "api::note'] }, 'entities/entities_00001.jsonl, line 2: the line is not JSON.'],
    'a line that is a list': [{ entities: ['[]'] }, 'line 1: expected an object'],
    'nested lists': [{ entities: [`{"type":"api::note.note","id":1,"data":{"extra":${deep}}}`] }, 'line 1: the line is nested too deeply'],
    'a line without an end': [{ entities: ['x'.repeat(33 * 1024 * 1024)] }, 'has a line of more than 32 MB'],
    'a value of another type': [{ entities: [note(1), note(2, { count: 'many' })] }, 'line 2: api::note.note.count has to be an integer'],
    'an id that is no number': [
      { entities: [{ ...note(1), id: '1; DROP TABLE notes' }] },
      'line 1: the entry needs a type, a number as id, and data',
    ],
    'an entry twice': [{ entities: [note(1), note(1)] }, 'line 2: the archive has api::note.note 1 twice'],
    'an entry without documentId': [{ entities: [note(1, { documentId: null })] }, 'line 1: the entry has no documentId'],
    'a password that is not hashed': [{ entities: [user('secret')] }, isNoHash],
    'a password whose comparison would take hours': [
      { entities: [user(`$2b$30$${'a'.repeat(53)}`)] },
      `${isNoHash} with a cost from 4 to 15`,
    ],
    'an unknown type of the project': [
      { entities: [{ ...note(1), type: 'api::evil.evil' }] },
      'line 1: the project has no type api::evil.evil',
    ],
    'a relation twice': [
      { links: [twin(1, 2), twin(1, 2)], assets: { 'a_0123456789.txt': 'a' } },
      'links/links_00001.jsonl, line 1 to links/links_00001.jsonl, line 2: ',
    ],
    'an archive of Strapi 4': [{ version: '4.25.0' }, 'The archive is of Strapi 4.25.0'],
    'an archive without schemas': [{ schemas: [] }, 'has no schemas'],
  };
  const refused = Object.entries(contents).map(([it, [content, says]]) => ({ it, content, says }));
  it.each(refused)('refuses $it, and leaves nothing', async ({ content, says }) => {
    expect(await importInto(target, folderOf(content))).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(says) });
    await expectNothing();
  });

  it('lists what the project lacks before anything is written', async () => {
    const content = {
      schemas: [schema({ subtitle: { type: 'string' }, count: { type: 'string' } }), { ...schema(), uid: 'api::page.page' }],
      entities: [note(1, { subtitle: 'x', count: 5 }), { ...note(2), type: 'api::page.page' }],
    };
    const { status, stderr } = await importInto(target, folderOf(content));
    expect(status).toBe(1);
    expect(stderr.split('\n').map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        '- api::note.note.subtitle: the project has no such attribute.',
        '- api::note.note.count: type is string in the archive and integer in the project.',
        '- api::page.page: the project has no such type.',
        '- Add these to the schema files, or leave that content out with --ignore-missing.',
      ]),
    );
    await expectNothing();
  });
});

describe.each(engines)('lectern import on %s', (engine) => {
  let target: Project;
  const titles = async () => (await queryIn(target, 'SELECT title FROM notes ORDER BY id')).map(([title]) => title);
  const uploads = () => readdirSync(join(target.dir, 'public/uploads')).filter((name) => !name.startsWith('.'));
  beforeAll(async () => {
    target = await prepared(project(engine));
    await changeIn(target, ...ruleStatements('public', 'api::note.note.find', { fields: ['title'] }));
  });
  afterAll(() => target?.remove());

  it('leaves out accounts of the panel, names of prototypes, and relations without their rows', async () => {
    const content = {
      entities: [
        '{"type":"api::note.note","id":1,"data":{"documentId":"aaaaaaaaaaaaaaaaaaaaaaaa","title":"one","__proto__":{"count":7},"constructor":1}}',
        { type: 'admin::user', id: 1, data: { email: 'eve@example.com' } },
        { type: 'plugin::users-permissions.role', id: 8, data: { documentId: 'r'.repeat(24), name: 'Public', type: 'public' } },
        { type: 'plugin::users-permissions.permission', id: 9, data: { documentId: 'p'.repeat(24), action: 'api::note.note.find' } },
        file(3, 'a_0123456789'),
      ],
      links: [
        twin(1, 99),
        {
          kind: 'relation.basic',
          relation: 'manyToOne',
          left: { type: 'plugin::users-permissions.permission', field: 'role', ref: 9 },
          right: { type: 'plugin::users-permissions.role', ref: 8 },
        },
        {
          kind: 'relation.basic',
          relation: 'oneToMany',
          left: { type: 'api::note.note', field: 'createdBy', ref: 1 },
          right: { type: 'admin::user', ref: 1 },
        },
      ],
      configuration: [
        { type: 'core-store', value: { key: 'strapi_content_types_schema', value: {} } },
        { type: 'webhook', value: { url: 'http://evil.example' } },
      ],
      assets: { 'a_0123456789.txt': 'first' },
    };
    expect(await importInto(target, folderOf(content))).toEqual({
      status: 0,
      stdout: 'Imported: 4 entries, 1 relation, 1 file, 0 settings.\n',
      stderr:
        'Left out: 1 entry of admin::user, which the project does not have.\nLeft out: 2 relations with a side that is not in the archive or the project.\n',
    });
    expect(
      await queryIn(target, 'SELECT title, count, twin.id FROM notes LEFT JOIN notes_twin_lnk twin ON twin.note_id = notes.id'),
    ).toEqual([['one', null, null]]);
    expect(await queryIn(target, 'SELECT url, provider FROM files')).toEqual([['/uploads/a_0123456789.txt', 'local']]);
    expect(readFileSync(join(target.dir, 'public/uploads/a_0123456789.txt'), 'utf8')).toBe('first');
  });

  it('keeps roles with their restrictions', async () => {
    expect(
      await queryIn(
        target,
        "SELECT fields FROM lectern_role_rules r JOIN up_roles ON up_roles.id = r.role_id WHERE up_roles.type = 'public'",
      ),
    ).toEqual([['["title"]']]);
    expect(
      await queryIn(
        target,
        "SELECT p.action FROM up_permissions p JOIN up_permissions_role_lnk l ON l.permission_id = p.id JOIN up_roles r ON r.id = l.role_id WHERE r.type = 'public'",
      ),
    ).toEqual([['api::note.note.find']]);
  });

  it('refuses a database with content, and asks nobody where there is no terminal', async () => {
    const folder = folderOf({});
    expect(await importInto(target, folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'The database has content (plugin::upload.file 1, api::note.note 1). --replace deletes it before the import.',
      ),
    });
    expect(await importInto(target, folder, '--replace')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--yes confirms it'),
    });
    expect(await titles()).toEqual(['one']);
  });

  it('keeps everything when a replacement fails in its last line', async () => {
    const content = { entities: [note(1), note(2), 'x'], assets: { 'b_0123456789.txt': 'second' } };
    expect((await importInto(target, folderOf(content), '--replace', '--yes')).status).toBe(1);
    expect([await titles(), uploads()]).toEqual([['one'], ['a_0123456789.txt']]);
  });

  it('overwrites no file', async () => {
    const content = { entities: [file(1, 'a_0123456789')], assets: { 'a_0123456789.txt': 'other' } };
    const refused = await importInto(target, folderOf(content), '--replace', '--yes');
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('already has another file with the name a_0123456789.txt'),
    });
    expect(readFileSync(join(target.dir, 'public/uploads/a_0123456789.txt'), 'utf8')).toBe('first');
  });

  it('replaces entries and files', async () => {
    const content = {
      entities: [note(5), note(7), file(1, 'b_0123456789')],
      links: [twin(5, 7)],
      assets: { 'b_0123456789.txt': 'second' },
    };
    expect((await importInto(target, folderOf(content), '--replace', '--yes')).status).toBe(0);
    expect([await titles(), uploads()]).toEqual([['note 5', 'note 7'], ['b_0123456789.txt']]);
    expect(
      await queryIn(
        target,
        'SELECT a.title, b.title FROM notes_twin_lnk l JOIN notes a ON a.id = l.note_id JOIN notes b ON b.id = l.inv_note_id',
      ),
    ).toEqual([['note 5', 'note 7']]);
  });

  it('is done, with a warning, when a file of the deleted entries cannot be removed', async () => {
    const stuck = join(target.dir, 'public/uploads/b_0123456789.txt');
    rmSync(stuck);
    // The storage cannot remove a folder.
    mkdirSync(stuck);
    const content = { entities: [note(5), file(1, 'c_0123456789')], assets: { 'c_0123456789.txt': 'third' } };
    const done = await importInto(target, folderOf(content), '--replace', '--yes');
    rmdirSync(stuck);
    expect(done).toMatchObject({ status: 0, stdout: expect.stringContaining('Imported: 2 entries') });
    expect(done.stderr).toMatch(
      /^Warning: everything is imported, but files of the deleted entries are still in the storage: .*media check/m,
    );
    expect([await titles(), uploads()]).toEqual([['note 5'], ['c_0123456789.txt']]);
  });

  it('writes nothing when it is interrupted', async () => {
    const keys = Array.from({ length: 10 }, (_, at) => `m_${at}123456789`);
    const folder = folderOf({
      entities: [...keys.map((key, at) => file(10 + at, key)), ...Array.from({ length: 60_000 }, (_, at) => note(1000 + at))],
      assets: Object.fromEntries(keys.map((key) => [`${key}.txt`, 'many'])),
    });
    const before = [await titles(), uploads()];
    const { ended, interrupt, isRunning } = startCommand(['import', folder, '--replace', '--yes', '--dir', target.dir], target.env);
    while (!keys.every((key) => uploads().includes(`${key}.txt`)) && isRunning()) await new Promise((done) => setTimeout(done, 5));
    interrupt();
    expect(await ended).toBe(130);
    expect([await titles(), uploads()]).toEqual(before);
    expect(readdirSync(join(target.dir, 'public/uploads/.incoming'))).toEqual([]);
  });

  it('leaves out what the project lacks if asked to', async () => {
    const content = {
      schemas: [schema({ subtitle: { type: 'string' } }), { ...schema(), uid: 'api::page.page' }],
      entities: [note(1, { subtitle: 'x' }), { ...note(2), type: 'api::page.page' }],
    };
    const done = await importInto(target, folderOf(content), '--replace', '--yes', '--ignore-missing', '--exclude', 'files');
    expect(done).toMatchObject({ status: 0, stdout: 'Imported (content, config): 1 entry, 0 relations, 0 files, 0 settings.\n' });
    expect(done.stderr).toContain('Left out: 1 entry of api::page.page');
    expect(await titles()).toEqual(['note 1']);
  });

  it.runIf(hasTerminal && anyEngine.includes(engine))('asks on a terminal, and leaves the content at `n` and at Ctrl-C', async () => {
    const before = await titles();
    for (const [key, status] of [
      ['n', 1],
      ['\u0003', 130],
    ] as const) {
      const asked = startOnTerminal(['import', folderOf({}), '--replace', '--dir', target.dir], target.env);
      await expect.poll(() => asked.shown()).toContain('Delete it?');
      asked.type(key);
      expect({ key, status: await asked.ended }).toEqual({ key, status });
      expect(asked.shown()).toContain('Nothing was imported.');
      expect(await titles()).toEqual(before);
    }
  });
});
