/** Responses from memory show no caller more than a read would: whatever decides what may be seen changes between two equal requests. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fromCache, isHit } from '../../support/cached-response.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { versionedEngines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { type Limited, useLimited } from '../../support/limited.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { idOf, type Json, ruleStatements, useProject } from '../../support/served-project.ts';

const namesOf = (response: HttpResponse): unknown[] => {
  if (response.status !== 200) return [response.status];
  const body = response.json() as Json | readonly Json[];
  const list = (Array.isArray(body) ? body : (body as Json).data) as readonly Json[];
  return list.map(({ title, name, username }) => title ?? name ?? username).sort();
};

describe.each(versionedEngines)('%s: what was cached for others', (engine) => {
  const limited: Limited = useLimited(engine, { LECTERN_PROFILE: 'specification', LECTERN_CACHE_CONSISTENCY: 'exact' });
  const ask = (who: 'ada' | 'ben' | 'public', path: string) => () => limited.as(who, 'GET', path);
  const askAll = (path: string) => () => limited.ask('full', 'GET', path);

  it.each([
    ['/api/notes', ['ada one', 'ada two'], ['ben one', 'ben two']],
    ['/api/storys?status=draft', ['ada draft', 'crossed'], ['ben draft']],
    ['/api/users', ['ada'], ['ben']],
  ])('%s: everybody sees the own rows, in whatever order they ask', async (path, adas, bens) => {
    for (let time = 0; time < 3; time++) {
      const all = namesOf(await fromCache(askAll(path)));
      expect(all).toEqual(expect.arrayContaining([...adas, ...bens]));
      for (const [who, own, others] of [
        ['ada', adas, bens],
        ['ben', bens, adas],
      ] as const) {
        const seen = namesOf(await fromCache(ask(who, path)));
        expect(seen).toEqual(expect.arrayContaining([...own]));
        for (const other of others) expect(seen).not.toContain(other);
      }
    }
  });

  it('users share a plan, and each gets the own rows and their number', async () => {
    const asked = (who: 'ada' | 'ben', title: string) => ask(who, `/api/notes?sort=title&fields[0]=title&filters[title][$ne]=${title}`)();
    const first = await asked('ada', 'shared-plan-1');
    expect(String(first.headers['server-timing'])).toContain('compile;');
    for (let time = 0; time < 6; time++) {
      // Values of both the query and the user, at the same time.
      const [adas, bens] = await Promise.all([asked('ada', `shared-plan-${2 + time}`), asked('ben', `shared-plan-${2 + time}`)]);
      for (const [response, own, others] of [
        [adas, 'ada one', 'ben one'],
        [bens, 'ben one', 'ada one'],
      ] as const) {
        const names = namesOf(response);
        expect(names).toContain(own);
        expect(names).not.toContain(others);
        expect(response.json()).toMatchObject({ meta: { pagination: { total: names.length } } });
        expect(String(response.headers['server-timing'])).not.toContain('compile;');
      }
    }
  });

  it('a document of somebody else is as missing as any other', async () => {
    const path = `/api/notes/${limited.id('ben one')}`;
    await fromCache(askAll(path));
    await fromCache(ask('ben', path));
    for (let time = 0; time < 3; time++) expect((await ask('ada', path)()).status).toBe(404);
  });

  it('fields that the caller may not read are not in it, nor in its tag', async () => {
    const path = `/api/notes/${limited.id('ada one')}`;
    const full = await fromCache(askAll(path));
    const open = await fromCache(ask('public', path));
    expect(full.text).toContain('hush-a');
    expect(open.text).not.toContain('hush-a');
    expect(open.headers.etag).not.toBe(full.headers.etag);
    expect((await limited.as('public', 'GET', path, undefined, { 'If-None-Match': String(full.headers.etag) })).status).toBe(200);
  });

  it('an attribute of the user that a condition names counts at once', async () => {
    await limited.change("UPDATE up_users SET squad = 'red' WHERE username = 'ada'");
    expect(namesOf(await fromCache(ask('ada', '/api/teams')))).toEqual(['red']);
    await limited.change("UPDATE up_users SET squad = 'blue' WHERE username = 'ada'");
    expect(namesOf(await ask('ada', '/api/teams')())).toEqual(['blue']);
    await limited.change("UPDATE up_users SET squad = NULL WHERE username = 'ada'");
    expect(namesOf(await ask('ada', '/api/teams')())).toEqual([]);
  });

  it('a new restriction counts at once', async () => {
    expect(namesOf(await fromCache(ask('public', '/api/topics?sort=name')))).toEqual(['bens', 'empty', 'shared']);
    await limited.change(...ruleStatements('public', 'api::topic.topic.find', { where: { name: 'empty' } }));
    expect(namesOf(await ask('public', '/api/topics?sort=name')())).toEqual(['empty']);
  });

  it('a user who was blocked or has another role is refused at once', async () => {
    const path = '/api/notes?sort=title';
    await fromCache(ask('ben', path));
    await limited.change("UPDATE up_users SET blocked = (1 = 1) WHERE username = 'ben'");
    expect((await ask('ben', path)()).status).toBe(401);
    await limited.change("UPDATE up_users SET blocked = (1 = 0) WHERE username = 'ben'");
    await fromCache(ask('ben', path));
    await limited.change(`DELETE FROM up_users_role_lnk WHERE user_id = ${limited.userId('ben')}`);
    expect((await ask('ben', path)()).status).toBe(401);
  });

  it('a locale that was removed or added', async () => {
    const path = '/api/pages?locale=de';
    expect(namesOf(await fromCache(askAll(path)))).toContain('verschlossen');
    await limited.change("UPDATE i18n_locale SET code = 'fr' WHERE code = 'de'");
    expect((await askAll(path)()).status).toBe(400);
    expect(namesOf(await fromCache(askAll('/api/pages?locale=fr')))).toEqual([]);
    await limited.change("UPDATE i18n_locale SET code = 'de' WHERE code = 'fr'");
    expect(namesOf(await askAll(path)())).toContain('verschlossen');
    expect((await askAll('/api/pages?locale=fr')()).status).toBe(400);
  });
});

describe.each(versionedEngines)('%s: cached for another token or page', (engine) => {
  const find = ['api::note.note.find', 'api::note.note.findOne'];
  const origins = ['https://one.example', 'https://two.example', 'https://three.example'];
  const served = useProject(engine, {
    files: schemaFiles({ note: { drafts: true, attributes: { title: { type: 'string' } } } }),
    types: [{ type: 'api::note.note', documents: [{ key: 'one', status: 'published', data: { title: 'one' } }] }],
    public: find,
    tokens: { reader: find, drafts: [...find, 'api::note.note.findDraft'], nothing: [] },
    env: { LECTERN_CORS_ORIGINS: origins.slice(0, 2).join(','), LECTERN_CORS_CREDENTIALS: 'true' },
  });
  const one = `/api/notes/${idOf('note', 'one')}`;
  const ask = (who: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
    served.ask(who, 'GET', path, undefined, headers);

  it('each origin gets its own headers, and each format its own bytes', async () => {
    const cases: readonly Readonly<Record<string, string>>[] = [
      ...origins.map((Origin) => ({ Origin })),
      { 'Strapi-Response-Format': 'v4' },
      { 'Strapi-Encode-Source-Maps': 'true' },
      {},
    ];
    const seen = async (from: (get: () => Promise<HttpResponse>) => Promise<HttpResponse>) => {
      const all: unknown[] = [];
      for (const headers of cases) {
        const response = await from(() => ask('public', one, headers));
        all.push([response.headers['access-control-allow-origin'], response.headers.etag, response.text]);
      }
      return all;
    };
    const fresh = await seen((get) => get());
    expect(await seen(fromCache)).toEqual(fresh);
    // Nothing tells the unknown origin from none.
    expect(new Set(fresh.map((each) => JSON.stringify(each))).size).toBe(cases.length - 1);
  });

  it('a token that may read nothing, and one that does not exist, get nothing of what others asked for', async () => {
    for (const who of ['public', 'reader', 'full']) await fromCache(() => ask(who, one));
    expect((await ask('nothing', one)).status).toBe(403);
    expect((await ask('public', one, { Authorization: `Bearer ${'0'.repeat(256)}` })).status).toBe(401);
  });

  it('drafts stay with those who may read them', async () => {
    const path = '/api/notes?status=draft';
    expect((await fromCache(() => ask('drafts', path))).status).toBe(200);
    expect((await ask('reader', path)).status).toBe(403);
    expect((await ask('public', path)).status).toBe(403);
  });

  it('a token that ends is refused from that moment on, although nothing changes in the database', async () => {
    const ends = Date.now() + 1000;
    await served.change(`UPDATE strapi_api_tokens SET expires_at = ${engineSql[engine].moment(ends)} WHERE name = 'drafts'`);
    let hits = 0;
    let response = await ask('drafts', one);
    while (response.status === 200) {
      expect(Date.now()).toBeLessThan(ends + 10_000);
      if (isHit(response)) hits++;
      await pause(20);
      const sent = Date.now();
      response = await ask('drafts', one);
      if (sent > ends) expect(response.status).toBe(401);
    }
    expect([response.status, hits > 0]).toEqual([401, true]);
    expect(Date.now()).toBeGreaterThanOrEqual(ends - 1);
  });
});
