/** The memory of a read is bounded while its rows are read: by `limits.rows` and `limits.responseBytes`. */
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineSql } from '../../support/engine-sql.ts';
import { type EngineName, engines } from '../../support/engines.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { errorOf, type Json, type Served, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    note: {
      attributes: {
        title: { type: 'string' },
        a: { type: 'text' },
        tags: relation('manyToMany', 'tag', { inversedBy: 'notes' }),
        parts: component('piece', { repeatable: true }),
        zone: { type: 'dynamiczone', components: ['part.piece'] },
      },
    },
    tag: { attributes: { name: { type: 'string' }, notes: relation('manyToMany', 'note', { mappedBy: 'tags' }) } },
  },
  { piece: { text: { type: 'text' } } },
);

const notes = 100;
const tags = 18;
const noteBytes = 400_000;
const rowLimit = 3000;
const readers = 2;
/** Spare processes that start when others are slow, as on a busy machine. */
const spareReaders = { sqlite: 4, postgres: 0, mariadb: 0, mysql: 0 };
const responseBytes = 16_777_216;

const options = {
  files,
  public: [
    ...['note', 'tag'].flatMap((type) => ['find', 'findOne'].map((action) => `api::${type}.${type}.${action}`)),
    'plugin::users-permissions.user.find',
    'plugin::upload.content-api.find',
  ],
  env: {
    LECTERN_PROFILE: 'strapi',
    LECTERN_LIMITS_ROWS: String(rowLimit),
    LECTERN_LIMITS_RESPONSE_BYTES: String(responseBytes),
    LECTERN_DATABASE_READERS: String(readers),
    DATABASE_POOL_MAX: String(readers),
  },
};

/** `n` counts from 1 in `select`. */
async function insert(served: Served, engine: EngineName, into: string, count: number, select: string): Promise<void> {
  await served.change(`INSERT INTO ${into} SELECT ${select} FROM ${engineSql[engine].numbers(count)} AS numbers`);
}

async function fill(served: Served, engine: EngineName): Promise<void> {
  const long = engineSql[engine].letters(noteBytes);
  const now = engineSql[engine].moment(1_700_000_000_000);
  const text = (prefix: string) => `'${prefix}' || n`;
  await insert(
    served,
    engine,
    'notes (id, document_id, title, a, published_at)',
    notes,
    `n, ${text('note')}, ${text('Note ')}, ${long}, ${now}`,
  );
  await insert(served, engine, 'tags (id, document_id, name, published_at)', tags, `n, ${text('tag')}, ${text('Tag ')}, ${now}`);
  await insert(
    served,
    engine,
    'notes_tags_lnk (note_id, tag_id)',
    notes * tags,
    `1 + (n - 1 - (n - 1) % ${tags}) / ${tags}, 1 + (n - 1) % ${tags}`,
  );
  await insert(served, engine, 'components_part_pieces (id, text)', rowLimit + 1, `n, ${text('piece')}`);
  for (const [field, owner] of [
    ['parts', 1],
    ['zone', 2],
  ] as const) {
    const link = `${owner}, n, 'part.piece', '${field}', n`;
    await insert(served, engine, 'notes_cmps (entity_id, cmp_id, component_type, field, "order")', rowLimit + 1, link);
  }
  await insert(
    served,
    engine,
    'up_users (id, document_id, username, email)',
    rowLimit + 1,
    `n, ${text('user')}, ${text('user')}, n || '@example.org'`,
  );
  const file = `n, ${text('file')}, ${text('file')}, ${text('h')}, 'text/plain', 1, ${text('/uploads/')}, 'local', '/'`;
  await insert(served, engine, 'files (id, document_id, name, hash, mime, size, url, provider, folder_path)', rowLimit + 1, file);
}

/** Megabytes of the process: now, and at most since it was started. */
function memory(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const figure = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: figure('VmRSS'), peak: figure('VmHWM') };
}

describe.each(engines)('%s: reads', (engine) => {
  const served = useProject(engine, { ...options, ownProcess: true });
  beforeAll(() => fill(served, engine), 60_000);
  const ask = (path: string) => served.ask('public', 'GET', path);
  const tooLong = `The response would be longer than ${responseBytes} bytes (limits.responseBytes); request fewer fields, populated paths or rows`;
  const tooMany = `The response would take more than ${rowLimit} rows (limits.rows); request fewer populated paths or a smaller page`;

  it.each([
    ['rows below each parent', '/api/tags?populate=notes', tooLong],
    ['rows that all parents share', '/api/tags?populate[notes][filters][id][$lte]=30', tooLong],
    ['rows of a page', '/api/notes?pagination[pageSize]=100', tooLong],
    ['rows of the last level', '/api/tags?populate[notes][fields][0]=id&populate[notes][populate][tags][fields][0]=id', tooMany],
    ['components', '/api/notes/note1?fields[0]=id&populate=parts', tooMany],
    ['a zone', '/api/notes/note2?fields[0]=id&populate=zone', tooMany],
    ['all users', '/api/users', tooMany],
    ['all files', '/api/upload/files', tooMany],
  ])('of too much data are refused while it is read: %s', async (_, path, message) => {
    expect(errorOf(await ask(path))).toMatchObject({ status: 400, message });
  });

  it('within the limits succeed, however often a row occurs in them', async () => {
    const response = await ask('/api/tags?populate[notes][filters][id][$lte]=2&pagination[pageSize]=100');
    expect(response.text.length).toBeGreaterThan(2 * tags * noteBytes);
    const { data } = response.json() as { data: Json[] };
    expect(data.map((tag) => (tag.notes as Json[]).map(({ id }) => id))).toEqual(Array.from({ length: tags }, () => [1, 2]));
    expect((await ask('/api/tags?populate[notes][fields][0]=title')).status).toBe(200);
  });

  it.runIf(existsSync('/proc/self/status'))(
    'hold no more than four responses in memory for each reader',
    { timeout: 120_000 },
    async () => {
      const paths = [
        '/api/tags?populate=notes',
        '/api/notes?pagination[pageSize]=35',
        '/api/tags?populate[notes][filters][id][$lte]=2',
        '/api/tags?populate[notes][populate][tags][populate]=notes',
        '/api/users',
      ];
      for (let round = 0; round < 10; round++) await ask('/api/tags?populate[notes][fields][0]=title');
      const idle = memory(served.server.pid).now;
      const statuses = new Set<number>();
      const responses = await Promise.all(paths.flatMap((path) => [ask(path), ask(path)]));
      for (const { status } of responses) statuses.add(status);
      // So many long responses at once may be too much for few readers on a busy or slow machine: then they are 503. One alone is not.
      for (const path of paths) statuses.add((await ask(path)).status);
      expect([...statuses].filter((status) => status !== 503).sort()).toEqual([200, 400]);
      expect(memory(served.server.pid).peak - idle).toBeLessThan((4 * responseBytes * (readers + spareReaders[engine])) / 1_048_576);
    },
  );
});
