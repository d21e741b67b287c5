/** Several writers at once: `If-Match`, `Idempotency-Key`, races for values, documents and targets. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { dataOf, errorOf, type Json, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    person: {
      attributes: {
        name: { type: 'string', minLength: 2 },
        code: { type: 'string', unique: true },
        card: relation('oneToOne', 'card', { inversedBy: 'person' }),
        pets: relation('oneToMany', 'pet', { mappedBy: 'owner' }),
        tags: relation('manyToMany', 'tag', { inversedBy: 'persons' }),
        seal: component('seal'),
      },
    },
    card: { attributes: { number: { type: 'string' }, person: relation('oneToOne', 'person', { mappedBy: 'card' }) } },
    pet: { attributes: { name: { type: 'string' }, owner: relation('manyToOne', 'person', { inversedBy: 'pets' }) } },
    tag: { attributes: { name: { type: 'string' }, persons: relation('manyToMany', 'person', { mappedBy: 'tags' }) } },
    page: { drafts: true, attributes: { title: { type: 'string' }, slug: { type: 'uid' } } },
    notice: { single: true, attributes: { text: { type: 'string' } } },
  },
  { seal: { key: { type: 'string', unique: true } } },
);
const create = ['api::person.person.create', 'api::person.person.update', 'api::person.person.find'];
const options = { files, public: create, tokens: { one: create, two: create } };

const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const statusesOf = (responses: readonly HttpResponse[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const pathOf = (type: string, { documentId }: Json) => `/api/${type}s/${String(documentId)}`;

describe.each(engines)('%s', (engine) => {
  const api = useProject(engine, options);

  describe('If-Match', () => {
    const make = async () => {
      const created = await api.ask('full', 'POST', '/api/persons', { name: 'First' });
      return { path: pathOf('person', dataOf(created)), tag: String(created.headers.etag) };
    };
    const patch = (path: string, ifMatch: string, name = 'Changed') => api.ask('full', 'PATCH', path, { name }, { 'If-Match': ifMatch });
    const nameOf = async (path: string) => (await api.read(path)).name;

    // What else stands for no version is in src/http/etag.test.ts.
    const forms: readonly (readonly [what: string, header: (tag: string) => string, status: number])[] = [
      ['the tag', (tag) => tag, 200],
      ['a list with the tag of another response with the same version', (tag) => `"other", ${tag.replace(/\.[^"]*"/, '.other"')}`, 200],
      ['anything', () => '*', 200],
      ['a weak tag', (tag) => `W/${tag}`, 412],
      ['another tag', () => '"other"', 412],
      ['10 KB of quotes', () => '"'.repeat(10_000), 412],
    ];
    it.runIf(anyEngine.includes(engine)).each(forms)('%s: PUT, PATCH and DELETE', async (_what, header, status) => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const { path, tag } = await make();
        const data = method === 'DELETE' ? undefined : { name: 'Changed', code: null };
        const response = await api.ask('full', method, path, data, { 'If-Match': header(tag) });
        expect(response.status).toBe(status === 200 && method === 'DELETE' ? 204 : status);
        if (status !== 412) continue;
        expect(errorOf(response)).toMatchObject({ name: 'PreconditionFailedError', message: expect.stringContaining('If-Match') });
        expect(await nameOf(path)).toBe('First');
      }
    });

    it('a tag is outdated after any write of any client, and that of each response is valid for the next write', async () => {
      const { path, tag } = await make();
      const first = await patch(path, tag);
      expect(first.status).toBe(200);
      expect((await patch(path, tag, 'Again')).status).toBe(412);
      expect((await patch(path, String(first.headers.etag), 'Next')).status).toBe(200);
      expect(await nameOf(path)).toBe('Next');
      const read = String((await api.ask('full', 'GET', path)).headers.etag);
      expect((await api.ask('one', 'PATCH', path, {})).status).toBe(200);
      expect((await patch(path, read)).status).toBe(412);
    });

    it('of many writers with the same tag one succeeds', async () => {
      const { path, tag } = await make();
      const responses = await Promise.all(times(20).map((index) => patch(path, tag, `Writer ${index}`)));
      expect(statusesOf(responses)).toEqual({ 200: 1, 412: 19 });
      const winner = responses.findIndex(({ status }) => status === 200);
      expect(await nameOf(path)).toBe(`Writer ${winner}`);
    });

    it('tags of draft and published version both stand for the document', async () => {
      const created = await api.ask('full', 'POST', '/api/pages', { title: 'Page' });
      const path = pathOf('page', dataOf(created));
      const draft = await api.ask('full', 'GET', `${path}?status=draft`);
      const send = (tag: unknown) => api.ask('full', 'PATCH', `${path}?status=draft`, { title: 'Ahead' }, { 'If-Match': String(tag) });
      expect((await send(draft.headers.etag)).status).toBe(200);
      expect((await send(draft.headers.etag)).status).toBe(412);
      const act = (action: string, tag: string) => api.ask('full', 'POST', `${path}/actions/${action}`, undefined, { 'If-Match': tag });
      expect((await act('publish', String(draft.headers.etag))).status).toBe(412);
      expect((await api.read(path)).title).toBe('Page');
      expect((await act('publish', '*')).status).toBe(200);
      expect((await api.read(path)).title).toBe('Ahead');
    });

    it('where there is no document: 404 stays 404 without a condition, and the condition fails', async () => {
      const path = '/api/persons/aaaaaaaaaaaaaaaaaaaaaaaa';
      expect((await api.ask('full', 'PATCH', path, {})).status).toBe(404);
      expect((await patch(path, '*')).status).toBe(412);
      expect((await api.ask('full', 'PUT', '/api/notice', { text: 'x' }, { 'If-Match': '*' })).status).toBe(412);
      expect((await api.ask('full', 'GET', '/api/notice')).status).toBe(404);
    });
  });

  describe('Idempotency-Key', () => {
    const post = (who: string, key: string, data: object = { name: 'Once' }, query = '') =>
      api.ask(who, 'POST', `/api/persons${query}`, data, { 'Idempotency-Key': key });
    const count = async () => Number((await api.query('SELECT COUNT(*) FROM persons'))[0]?.[0]);
    const adding = async (work: () => Promise<unknown>) => {
      const before = await count();
      await work();
      return (await count()) - before;
    };

    it('the same key and body: the first response again, and one document', async () => {
      const added = await adding(async () => {
        const first = await post('full', 'same');
        expect({ status: first.status, replayed: first.headers['idempotent-replayed'] }).toEqual({ status: 201, replayed: undefined });
        await api.write('PATCH', pathOf('person', dataOf(first)), { name: 'Changed since' });
        const second = await post('full', 'same');
        expect({ status: second.status, text: second.text, replayed: second.headers['idempotent-replayed'] }).toEqual({
          status: 201,
          text: first.text,
          replayed: 'true',
        });
      });
      expect(added).toBe(1);
    });

    it('digits that a JavaScript number would lose make another body', async () => {
      const send = (digits: string) =>
        api.send('full', {
          method: 'POST',
          path: '/api/persons',
          headers: { 'Idempotency-Key': 'digits' },
          body: `{"data":{"name":"Once"},"n":${digits}}`,
        });
      expect((await send('9007199254740993')).status).toBe(201);
      expect(errorOf(await send('9007199254740992'))).toMatchObject({ status: 422, name: 'UnprocessableEntityError' });
    });

    it('each caller has separate keys, which are case-sensitive', async () => {
      const added = await adding(async () => {
        const responses = [
          await post('one', 'shared'),
          await post('two', 'shared'),
          await post('public', 'shared'),
          await post('one', 'Shared'),
        ];
        expect(new Set(responses.map((response) => dataOf(response).documentId)).size).toBe(4);
        expect((await post('two', 'shared', { name: 'Else' })).status).toBe(422);
      });
      expect(added).toBe(4);
    });

    it('the query is part of the request', async () => {
      const [all, some] = [await post('full', 'query'), await post('full', 'query', { name: 'Once' }, '?fields=name')];
      expect(dataOf(some).documentId).not.toBe(dataOf(all).documentId);
    });

    it('many at once: one document, one response', async () => {
      const added = await adding(async () => {
        const responses = await Promise.all(times(20).map(() => post('full', 'at once')));
        expect(statusesOf(responses)).toEqual({ 201: 20 });
        expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
        expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length).toBe(19);
      });
      expect(added).toBe(1);
    });

    it('the response to a failed write is not stored', async () => {
      const added = await adding(async () => {
        expect((await post('full', 'failed', { name: 'x' })).status).toBe(400);
        expect((await post('full', 'failed', { nope: 1 })).status).toBe(400);
        expect((await post('full', 'failed', { card: 'nobody' })).status).toBe(400);
        expect((await post('full', 'failed', { name: 'Fine' })).status).toBe(201);
        expect((await post('full', 'failed', { name: 'Else' })).status).toBe(422);
      });
      expect(added).toBe(1);
    });

    it('has no effect without the right, nor with other methods', async () => {
      expect((await api.ask('one', 'POST', '/api/cards', { number: '1' }, { 'Idempotency-Key': 'right' })).status).toBe(403);
      const path = await api.make('/api/persons', { name: 'Patched' });
      const patch = (name: string) => api.ask('full', 'PATCH', path, { name }, { 'Idempotency-Key': 'patch' });
      expect(dataOf(await patch('Aa')).name).toBe('Aa');
      expect(dataOf(await patch('Bb')).name).toBe('Bb');
    });

    it('a key has 1 to 255 characters', async () => {
      for (const key of ['', ' ', 'x'.repeat(256)])
        expect(await adding(async () => expect((await post('full', key)).status).toBe(400))).toBe(0);
      for (const key of ['x'.repeat(255), '"quoted"', "'; DROP TABLE lectern_idempotency_keys; --", 'caf\u00e9']) {
        const [first, second] = [await post('full', key), await post('full', key)];
        expect(dataOf(second).documentId).toBe(dataOf(first).documentId);
      }
    });

    it('stores neither keys nor bodies as they were sent', async () => {
      await post('full', 'a key to be kept', { name: 'a body to be kept' });
      const kept = JSON.stringify(await api.query('SELECT key_hash, request_hash FROM lectern_idempotency_keys'));
      expect(kept).not.toContain('to be kept');
    });
  });

  describe('races', () => {
    const make = (type: string, data: object = {}) => api.write('POST', `/api/${type}s`, data);

    it('for a unique value: one succeeds, the others get an error', async () => {
      const responses = await Promise.all(times(20).map(() => api.ask('full', 'POST', '/api/persons', { code: 'wanted' })));
      expect(statusesOf(responses)).toEqual({ 201: 1, 400: 19 });
      for (const response of responses.filter(({ status }) => status === 400))
        expect(errorOf(response).message).toBe('code must be unique: another document has this value already');
      expect(await api.query("SELECT COUNT(*) FROM persons WHERE code = 'wanted'")).toEqual([[1]]);
      const people = await Promise.all(times(10).map(() => make('person')));
      const updates = people.map((person) => api.ask('full', 'PATCH', pathOf('person', person), { code: 'by update' }));
      expect(statusesOf(await Promise.all(updates))).toEqual({ 200: 1, 400: 9 });
    });

    it('for the document of a single type: it is made once', async () => {
      const responses = await Promise.all(times(8).map(() => api.ask('full', 'PATCH', '/api/notice', { text: 'Once' })));
      expect(statusesOf(responses)).toEqual({ 200: 8 });
      expect(await api.query('SELECT COUNT(*) FROM notices')).toEqual([[1]]);
    });

    it('for a unique value of a component, and for a uid that is published', async () => {
      const sealed = await Promise.all(times(10).map(() => api.ask('full', 'POST', '/api/persons', { seal: { key: 'wanted' } })));
      expect(statusesOf(sealed)).toEqual({ 201: 1, 400: 9 });
      expect(await api.query('SELECT COUNT(*) FROM components_part_seals WHERE "key" = \'wanted\'')).toEqual([[1]]);
      const drafts = await Promise.all(times(10).map(() => api.write('POST', '/api/pages?status=draft', { slug: 'wanted' })));
      const published = await Promise.all(drafts.map((draft) => api.ask('full', 'POST', `${pathOf('page', draft)}/actions/publish`)));
      expect(statusesOf(published)).toEqual({ 200: 1, 400: 9 });
    });

    it('for one document: 30 writers connect something each, and nothing is lost', async () => {
      const person = await make('person');
      const tags = await Promise.all(times(30).map((index) => make('tag', { name: String(index) })));
      const responses = await Promise.all(
        tags.map(({ documentId }) => api.ask('full', 'PATCH', pathOf('person', person), { tags: { connect: [documentId] } })),
      );
      expect(statusesOf(responses)).toEqual({ 200: 30 });
      const links = await api.query(`SELECT tag_id, tag_ord FROM persons_tags_lnk WHERE person_id = ${String(person.id)}`);
      expect(new Set(links.map(([tag]) => tag))).toEqual(new Set(tags.map(({ id }) => id)));
      expect(links.map(([, order]) => Number(order)).sort((a, b) => a - b)).toEqual(times(30).map((index) => index + 1));
    });

    it('for one link from both sides: it is stored once', async () => {
      for (const _ of times(3)) {
        const [person, tag] = [await make('person'), await make('tag')];
        const responses = await Promise.all([
          api.ask('full', 'PATCH', pathOf('person', person), { tags: { connect: [tag.documentId] } }),
          api.ask('full', 'PATCH', pathOf('tag', tag), { persons: { connect: [person.documentId] } }),
        ]);
        expect(statusesOf(responses)).toEqual({ 200: 2 });
        expect(await api.query(`SELECT COUNT(*) FROM persons_tags_lnk WHERE tag_id = ${String(tag.id)}`)).toEqual([[1]]);
      }
    });

    it('for a one-to-one target: one owner is left', async () => {
      const card = await make('card');
      const created = await Promise.all(times(15).map(() => api.ask('full', 'POST', '/api/persons', { card: card.documentId })));
      expect(statusesOf(created)).toEqual({ 201: 15 });
      const links = `SELECT COUNT(*) FROM persons_card_lnk WHERE card_id = ${String(card.id)}`;
      expect(await api.query(links)).toEqual([[1]]);
      const patched = await Promise.all(
        created.map((response) => api.ask('full', 'PATCH', pathOf('person', dataOf(response)), { card: { connect: [{ id: card.id }] } })),
      );
      expect(statusesOf(patched)).toEqual({ 200: 15 });
      expect(await api.query(links)).toEqual([[1]]);
    });

    it.each(['documentId', 'id'])('for a target from both sides, named by %s: one owner is left', async (by) => {
      for (const _ of times(4)) {
        const [first, second, card, pet] = await Promise.all([make('person'), make('person'), make('card'), make('pet')]);
        const named = (target: Json) => ({ [by]: target[by] });
        const responses = await Promise.all([
          api.ask('full', 'PATCH', pathOf('person', first), { card: named(card), pets: [named(pet)] }),
          api.ask('full', 'PATCH', pathOf('card', card), { person: named(second) }),
          api.ask('full', 'PATCH', pathOf('pet', pet), { owner: named(second) }),
        ]);
        expect(statusesOf(responses)).toEqual({ 200: 3 });
        expect(await api.query(`SELECT COUNT(*) FROM persons_card_lnk WHERE card_id = ${String(card.id)}`)).toEqual([[1]]);
        expect(await api.query(`SELECT COUNT(*) FROM pets_owner_lnk WHERE pet_id = ${String(pet.id)}`)).toEqual([[1]]);
      }
    });

    it('between linking a document and deleting it: no link refers to a missing document', async () => {
      for (const _ of times(5)) {
        const [person, card] = await Promise.all([make('person'), make('card')]);
        const [linked, deleted] = await Promise.all([
          api.ask('full', 'PATCH', pathOf('person', person), { card: card.documentId }),
          api.ask('full', 'DELETE', pathOf('card', card)),
        ]);
        expect([200, 400]).toContain(linked.status);
        expect(deleted.status).toBe(204);
        expect(await api.query(`SELECT COUNT(*) FROM persons_card_lnk WHERE card_id = ${String(card.id)}`)).toEqual([[0]]);
      }
    });

    it('between writing a document and deleting it: it is deleted completely', async () => {
      for (const index of times(5)) {
        const person = await make('person', { seal: { key: `gone ${index}` } });
        const responses = await Promise.all([
          ...times(4).map((round) => api.ask('full', 'PATCH', pathOf('person', person), { seal: { key: `gone ${index} ${round}` } })),
          api.ask('full', 'DELETE', pathOf('person', person)),
        ]);
        for (const { status } of responses) expect([200, 204, 404]).toContain(status);
        expect((await api.ask('full', 'GET', pathOf('person', person))).status).toBe(404);
      }
      expect(await api.query('SELECT COUNT(*) FROM components_part_seals WHERE "key" LIKE \'gone%\'')).toEqual([[0]]);
    });

    it('of readers: every response is one state of the document', async () => {
      const page = await make('page', { title: '0', slug: 'state-0' });
      const path = pathOf('page', page);
      const writes = (async () => {
        for (const round of times(10)) await api.write('PATCH', path, { title: String(round), slug: `state-${round}` });
      })();
      const reads = times(30).map(() => api.read(path));
      for (const read of await Promise.all(reads)) expect(read.slug).toBe(`state-${String(read.title)}`);
      await writes;
    });

    it('of readers: a document and its relations are of one state', async () => {
      const owner = await make('person', { name: 'state' });
      await make('pet', { name: 'state', owner: owner.documentId });
      const end = performance.now() + 250;
      const read = async () => {
        while (performance.now() < end) {
          const { name, pets } = await api.read(`${pathOf('person', owner)}?populate=pets`);
          for (const pet of pets as readonly Json[]) expect(pet.name).toBe(name);
        }
      };
      const write = async () => {
        for (let round = 0; performance.now() < end; round++) {
          // One transaction.
          await api.change(...['persons', 'pets'].map((table) => `UPDATE ${table} SET name = 'state ${round}' WHERE name LIKE 'state%'`));
        }
      };
      await Promise.all([write(), ...times(4).map(read)]);
    });
  });
});
