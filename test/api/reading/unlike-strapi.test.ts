/** What docs/differences.md says of cases that no recording has: each test says what Strapi 5.54.0 does where it is not plain. */
import { describe, expect, it } from 'vitest';
import { profilesOn, userSchema } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import { component, relation, schemaFiles, shared, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { type Json, useProject } from '../../support/served-project.ts';

const named = { name: { type: 'string' } };
const files = {
  ...schemaFiles(
    {
      page: {
        drafts: true,
        localized: true,
        attributes: { title: { type: 'string', ...translated }, rank: { type: 'integer', ...shared } },
      },
      note: { drafts: true, attributes: named },
      shelf: {
        plural: 'shelves',
        drafts: true,
        attributes: {
          ...named,
          one: relation('manyToOne', 'note'),
          notes: relation('manyToMany', 'note'),
          rows: component('row', { repeatable: true }),
        },
      },
      job: {
        attributes: {
          ...named,
          status: { type: 'string' },
          order: { type: 'integer' },
          jobs: relation('manyToMany', 'job'),
          pages: relation('manyToMany', 'page'),
        },
      },
      task: { drafts: true, localized: true, attributes: { status: { type: 'string', ...translated } } },
    },
    { row: { label: { type: 'string' }, order: { type: 'integer' }, status: { type: 'string' }, notes: relation('manyToMany', 'note') } },
  ),
  'src/extensions/users-permissions/content-types/user/schema.json': userSchema({
    note: relation('oneToOne', 'note'),
    notes: relation('manyToMany', 'note'),
  }),
};

const list = (value: unknown) => value as readonly Json[];
const values = (rows: unknown, name: string) => list(rows).map((row) => row[name]);

describe.each(anyEngine.flatMap((engine) => profilesOn(engine).map((profile) => [engine, profile] as const)))(
  '%s, profile %s: differences from Strapi',
  (engine, profile) => {
    const api = useProject(engine, { files, locales: seedLocales('en', 'de', 'fr'), env: { LECTERN_PROFILE: profile } });
    const make = async (path: string, data: Json) => String((await api.write('POST', path, data)).documentId);
    const found = async (path: string) => list(((await api.ask('full', 'GET', path)).json() as Json).data);
    const newPage = async (title: string) => {
      const path = await api.make('/api/pages', { title, rank: 1 });
      for (const locale of ['de', 'fr']) await api.write('PATCH', `${path}?locale=${locale}`, { title: `${title} ${locale}` });
      return path;
    };
    const localizations = (row: Json, name: string) => values(row.localizations, name).toSorted();

    it('localizations of populated entries are all other locales', async () => {
      const documentId = (await newPage('p')).slice('/api/pages/'.length);
      // Strapi leaves out the locales that are entries of the same level: here, only fr remains.
      const pages = ['en', 'de'].map((locale) => ({ documentId, locale }));
      const path = await api.make('/api/jobs', { pages });
      const job = await api.read(`${path}?populate[pages][populate]=localizations`);
      expect(list(job.pages).map((page) => localizations(page, 'title'))).toEqual([
        ['p de', 'p fr'],
        ['p', 'p fr'],
      ]);
    });

    it('localizations in the response to a write are those after it', async () => {
      const path = await newPage('p');
      for (const query of ['', '&status=draft', '&locale=de']) {
        const page = await api.write('PATCH', `${path}?populate=localizations${query}`, { rank: 2 + query.length });
        expect(localizations(page, 'rank'), query).toEqual([2 + query.length, 2 + query.length]);
      }
    });

    const unreadable = [
      'filters[name]=nobody&populate[notes]',
      'filters[name]=nobody&populate[one]',
      'populate[rows][populate][notes]',
    ].flatMap((path) => [`${path}[filters][createdAt][$gt]=never`, `${path}[filters][name][$between]=a`]);
    it.each(unreadable)('a filter inside populate that cannot be read is a 400, with nothing to populate as well: %s', async (query) => {
      await api.make('/api/shelves', { name: 'empty' });
      expect((await api.ask('full', 'GET', `/api/shelves?${query}`)).status).toBe(400);
      const write = await api.ask('full', 'POST', `/api/shelves?${query.replace('filters[name]=nobody&', '')}`, { name: 'unwritten' });
      expect(write.status).toBe(400);
      expect(await found('/api/shelves?filters[name]=unwritten')).toEqual([]);
    });

    it('an attribute called status is sorted by', async () => {
      for (const status of ['b', 'a', 'c']) {
        const job = await make('/api/jobs', { name: 'sorted', status });
        await api.make('/api/jobs', { name: 'above', jobs: [job] });
        await api.make('/api/tasks', { status });
      }
      const sorted = (order: string) => found(`/api/jobs?filters[name]=sorted&sort=status:${order}`);
      expect(values(await sorted('asc'), 'status')).toEqual(['a', 'b', 'c']);
      expect(values(await sorted('desc'), 'status')).toEqual(['c', 'b', 'a']);
      // Strapi sorts drafts with locales by their state: draft, modified, published.
      await api.write('POST', '/api/tasks?status=draft', { status: 'd' });
      expect(values(await found('/api/tasks?status=draft&sort=status:asc'), 'status')).toEqual(['a', 'b', 'c', 'd']);
      const above = await found('/api/jobs?filters[name]=above&sort=jobs.status:desc&populate=jobs');
      expect(above.map(({ jobs }) => values(jobs, 'status'))).toEqual([['c'], ['b'], ['a']]);
      const rows = ['b', 'a', 'c'].map((status) => ({ status }));
      const path = await api.make('/api/shelves', { rows });
      expect(values((await api.read(`${path}?populate[rows][sort]=status:asc`)).rows, 'status')).toEqual(['a', 'b', 'c']);
    });

    it('an attribute of a component called order is not its position', async () => {
      const rows = [7, 5].map((order) => ({ label: `${order}`, order }));
      const path = await api.make('/api/shelves', { rows });
      const fields = async (name: string) =>
        list((await api.read(`${path}?populate[rows][fields][0]=${name}`)).rows).map(({ id: _, ...shown }) => shown);
      expect(await fields('label')).toEqual([{ label: '7' }, { label: '5' }]);
      expect(await fields('order')).toEqual([{ order: 7 }, { order: 5 }]);
    });

    describe('positions', () => {
      const start = (documentId: string | undefined, value: unknown = true) => ({ documentId, position: { start: value } });
      const shelf = async () => {
        const [a, b, c, d, e] = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => make('/api/notes', { name })));
        return { path: await api.make('/api/shelves', { notes: [a, b, c, d] }), a, b, e };
      };
      const order = async (path: string) => values((await api.read(`${path}?populate=notes`)).notes, 'name').join('');

      // Strapi: bcad, bcead, cbd.
      it('what is the first already stays at the start', async () => {
        const { path, a, b, e } = await shelf();
        await api.write('PATCH', path, { notes: { connect: [start(a)] } });
        expect(await order(path)).toBe('abcd');
        await api.write('PATCH', path, { notes: { connect: [start(a), start(e)] } });
        expect(await order(path)).toBe('eabcd');
        await api.write('PATCH', path, { notes: { connect: [start(b)], disconnect: [e, a] } });
        expect(await order(path)).toBe('bcd');
      });

      it('a form puts a target at the start', async () => {
        const { path, e } = await shelf();
        const name = 'data[notes][connect][0]';
        const body = new URLSearchParams({ [`${name}[documentId]`]: String(e), [`${name}[position][start]`]: 'true' }).toString();
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
        expect((await api.send('full', { method: 'PATCH', path, body, headers })).status).toBe(200);
        expect(await order(path)).toBe('eabcd');
      });

      it.runIf(profile === 'strapi')('start is any true value, as in Strapi', async () => {
        for (const [value, expected] of [
          [1, 'eabcd'],
          ['false', 'eabcd'],
          [0, 'abcde'],
          ['', 'abcde'],
        ] as const) {
          const { path, e } = await shelf();
          await api.write('PATCH', path, { notes: { connect: [start(e, value)] } });
          expect(await order(path), JSON.stringify(value)).toBe(expected);
        }
      });
    });

    it('a user shows the published versions of what it is related to', async () => {
      const [live, hidden] = [await make('/api/notes', { name: 'live' }), await make('/api/notes?status=draft', { name: 'hidden' })];
      await api.write('PATCH', `/api/notes/${live}?status=draft`, { name: 'later' });
      const user = {
        username: 'reader',
        email: 'reader@example.org',
        password: 'Reader-Pass-1',
        role: 1,
        note: live,
        notes: [live, hidden],
      };
      const { id } = (await api.send('full', { method: 'POST', path: '/api/users', body: user })).json() as Json;
      const shown = async (query: string): Promise<readonly unknown[]> => {
        const { note, notes } = (await api.ask('full', 'GET', `/api/users/${id}?populate=*${query}`)).json() as Json;
        return [(note as Json | null)?.name, values(notes, 'name')];
      };
      expect(await shown('')).toEqual(['live', ['live']]);
      // In profile strapi the parameter has no effect here.
      expect(await shown('&status=draft')).toEqual(profile === 'strapi' ? ['live', ['live']] : ['later', ['later', 'hidden']]);
    });
  },
);
