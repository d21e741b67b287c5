/** Which links a caller may write: targets that the caller may not find, in any position of a body. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { hush, nameOf, s0, s1, s2, spoke, useHubs } from '../../support/hubs.ts';
import { dataOf, errorOf } from '../../support/served-project.ts';

describe.each(engines)('%s: rights to link', (engine) => {
  const { api, hub } = useHubs(engine);

  const send = (who: string, data: object) => api.ask(who, 'POST', '/api/hubs?populate=*', { name: 'rights', ...data });
  const toSecret = { __type: 'api::secret.secret', documentId: hush };
  const missing = { __type: 'api::secret.secret', documentId: 'aaaaaaaaaaaaaaaaaaaaaaaa' };
  const refused: readonly (readonly [what: string, data: (target: { documentId: string }) => object, path: string, whenAllowed: number])[] =
    [
      ['in a component', (target) => ({ part: { many: [target] } }), 'part.many', 201],
      ['to be disconnected', (target) => ({ part: { many: { disconnect: [target] } } }), 'part.many', 201],
      ['in a list of components', (target) => ({ parts: [{}, { many: [target] }] }), 'parts.many', 201],
      ['in a component of a component', (target) => ({ part: { more: { to: target } } }), 'part.more.to', 201],
      ['in a zone', (target) => ({ zone: [{ __component: 'part.link', many: [target] }] }), 'zone.many', 201],
      ['deep in a zone', (target) => ({ zone: [{ __component: 'part.link', more: { to: target } }] }), 'zone.more.to', 201],
      ['of morphToOne', (target) => ({ anyOne: { ...toSecret, ...target } }), 'anyOne', 201],
      ['among others of morphToMany', (target) => ({ anyMany: [spoke(s0), { ...toSecret, ...target }] }), 'anyMany', 201],
      [
        'as an anchor',
        ({ documentId }) => ({ anyMany: { connect: [spoke(s0, { position: { __type: toSecret.__type, before: documentId } })] } }),
        'anyMany',
        400,
      ],
      ['polymorphic in a component', (target) => ({ part: { any: { connect: [{ ...toSecret, ...target }] } } }), 'part.any', 201],
    ];
  it.each(refused)('a target %s that the caller may not find: 400, whether it is there or not', async (_what, data, path, whenAllowed) => {
    const responses = [await send('builder', data({ documentId: hush })), await send('builder', data({ documentId: missing.documentId }))];
    const key = path.split('.').at(-1);
    for (const response of responses) {
      expect(errorOf(response)).toMatchObject({ status: 400, name: 'ValidationError', details: { key, path, source: 'body' } });
    }
    expect(responses[0]?.text).toBe(responses[1]?.text);
    // A caller who may find the document gets the actual result.
    expect((await send('full', data({ documentId: hush }))).status).toBe(whenAllowed);
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
