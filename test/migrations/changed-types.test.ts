/** An attribute whose type was changed in the schema file and not in the table is served as its column is, until `lectern migrate apply`. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../support/engines.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { useProject } from '../support/served-project.ts';
import { run } from '../support/server.ts';

interface Change {
  readonly from: { readonly type: string };
  readonly to: { readonly type: string };
  readonly stored: unknown;
  /** A filter as the column's type reads it. */
  readonly filter: string;
  readonly written: unknown;
  /** A value of the new type that the column does not take. */
  readonly refused?: unknown;
}

/** `word` comes first: the first text of a type gets an index of its own. */
const changes: Readonly<Record<string, Change>> = {
  word: { from: { type: 'integer' }, to: { type: 'string' }, stored: 5, filter: '[$gt]=4', written: 7, refused: 'seven' },
  number: { from: { type: 'string' }, to: { type: 'integer' }, stored: 'many', filter: '[$gt]=kilo', written: 'few', refused: 7 },
  flag: { from: { type: 'string' }, to: { type: 'boolean' }, stored: 'many', filter: '=many', written: 'no', refused: true },
  day: { from: { type: 'string' }, to: { type: 'date' }, stored: 'soon', filter: '[$startsWith]=so', written: 'later' },
  data: { from: { type: 'string' }, to: { type: 'json' }, stored: 'many', filter: '[$contains]=an', written: 'two', refused: { a: 1 } },
  text: { from: { type: 'json' }, to: { type: 'text' }, stored: { a: [1] }, filter: '[$notNull]=true', written: { b: 2 } },
};
const valuesOf = (key: 'stored' | 'written') => Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change[key]]));
const filesWith = (key: 'from' | 'to') => {
  const attributes = Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change[key]]));
  const pin = key === 'from' ? { type: 'integer' } : { type: 'password', required: true };
  const size = { type: key === 'from' ? 'string' : 'integer' };
  return schemaFiles(
    { note: { attributes: { ...attributes, pin, piece: { type: 'component', component: 'part.piece' } } } },
    { piece: { size } },
  );
};

const profiles = [
  ...engines.map((engine) => [engine, 'specification'] as const),
  ...anyEngine.map((engine) => [engine, 'strapi'] as const),
];

describe.each(profiles)('%s, profile %s: attributes whose type was changed', (engine, profile) => {
  const served = useProject(engine, { files: filesWith('from'), env: { LECTERN_PROFILE: profile } });
  const stored = { ...valuesOf('stored'), piece: { size: 'wide' } };
  const beside = (...args: readonly string[]) => run([...args, '--dir', served.project.dir], served.environment);

  it('are reported by the start and by check, which ends with 3', async () => {
    await served.make('/api/notes', stored);
    await served.restart(filesWith('to'));
    const checked = await beside('check');
    expect(checked).toMatchObject({ status: 3, stdout: expect.not.stringContaining('No problems found') });
    for (const { stderr } of [served.server.output, checked]) {
      for (const name of Object.keys(changes)) expect(stderr.split(`api::note.note.${name} is served as`)).toHaveLength(2);
      expect(stderr).toMatch(
        /part\.piece\.size is served as string, not as integer: the column "size" of "components_part_pieces" is still .*`lectern migrate apply --allow-destructive --dir /,
      );
    }
  });

  it.each(Object.entries(changes))('are read, filtered and sorted as their columns are: %s', async (name, { filter }) => {
    for (const query of [`filters[${name}]${filter}`, `sort=${name}`]) {
      const { status, text } = await served.ask('full', 'GET', `/api/notes?populate=piece&filters[piece][size]=wide&${query}`);
      expect([status, JSON.parse(text).data]).toMatchObject([200, [stored]]);
    }
  });

  it.each(Object.entries(changes))('are written as their columns are: %s', async (name, { written, refused }) => {
    expect(await served.write('POST', '/api/notes', { [name]: written })).toMatchObject({ [name]: written });
    if (refused !== undefined) expect((await served.ask('full', 'POST', '/api/notes', { [name]: refused })).status).toBe(400);
  });

  it('are described as their columns are', async () => {
    const { text } = await served.ask('full', 'GET', '/api/openapi.json');
    const { properties } = JSON.parse(text).components.schemas.Note;
    expect(properties).toMatchObject({ word: { type: ['integer', 'null'] }, number: { type: ['string', 'null'] } });
  });

  it('open no rows by a condition that compares the new type, and let a required password be left out', async () => {
    const find = { where: { number: { $lte: 5 } } };
    const rights = { roles: { public: { rights: { note: { find } } } } };
    await served.restart({ ...filesWith('to'), 'permissions.json': JSON.stringify(rights) });
    await served.make('/api/notes', { number: '10' });
    const { status, text } = await served.ask('public', 'GET', '/api/notes');
    expect([status, JSON.parse(text).data]).toEqual([200, []]);
    expect((await served.ask('full', 'POST', '/api/notes', { number: '11' })).status).toBe(201);
  });

  it('have their new type after migrate apply and the restart, until which /_ready is 503', async () => {
    expect((await beside('migrate', 'apply', '--allow-destructive')).status).toBe(0);
    expect((await served.ask('public', 'GET', '/_ready')).status).toBe(503);
    expect((await beside('check')).status).toBe(0);
    await served.restart({});
    expect((await served.ask('public', 'GET', '/_ready')).status).toBe(200);
    expect((await served.ask('full', 'GET', '/api/notes?filters[word][$eq]=5')).json()).toMatchObject({
      data: [{ word: '5', number: null, flag: null, day: null, data: 'many' }],
    });
  });
});
