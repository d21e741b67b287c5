/** Relations of every kind in bodies: connect, disconnect, set, positions, clearing, both sides, and several types of targets: of hubs, which have them,
 *  to spokes, which they lead to. */
import { beforeAll, describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { projectProblems } from '../../support/integrity.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, errorOf, idOf, type Json, useProject } from '../../support/served-project.ts';

const morph = (kind: string, more: object = {}) => ({ type: 'relation', relation: kind, ...more });
const spokeUid = 'api::spoke.spoke';
const hubUid = 'api::hub.hub';
const ofHub = (kind: string, morphBy: string) => morph(kind, { target: hubUid, morphBy });

const files = schemaFiles(
  {
    hub: {
      attributes: {
        name: { type: 'string' },
        oneWayOne: relation('oneToOne', 'spoke'),
        twoWayOne: relation('oneToOne', 'spoke', { inversedBy: 'hubOne' }),
        columnOne: relation('oneToOne', 'spoke', { useJoinTable: false }),
        oneWayParent: relation('manyToOne', 'spoke'),
        columnParent: relation('manyToOne', 'spoke', { useJoinTable: false }),
        oneWayMany: relation('oneToMany', 'spoke'),
        twoWayMany: relation('oneToMany', 'spoke', { mappedBy: 'hubParent' }),
        oneWayMm: relation('manyToMany', 'spoke'),
        twoWayMm: relation('manyToMany', 'spoke', { inversedBy: 'hubsMm' }),
        selfOne: relation('oneToOne', 'hub', { inversedBy: 'selfOneBack' }),
        selfOneBack: relation('oneToOne', 'hub', { mappedBy: 'selfOne' }),
        parent: relation('manyToOne', 'hub', { inversedBy: 'children' }),
        children: relation('oneToMany', 'hub', { mappedBy: 'parent' }),
        anyOne: morph('morphToOne'),
        anyMany: morph('morphToMany'),
        part: component('link'),
        parts: component('link', { repeatable: true }),
        zone: { type: 'dynamiczone', components: ['part.link'] },
      },
    },
    spoke: {
      attributes: {
        name: { type: 'string' },
        hubOne: relation('oneToOne', 'hub', { mappedBy: 'twoWayOne' }),
        hubParent: relation('manyToOne', 'hub', { inversedBy: 'twoWayMany' }),
        hubsMm: relation('manyToMany', 'hub', { mappedBy: 'twoWayMm' }),
        ofOne: ofHub('morphOne', 'anyOne'),
        ofOnes: ofHub('morphMany', 'anyOne'),
        ofMany: ofHub('morphMany', 'anyMany'),
        ofManyOne: ofHub('morphOne', 'anyMany'),
      },
    },
    secret: { attributes: { name: { type: 'string' } } },
  },
  {
    link: {
      label: { type: 'string' },
      to: relation('oneToOne', 'spoke'),
      many: relation('manyToMany', 'secret'),
      any: morph('morphToMany'),
      more: component('deep'),
    },
    deep: { to: relation('manyToOne', 'secret') },
  },
);
const documents = (keys: readonly string[]) => keys.map((key) => ({ key, status: 'published' as const, data: { name: key } }));
const options = {
  files,
  types: [
    { type: spokeUid, documents: documents(['s0', 's1', 's2', 's3']) },
    { type: 'api::secret.secret', documents: documents(['hush']) },
    { type: hubUid, documents: documents(['root']) },
  ],
  tokens: {
    builder: ['api::hub.hub.find', 'api::hub.hub.findOne', 'api::hub.hub.create', 'api::hub.hub.update', 'api::spoke.spoke.find'],
    blind: ['api::hub.hub.create', 'api::hub.hub.update'],
  },
};

/** The documentIds of the spokes. */
const [s0 = '', s1 = '', s2 = '', s3 = ''] = [0, 1, 2, 3].map((index) => idOf('spoke', `s${index}`));
const hush = idOf('secret', 'hush');
const at = (documentId: string, position: object) => ({ documentId, position });
const spoke = (documentId: string, more: object = {}) => ({ __type: spokeUid, documentId, ...more });

/** The names of the documents that a relation shows. */
const nameOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(nameOf) : value === null || typeof value !== 'object' ? value : (value as Json).name;

/** A change, and what the relation leads to afterwards. */
type Step = readonly [change: unknown, leads: unknown];
const toOne: readonly Step[] = [
  [s0, 's0'],
  [{ documentId: s1 }, 's1'],
  [{ connect: [s2] }, 's2'],
  [{ disconnect: [s0] }, 's2'],
  [{ disconnect: [s2] }, null],
  [{ set: [{ documentId: s3 }] }, 's3'],
  [{ connect: [s0, s1] }, 's0'],
  [{ connect: [], disconnect: [] }, 's0'],
  [null, null],
  [s1, 's1'],
  [{ set: [] }, null],
];
const toMany: readonly Step[] = [
  [
    [s0, s1, s2],
    ['s0', 's1', 's2'],
  ],
  [{ connect: [s3] }, ['s0', 's1', 's2', 's3']],
  [{ connect: [s0] }, ['s1', 's2', 's3', 's0']],
  [{ disconnect: [s2] }, ['s1', 's3', 's0']],
  [{ connect: [at(s2, { before: s3 }), at(s0, { start: true })] }, ['s0', 's1', 's2', 's3']],
  [{ connect: [at(s0, { after: s2 }), at(s1, { end: true })] }, ['s2', 's0', 's3', 's1']],
  [{ connect: [at(s3, { after: s1 })], disconnect: [s1] }, ['s2', 's0', 's3']],
  [{ set: [s3, s3, s0] }, ['s3', 's0']],
  [{ connect: [s1], disconnect: [s1] }, ['s3', 's0', 's1']],
  [{ set: [s0], connect: [s1] }, ['s0']],
  [{ connect: [at(s1, { before: s2 }), at(s2, { before: s0 })] }, ['s1', 's2', 's0']],
  [null, []],
  [s3, ['s3']],
  [[], []],
];
const steps: Readonly<Record<string, readonly Step[]>> = {
  oneWayOne: toOne,
  twoWayOne: toOne,
  columnOne: toOne,
  oneWayParent: toOne,
  columnParent: toOne,
  oneWayMany: toMany,
  twoWayMany: toMany,
  oneWayMm: toMany,
  twoWayMm: toMany,
};
/** On further engines one of each place for links: a link table of each kind, a column, and the other side of one. */
const elsewhere = new Set(['oneWayOne', 'columnParent', 'twoWayMany', 'twoWayMm']);

describe.each(engines)('%s: relations', (engine) => {
  const api = useProject(engine, options);
  /** Makes a hub without relations; returns its documentId. */
  const hub = async (name = 'hub') => String((await api.write('POST', '/api/hubs', { name })).documentId);
  /** Changes a relation; returns the names that the response shows in it. */
  const change = async (type: string, id: string, name: string, value: unknown) =>
    nameOf((await api.write('PATCH', `/api/${type}s/${id}?populate=${name}`, { [name]: value }))[name]);
  /** The names that a read shows in a relation. */
  const leads = async (type: string, id: string, name: string) => nameOf((await api.read(`/api/${type}s/${id}?populate=${name}`))[name]);

  describe.each(Object.entries(steps).filter(([name]) => anyEngine.includes(engine) || elsewhere.has(name)))('%s', (name, list) => {
    it('is changed step by step, and read as in the responses', async () => {
      const id = await hub();
      for (const [value, expected] of list)
        expect({ value, leads: await change('hub', id, name, value) }).toEqual({ value, leads: expected });
      expect(await leads('hub', id, name)).toEqual(list.at(-1)?.[1]);
    });

    // What each form means is in src/pipeline/plan/plan-write.test.ts.
    it('can be created with the document, and names targets by row id as well', async () => {
      const row = (await api.read(`/api/spokes/${s1}`)).id;
      for (const form of [s1, { connect: [s1] }, row, { set: [{ id: String(row) }] }]) {
        const made = await api.write('POST', `/api/hubs?populate=${name}`, { name: 'made', [name]: form });
        expect([nameOf(made[name])].flat()).toEqual(['s1']);
        const gone = await change('hub', String(made.documentId), name, { disconnect: [{ id: row }] });
        expect([gone].flat().filter((each) => each !== null)).toEqual([]);
      }
    });

    it('is empty after the target is deleted', async () => {
      const id = await hub();
      const { documentId } = await api.write('POST', '/api/spokes', { name: 'short-lived' });
      expect([await change('hub', id, name, documentId)].flat()).toEqual(['short-lived']);
      await api.ask('full', 'DELETE', `/api/spokes/${String(documentId)}`);
      expect([await leads('hub', id, name)].flat().filter((each) => each !== null)).toEqual([]);
    });
  });

  describe('what cannot be found', () => {
    const wrong: readonly (readonly [value: unknown, message: string])[] = [
      ['zzz', 'oneWayMm: there is no document of api::spoke.spoke with the documentId "zzz" that you may find'],
      [{ connect: [at(s0, { before: 'zzz' })] }, 'with the documentId "zzz"'],
      [{ connect: [at(s0, { after: s3 })] }, 'neither linked nor connected'],
      [{ connect: [at(s0, { before: s1 }), at(s1, { before: s0 })] }, 'circle'],
      [{ set: [99_999, { id: 99_998 }] }, 'oneWayMm: there is no row of api::spoke.spoke with the id 99999, 99998 that'],
      ...[-1, 1.5, 1e15].map((id) => [{ id }, 'oneWayMm: a row id is a whole number from 1'] as const),
      [{ add: [s0] }, 'Invalid key add at oneWayMm'],
    ];
    it('is a 400, and the relation stays', async () => {
      const id = await hub();
      await change('hub', id, 'oneWayMm', [s2]);
      for (const [value, message] of wrong) {
        const error = errorOf(await api.ask('full', 'PATCH', `/api/hubs/${id}`, { name: 'changed', oneWayMm: value }));
        expect(error, JSON.stringify(value)).toMatchObject({
          status: 400,
          name: 'ValidationError',
          message: expect.stringContaining(message),
        });
      }
      expect(await api.read(`/api/hubs/${id}?populate=oneWayMm`)).toMatchObject({ name: 'hub', oneWayMm: [{ name: 's2' }] });
    });
  });

  // Lists of both sides and their order are in relation-order.test.ts; one to one is recorded ('one to one stealing').
  describe('both sides', () => {
    let a: string;
    let b: string;
    beforeAll(async () => {
      a = await hub('a');
      b = await hub('b');
    });

    it('one-way links are shared', async () => {
      for (const name of ['oneWayOne', 'columnOne', 'oneWayParent', 'columnParent', 'oneWayMany', 'oneWayMm', 'twoWayMm']) {
        await change('hub', a, name, [s0]);
        await change('hub', b, name, [s0]);
        expect([await leads('hub', a, name)].flat()).toEqual(['s0']);
      }
    });

    it('with itself: one to one', async () => {
      const [c, d] = [await hub('c'), await hub('d')];
      expect(await change('hub', c, 'selfOne', c)).toBe('c');
      expect(await leads('hub', c, 'selfOneBack')).toBe('c');
      expect(await change('hub', d, 'selfOne', c)).toBe('c');
      expect([await leads('hub', c, 'selfOneBack'), await leads('hub', c, 'selfOne')]).toEqual(['d', null]);
      expect(await change('hub', d, 'selfOneBack', c)).toBe('c');
      expect([await leads('hub', c, 'selfOne'), await leads('hub', d, 'selfOne')]).toEqual(['d', 'c']);
    });

    it('with itself: parents and children', async () => {
      const [c, d, e] = [await hub('c'), await hub('d'), await hub('e')];
      expect(await change('hub', c, 'children', [d, e])).toEqual(['d', 'e']);
      expect(await change('hub', d, 'parent', e)).toBe('e');
      expect([await leads('hub', c, 'children'), await leads('hub', e, 'children')]).toEqual([['e'], ['d']]);
      expect(await change('hub', c, 'parent', c)).toBe('c');
      expect(await leads('hub', c, 'children')).toEqual(['e', 'c']);
    });
  });

  describe('polymorphic', () => {
    it('morphToOne, and its other side', async () => {
      const [c, d] = [await hub('c'), await hub('d')];
      expect(await change('hub', c, 'anyOne', spoke(s0))).toBe('s0');
      expect([await leads('spoke', s0, 'ofOne'), await leads('spoke', s0, 'ofOnes')]).toEqual(['c', ['c']]);
      expect(await change('hub', d, 'anyOne', { connect: [spoke(s0)] })).toBe('s0');
      expect(await leads('spoke', s0, 'ofOnes')).toEqual(['c', 'd']);
      expect(await change('hub', d, 'anyOne', { __type: hubUid, documentId: c })).toBe('c');
      expect(await change('hub', d, 'anyOne', { disconnect: [{ __type: hubUid, documentId: c }] })).toBeNull();
      expect(await change('spoke', s1, 'ofOne', d)).toBe('d');
      expect(await leads('hub', d, 'anyOne')).toBe('s1');
      expect(await change('spoke', s2, 'ofOnes', [c, d])).toEqual(['c', 'd']);
      expect([await leads('hub', c, 'anyOne'), await leads('spoke', s1, 'ofOne')]).toEqual(['s2', null]);
      expect(await change('spoke', s2, 'ofOnes', { disconnect: [c] })).toEqual(['d']);
      expect(await leads('hub', c, 'anyOne')).toBeNull();
      expect(await change('spoke', s2, 'ofOnes', null)).toEqual([]);
    });

    it('morphToMany, of several types in one order', async () => {
      const [c, d] = [await hub('c'), await hub('d')];
      const toD = { __type: hubUid, documentId: d };
      expect(await change('hub', c, 'anyMany', [spoke(s0), toD, spoke(s1)])).toEqual(['s0', 'd', 's1']);
      const before = spoke(s2, { position: { before: d, __type: hubUid } });
      expect(await change('hub', c, 'anyMany', { connect: [before], disconnect: [spoke(s0)] })).toEqual(['s2', 'd', 's1']);
      expect(await change('hub', c, 'anyMany', { connect: [spoke(s3, { position: { start: true } })] })).toEqual(['s3', 's2', 'd', 's1']);
      expect(await change('hub', c, 'anyMany', { set: [toD] })).toEqual(['d']);
      expect(await change('hub', c, 'anyMany', null)).toEqual([]);
      expect(await change('spoke', s3, 'ofMany', [c, d])).toEqual(['c', 'd']);
      expect(await leads('hub', d, 'anyMany')).toEqual(['s3']);
      expect(await change('spoke', s3, 'ofMany', { connect: [at(c, { end: true })] })).toEqual(['d', 'c']);
      expect(await change('spoke', s3, 'ofManyOne', c)).toBe('c');
      expect(await change('spoke', s3, 'ofMany', [])).toEqual([]);
      expect(await leads('spoke', s3, 'ofManyOne')).toBe('c');
      await api.ask('full', 'DELETE', `/api/hubs/${c}`);
      expect(await leads('spoke', s3, 'ofManyOne')).toBeNull();
    });

    it('links to a deleted target by its type and id are removed with it, although no foreign key does that', async () => {
      const { documentId } = await api.write('POST', '/api/spokes', { name: 'short-lived' });
      const target = spoke(String(documentId));
      const id = await hub();
      await api.write('PATCH', `/api/hubs/${id}`, { anyOne: target, anyMany: [spoke(s0), target], part: { any: [target] } });
      await api.ask('full', 'DELETE', `/api/spokes/${String(documentId)}`);
      expect(await projectProblems(api.project)).toEqual([]);
      expect([await leads('hub', id, 'anyOne'), await leads('hub', id, 'anyMany')]).toEqual([null, ['s0']]);
    });
  });

  describe('targets that the caller may not find', () => {
    const send = (who: string, data: object) => api.ask(who, 'POST', '/api/hubs?populate=*', { name: 'rights', ...data });
    const toSecret = { __type: 'api::secret.secret' };
    const refused: readonly (readonly [what: string, data: (documentId: string) => object, path: string])[] = [
      ['in a list of components', (documentId) => ({ parts: [{}, { many: [documentId] }] }), 'parts.many'],
      ['to be disconnected', (documentId) => ({ part: { many: { disconnect: [documentId] } } }), 'part.many'],
      ['in a component of a component', (documentId) => ({ part: { more: { to: documentId } } }), 'part.more.to'],
      ['deep in a zone', (documentId) => ({ zone: [{ __component: 'part.link', more: { to: documentId } }] }), 'zone.more.to'],
      ['of morphToOne', (documentId) => ({ anyOne: { ...toSecret, documentId } }), 'anyOne'],
      ['among others of morphToMany', (documentId) => ({ anyMany: [spoke(s0), { ...toSecret, documentId }] }), 'anyMany'],
      ['as an anchor', (before) => ({ anyMany: { connect: [spoke(s0, { position: { ...toSecret, before } })] } }), 'anyMany'],
      ['polymorphic in a component', (documentId) => ({ part: { any: { connect: [{ ...toSecret, documentId }] } } }), 'part.any'],
    ];
    it.each(refused)('a target %s that the caller may not find: 400, whether it is there or not', async (what, data, path) => {
      const responses = [await send('builder', data(hush)), await send('builder', data('aaaaaaaaaaaaaaaaaaaaaaaa'))];
      const key = path.split('.').at(-1);
      for (const response of responses)
        expect(errorOf(response)).toMatchObject({ status: 400, name: 'ValidationError', details: { key, path, source: 'body' } });
      expect(responses[0]?.text).toBe(responses[1]?.text);
      // A caller who may find the document gets the actual result.
      expect((await send('full', data(hush))).status).toBe(what === 'as an anchor' ? 400 : 201);
    });

    it('clearing is refused like setting', async () => {
      for (const value of [null, [], { set: [] }, { connect: [] }]) expect((await send('blind', { oneWayOne: value })).status).toBe(400);
      expect((await send('blind', { name: 'nothing linked' })).status).toBe(201);
    });

    it('the caller may link documents that it may find, and gets them in the response', async () => {
      const response = await send('builder', { oneWayMm: [s0], part: { to: s1 }, anyOne: spoke(s2) });
      expect({ status: response.status, linked: nameOf(dataOf(response).oneWayMm), any: nameOf(dataOf(response).anyOne) }).toEqual({
        status: 201,
        linked: ['s0'],
        any: 's2',
      });
    });

    it('links of others stay when the caller changes something else', async () => {
      const id = await hub();
      const before = await api.write('PATCH', `/api/hubs/${id}?populate[part][populate]=many`, { part: { label: 'x', many: [hush] } });
      const response = await api.ask('builder', 'PATCH', `/api/hubs/${id}?populate[part][populate]=*`, { name: 'renamed' });
      expect(response.text).not.toContain('hush');
      expect(await api.read(`/api/hubs/${id}?populate[part][populate]=many`)).toMatchObject({ name: 'renamed', part: before.part });
    });
  });
});
