/** Documents with many components and relations: bounded, and no slower for each than a few are. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { errorOf, type Json, useProject } from '../../support/served-project.ts';

const attributes = {
  title: { type: 'string' },
  parts: component('piece', { repeatable: true }),
  others: component('piece', { repeatable: true }),
  zone: { type: 'dynamiczone', components: ['part.piece'] },
  friends: relation('manyToMany', 'plain'),
  anything: { type: 'relation', relation: 'morphToMany' },
  files: { type: 'media', multiple: true },
};
const files = schemaFiles(
  { plain: { attributes }, drafted: { drafts: true, attributes } },
  { piece: { rank: { type: 'integer' }, more: component('grain', { repeatable: true }) }, grain: { text: { type: 'string' } } },
);
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const pieces = (count: number) => times(count, (rank) => ({ rank }));
const inZone = (count: number) => times(count, () => ({ __component: 'part.piece' }));
/** A generous time, too short for work that grows with the square. */
const patience = 7000;

describe.each(anyEngine)('%s: limits of components and links', (engine) => {
  const api = useProject(engine, {
    files,
    env: { LECTERN_LIMITS_COMPONENTS: '20', LECTERN_LIMITS_LINKS: '30' },
  });
  const refused = async (method: string, path: string, data: object) => {
    const response = await api.ask('full', method, path, data);
    return `${response.status} ${errorOf(response).message}`;
  };

  it.each([
    ['in a list', { parts: pieces(21) }],
    ['in a zone', { zone: inZone(21) }],
    ['inside of components', { parts: [{ more: times(20, () => ({ text: 'a' })) }] }],
    ['in several attributes', { parts: pieces(10), zone: inZone(11) }],
  ])('a body with too many components %s', async (_, data) => {
    for (const type of ['plains', 'drafteds'])
      expect(await refused('POST', `/api/${type}`, data)).toBe('400 The body has more than 20 components (limits.components)');
  });

  it.each(['plains', 'drafteds'])('a document of %s that would get too many in several writes', async (type) => {
    const made = await api.write('POST', `/api/${type}?populate=parts&status=draft`, { parts: pieces(12) });
    const path = `/api/${type}/${String(made.documentId)}?status=draft`;
    const tooMany = '400 The document would have more than 20 components (limits.components)';
    expect(await refused('PATCH', path, { zone: inZone(9) })).toBe(tooMany);
    // Attributes of a component that a body does not name stay, and count.
    const [first, second] = (made.parts as Json[]).map(({ id }) => ({ id }));
    await api.write('PATCH', path, { parts: [{ ...first, more: times(10, () => ({})) }, second] });
    expect(await refused('PATCH', path, { parts: [first, { ...second, more: times(9, () => ({})) }] })).toBe(tooMany);
    await api.write('PATCH', path, { parts: pieces(12) });
    await api.write('PATCH', path, { zone: inZone(8) });
    expect(await refused('PATCH', path, { others: [{}] })).toBe(tooMany);
    await api.write('PATCH', path, { parts: [] });
    await api.write('PATCH', path, { others: pieces(12) });
  });

  it('a document that has too many already can be changed, made smaller and deleted, but not larger', async () => {
    const { documentId } = await api.write('POST', '/api/plains', { parts: pieces(20), title: 'large' });
    const path = `/api/plains/${String(documentId)}`;
    await api.change('INSERT INTO components_part_pieces (rank) SELECT 100 FROM components_part_pieces LIMIT 5');
    await api.change(
      `INSERT INTO plains_cmps (entity_id, cmp_id, component_type, field, "order") SELECT (SELECT id FROM plains WHERE document_id = '${String(documentId)}'), id, 'part.piece', 'parts', 50 FROM components_part_pieces WHERE rank = 100`,
    );
    await api.write('PATCH', path, { title: 'changed' });
    expect(await refused('PATCH', path, { zone: inZone(1) })).toContain('limits.components');
    await api.write('PATCH', path, { parts: pieces(20) });
    expect((await api.ask('full', 'DELETE', path)).status).toBe(204);
  });

  it('a body that names too many relation targets and files', async () => {
    const message = '400 The body names more than 30 relation targets and files (limits.links)';
    const ids = (count: number) => times(count, (index) => index + 1);
    for (const data of [
      { friends: ids(31) },
      { friends: { connect: ids(31) } },
      { friends: { connect: ids(16), disconnect: ids(15) } },
      { files: ids(31) },
      { anything: ids(31).map((id) => ({ __type: 'api::plain.plain', id })) },
      { friends: ids(16), files: ids(15) },
    ])
      expect(await refused('POST', '/api/plains', data)).toBe(message);
  });
});

describe.each(engines)('%s: many components and links', (engine) => {
  const api = useProject(engine, {
    files,
    env: {
      LECTERN_LIMITS_COMPONENTS: '100000',
      LECTERN_LIMITS_LINKS: '100000',
      LECTERN_LIMITS_BODY_BYTES: '10000000',
      LECTERN_LIMITS_STATEMENT_TIME: '60000',
    },
  });
  const within = async (work: () => Promise<unknown>) => {
    const started = Date.now();
    await work();
    expect(Date.now() - started).toBeLessThan(patience);
  };

  it('12,000 components: made, replaced by one, deleted', async () => {
    const path = await api.make('/api/plains?fields=id', { parts: times(12_000, () => ({})) });
    await within(() => api.write('PATCH', `${path}?fields=id`, { parts: [{}] }));
    expect(await api.query('SELECT COUNT(*) FROM plains_cmps')).toEqual([[1]]);
    await api.ask('full', 'DELETE', path);
  }, 60_000);

  it('2,500 alike, published and published again', async () => {
    const path = `${await api.make('/api/drafteds?fields=id', { parts: times(2500, () => ({ rank: 1 })) })}?fields=id`;
    await within(() => api.write('PATCH', path, { title: 'again' }));
    await within(() => api.ask('full', 'DELETE', path));
  }, 60_000);
});
