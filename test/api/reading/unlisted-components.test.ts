/** Components in a dynamic zone whose schema does not list them: in profile `strapi` they are stored and returned, in profile `specification`
 *  neither. A server learns of them by reading, so the cases before a first read have a server of their own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { statementsOf } from '../../support/http.ts';
import { apiTokenSalt, jwtSecret, tokens } from '../../support/library/content.ts';
import { bodyOf, idOf, useOwnLibrary } from '../../support/library/library.ts';
import { type Environment, type RunningServer, serverOfTest, startServer } from '../../support/server.ts';

const strapi = { LECTERN_PROFILE: 'strapi' };
const authorization = { Authorization: `Bearer ${tokens.full.token}` };

const origin = { __component: 'print.origin', place: 'Rome', year: 1501 };
const quotation = { __component: 'print.quotation', words: 'Listed' };
const edition = { __component: 'print.edition', year: 1502, publisher: 'Aldus' };

/** The zone as it was sent: without ids, which say nothing in an expectation. */
function sectionsOf(entry: unknown): unknown {
  const { sections } = entry as { sections?: readonly { id: number }[] };
  return sections?.map(({ id: _id, ...section }) => section);
}

describe.each(engines)('%s: profile strapi', (engine) => {
  const library = useOwnLibrary(engine, strapi);
  const mixed = [origin, quotation, edition];
  let path: string;
  let created: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    // Nothing has been read before, so this response has to find out.
    const body = { data: { title: 'Strays', sections: mixed } };
    const response = await library.ask('full', { method: 'POST', path: '/api/books?populate=*', body });
    expect({ status: response.status, error: bodyOf(response).error }).toEqual({ status: 201, error: undefined });
    created = bodyOf(response).data as Readonly<Record<string, unknown>>;
    path = `/api/books/${String(created.documentId)}`;
  });

  async function entry(query: string, as: 'public' | 'full' = 'full', at = path): Promise<Readonly<Record<string, unknown>>> {
    const response = await library.ask(as, `${at}?${query}`);
    expect({ status: response.status, error: bodyOf(response).error }).toEqual({ status: 200, error: undefined });
    return bodyOf(response).data as Readonly<Record<string, unknown>>;
  }

  it('returns them in the response to the write that adds them', () => {
    expect(sectionsOf(created)).toEqual(mixed.map(({ __component, ...rest }) => ({ ...rest, __component })));
  });

  it.each(['populate=*', 'populate[sections]=true'])('returns them with %s', async (query) => {
    expect(sectionsOf(await entry(query))).toEqual(mixed);
  });

  it('populates them with populate=* inside the zone', async () => {
    expect(sectionsOf(await entry('populate[sections][populate]=*'))).toEqual([origin, quotation, { ...edition, translator: null }]);
  });

  it('omits attributes that the caller may not read', async () => {
    expect(sectionsOf(await entry('populate[sections][populate]=*', 'public'))).toEqual(mixed);
  });

  it('returns them in lists and through relations, and counts them', async () => {
    const list = await library.ask('full', '/api/books?filters[title]=Strays&populate=sections');
    expect((bodyOf(list).data as unknown[]).map(sectionsOf)).toEqual([mixed]);
    const loan = await library.ask('full', {
      method: 'POST',
      path: '/api/loans?populate[book][populate]=sections',
      body: { data: { borrower: 'Yan', book: created.documentId } },
    });
    expect(sectionsOf((bodyOf(loan).data as { book: unknown }).book)).toEqual(mixed);
    expect(await entry('populate[sections][count]=true')).toMatchObject({ sections: { count: 3 } });
  });

  it('omits them if `on` lists the components', async () => {
    expect(sectionsOf(await entry('populate[sections][on][print.quotation]=true'))).toEqual([quotation]);
    expect(sectionsOf(await entry('populate[sections][on][print.origin]=true'))).toEqual([]);
  });

  it('returns one that is added after the plan was made', async () => {
    const query = 'populate=sections&fields=title';
    expect(sectionsOf(await entry(query))).toEqual(mixed);
    const late = { __component: 'print.summary', headline: 'Late' };
    await library.ask('full', { method: 'PUT', path, body: { data: { title: 'Strays', sections: [late, origin] } } });
    expect(sectionsOf(await entry(query))).toEqual([late, origin]);
    expect(sectionsOf(await entry('populate[sections][populate]=*'))).toEqual([{ ...late, picture: null, origin: null }, origin]);
    await library.ask('full', { method: 'PUT', path, body: { data: { title: 'Strays', sections: mixed } } });
  });

  it('publishes them with their draft', async () => {
    const draft = await library.ask('full', {
      method: 'PUT',
      path: `${path}?status=draft&populate=sections`,
      body: { data: { title: 'Strays', sections: [edition, origin] } },
    });
    expect(sectionsOf(bodyOf(draft).data)).toEqual([edition, origin]);
    expect(sectionsOf(await entry('populate=sections'))).toEqual(mixed);
    const body = { data: { title: 'Strays' } };
    const published = await library.ask('full', { method: 'PUT', path: `${path}?populate=sections`, body });
    expect(sectionsOf(bodyOf(published).data)).toEqual([edition, origin]);
    await library.ask('full', { method: 'PUT', path, body: { data: { title: 'Strays', sections: mixed } } });
  });

  describe('after a restart', () => {
    let server: RunningServer;
    const read = async (query: string, at = path) => {
      const response = await server.get(`${at}?${query}`, authorization);
      return { sections: sectionsOf(bodyOf(response).data), statements: statementsOf(response) };
    };
    const serve = (env: Environment, start = serverOfTest) => {
      const secrets = { API_TOKEN_SALT: apiTokenSalt, JWT_SECRET: jwtSecret };
      return start(library.project.dir, { ...library.project.env, ...secrets, ...env });
    };
    beforeAll(async () => {
      // Cached responses need no statements.
      server = await serve({ ...strapi, LECTERN_CACHE_BYTES: '0' }, startServer);
    });
    afterAll(() => server?.stop());

    it('finds them with the first read, at no cost for other reads', async () => {
      const listed = `/api/books/${idOf('book', 'lanterns')}`;
      const before = await read('populate=sections', listed);
      const [first, second] = [await read('populate=sections'), await read('populate=sections')];
      expect(first.sections).toEqual(mixed);
      expect(second.sections).toEqual(mixed);
      // The row, the references, one statement a component, or one for all; the first time all that twice, but for those that had no branch.
      const all = engine === 'postgres' ? 1 : 5;
      expect([first.statements, second.statements]).toEqual([engine === 'postgres' ? 2 : 3 + 5, all]);
      const other = await read('populate=sections&fields=slug');
      expect([other.sections, other.statements]).toEqual([mixed, all]);
      expect((await read('populate=sections', listed)).statements).toBe(before.statements);
    });

    if (!anyEngine.includes(engine)) return;

    it('does not count them as populated paths', async () => {
      // The zone and its three components.
      const tight = await serve({ ...strapi, LECTERN_LIMITS_POPULATED_PATHS: '4' });
      expect((await tight.get(`${path}?populate=sections,cover`, authorization)).status).toBe(400);
      for (const _round of [1, 2]) {
        const response = await tight.get(`${path}?populate=sections`, authorization);
        expect(sectionsOf(bodyOf(response).data)).toEqual(mixed);
      }
    });

    it('omits them in profile specification', async () => {
      const strict = await serve({ LECTERN_PROFILE: 'specification' });
      const response = await strict.get(`${path}?populate=sections`, authorization);
      expect(sectionsOf(bodyOf(response).data)).toEqual([quotation]);
      const body = { data: { title: 'Strays', sections: [origin] } };
      expect((await strict.send({ method: 'PATCH', path, headers: authorization, body })).status).toBe(400);
    });
  });
});
