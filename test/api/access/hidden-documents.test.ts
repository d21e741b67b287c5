/** Reads and writes respond alike for hidden and missing documents; only the right to drafts gives access to drafts. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { idOf, type Served, useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  memo: {
    drafts: true,
    localized: true,
    attributes: {
      title: { type: 'string', ...translated },
      next: relation('manyToOne', 'memo'),
      vault: relation('manyToOne', 'vault'),
      folder: relation('manyToOne', 'folder', { inversedBy: 'memos' }),
    },
  },
  folder: { attributes: { name: { type: 'string' }, memos: relation('oneToMany', 'memo', { mappedBy: 'folder' }) } },
  vault: { attributes: { name: { type: 'string' }, owner: relation('manyToOne', 'memo') } },
  desk: { single: true, drafts: true, attributes: { title: { type: 'string' } } },
});

const memo = (...actions: readonly string[]) => actions.map((action) => `api::memo.memo.${action}`);
const others = ['api::folder.folder.find', 'api::folder.folder.findOne', 'api::desk.desk.find'];

const options = {
  files,
  locales: seedLocales('en', 'de'),
  types: [
    { type: 'api::vault.vault', documents: [{ key: 'gold', status: 'published' as const, data: { name: 'hush-gold' } }] },
    { type: 'api::folder.folder', documents: [{ key: 'blue', status: 'published' as const, data: { name: 'Blue' } }] },
    {
      type: 'api::memo.memo',
      documents: [
        { key: 'open', status: 'published' as const, data: { title: 'Open', folder: 'blue' }, draft: { title: 'hush-open' } },
        { key: 'draft', status: 'draft' as const, data: { title: 'hush-draft', folder: 'blue' } },
        { key: 'german', status: 'published' as const, locale: 'de', data: { title: 'Deutsch' } },
      ],
    },
    { type: 'api::desk.desk', documents: [{ key: 'desk', status: 'draft' as const, data: { title: 'hush-desk' } }] },
  ],
  public: [...memo('find', 'findOne'), ...others],
  tokens: {
    reader: [...memo('find', 'findOne'), ...others],
    drafter: [...memo('find', 'findOne', 'findDraft'), ...others, 'api::desk.desk.findDraft'],
    writer: [...memo('find', 'findOne', 'create', 'update', 'delete', 'publish'), ...others],
  },
  env: { LECTERN_PROFILE: 'specification' },
};

const missing = 'zzzzzzzzzzzzzzzzzzzzzzzz';
const perRequest = /^(?:date|x-request-id|server-timing|connection|keep-alive|content-length)$/;

/** The whole response, without the requested id. */
const said = ({ status, headers, text }: HttpResponse, id: string) => ({
  status,
  headers: Object.entries(headers).filter(([name]) => !perRequest.test(name)),
  // For a list, the number tells whether its total was cached.
  statements: status >= 400 ? /statements;desc="\d+"/.exec(String(headers['server-timing']))?.[0] : undefined,
  text: text.replaceAll(id, '<id>'),
});

describe.each(engines)('%s: hidden documents', (engine) => {
  const api: Served = useProject(engine, options);
  const ids: Readonly<Record<string, string>> = {
    draft: idOf('memo', 'draft'),
    german: idOf('memo', 'german'),
    vault: idOf('vault', 'gold'),
  };

  describe('get the response for missing documents', () => {
    const reads = ['', '?fields=title', '?status=published', '?populate[next][populate]=*', '?locale=en'];
    it.each(['draft', 'german'])('to a reader: %s', async (key) => {
      const id = ids[key] ?? '';
      for (const query of reads) {
        for (const method of ['GET', 'HEAD']) {
          const hidden = await api.ask('reader', method, `/api/memos/${id}${query}`);
          const nothing = await api.ask('reader', method, `/api/memos/${missing}${query}`);
          expect(hidden.status).toBe(404);
          expect(said(hidden, id)).toEqual(said(nothing, missing));
        }
      }
    });

    it('by a row id, a filter or a list of ids', async () => {
      const [row] = await api.query(`SELECT id FROM memos WHERE document_id = '${ids.draft}'`);
      for (const query of [
        `filters[id]=${row?.[0]}`,
        `filters[documentId]=${ids.draft}`,
        `filters[documentId][$in][0]=${ids.draft}`,
        `filters[next][documentId]=${ids.draft}`,
        `filters[folder][memos][documentId]=${ids.draft}`,
        `filters[folder][memos][id]=${row?.[0]}`,
        '_q=hush',
      ]) {
        const response = await api.ask('reader', 'GET', `/api/memos?${query}`);
        expect(response.json(), query).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
      }
    });

    it('in types without the right: each method, whether the document is there or not', async () => {
      const requests: readonly (readonly [method: string, path: string])[] = [
        ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, '/api/vaults/<id>'] as const),
        ...['publish', 'unpublish', 'discard-draft'].map((action) => ['POST', `/api/memos/<id>/actions/${action}`] as const),
        ...['PUT', 'PATCH', 'DELETE'].map((method) => [method, '/api/memos/<id>'] as const),
      ];
      for (const [method, path] of requests) {
        const data = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? undefined : { name: 'x' };
        const id = path.startsWith('/api/vaults') ? (ids.vault ?? '') : (ids.draft ?? '');
        const hidden = await api.ask('reader', method, path.replace('<id>', id), data);
        const nothing = await api.ask('reader', method, path.replace('<id>', missing), data);
        expect(hidden.status).toBe(403);
        expect(said(hidden, id)).toEqual(said(nothing, missing));
      }
    });

    it('as the target of a relation', async () => {
      const rowId = async (table: string, condition: string) =>
        Number((await api.query(`SELECT MIN(id) FROM ${table} WHERE ${condition}`))[0]?.[0]);
      const targets: readonly (readonly [attribute: string, known: unknown, unknown: unknown])[] = [
        ['vault', ids.vault, missing],
        ['vault', await rowId('vaults', '1 = 1'), 987_654],
        // There is a draft alone.
        ['next', ids.draft, missing],
        ['next', await rowId('memos', "title = 'hush-draft'"), 987_654],
      ];
      const shapes: readonly ((id: unknown) => unknown)[] = [
        (id) => id,
        (id) => ({ connect: [id] }),
        (id) => ({ connect: [{ documentId: id }] }),
        (id) => ({ set: [id] }),
        (id) => ({ disconnect: [id] }),
      ];
      for (const [attribute, known, unknown] of targets) {
        // Unlinking a row that was not linked is no mistake.
        for (const shape of attribute === 'next' ? shapes.slice(0, 4) : shapes) {
          const link = (id: unknown) => api.ask('writer', 'POST', '/api/memos?status=draft', { title: 'x', [attribute]: shape(id) });
          const [hidden, nothing] = [await link(known), await link(unknown)];
          expect(hidden.status, JSON.stringify(shape(known))).toBe(400);
          expect(said(hidden, String(known))).toEqual(said(nothing, String(unknown)));
        }
      }
      expect((await api.ask('full', 'POST', '/api/memos?status=draft', { title: 'x', next: ids.draft })).status).toBe(201);
    });

    it('a single type with only a draft gets the response for an empty one', async () => {
      expect((await api.ask('reader', 'GET', '/api/desk')).status).toBe(404);
      expect((await api.ask('drafter', 'GET', '/api/desk?status=draft')).text).toContain('hush-desk');
    });
  });
});
