/** Bodies with very many problems: the first are listed, the others counted, and no response is many times as long as its body. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { component, schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';

const piece = { label: { type: 'text', minLength: 5 }, rank: { type: 'integer' }, flow: { type: 'blocks' } };
const attributes = {
  title: { type: 'string' },
  parts: component('piece', { repeatable: true }),
  zone: { type: 'dynamiczone', components: ['part.piece'] },
  flow: { type: 'blocks' },
};
const files = schemaFiles({ plain: { attributes }, drafted: { drafts: true, attributes } }, { piece });

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
/** Lists in lists: printed with indentation they are fifty times as long. */
const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)]);
const listed = 100;

describe.each(anyEngine)('%s: bounded errors', (engine) => {
  const api = useProject(engine, { files });
  const refused = async (path: string, data: unknown) => {
    const response = await api.ask('full', 'POST', path, data);
    expect(response.status).toBe(400);
    return { error: errorOf(response), bytes: response.raw.length };
  };

  it.each(['plain', 'drafted'])('values that are not components (%s)', async (type) => {
    for (const name of ['parts', 'zone']) {
      const { error, bytes } = await refused(`/api/${type}s`, { [name]: times(5000, () => 1) });
      expect(error.message).toMatch(/^500[01] errors occurred: the first 100 are listed, and 4,90[01] more are not$/);
      expect(error.details.errors).toHaveLength(listed);
      expect(error.details.errors?.[99]).toMatchObject({ path: [name, '99'], name: 'ValidationError' });
      expect(bytes).toBeLessThan(50_000);
      const { error: counted } = await refused(`/api/${type}s`, { [name]: times(5001, () => 1) });
      expect(counted.message).toBe('The body has more than 5000 components (limits.components)');
    }
  });

  it('values that do not fit, each printed at length', async () => {
    const { error, bytes } = await refused('/api/plains', { parts: times(4000, () => ({ rank: deep(90) })) });
    expect(error.message).toMatch(
      /^\d+ errors occurred: .*further values were not checked$|^100 errors occurred; further values were not checked$/,
    );
    expect(error.details.errors?.length).toBeLessThanOrEqual(listed);
    expect(bytes).toBeLessThan(1_000_000);
  });

  it('components that a zone does not have', async () => {
    const { error, bytes } = await refused('/api/plains', { zone: times(4000, () => ({ __component: 'no.such' })) });
    expect(error.message).toContain('and 3,900 more are not');
    expect(bytes).toBeLessThan(100_000);
  });

  it('nodes of blocks', async () => {
    const nodes = times(50_000, () => ({ type: 'nope' }));
    for (const data of [{ flow: nodes }, { parts: [{ flow: nodes }] }]) {
      const { error, bytes } = await refused('/api/plains', data);
      expect(error.message).toBe('100 errors occurred; further values were not checked');
      expect(error.details.errors).toHaveLength(listed);
      expect(bytes).toBeLessThan(100_000);
    }
  });

  it('components of other documents', async () => {
    const path = await api.make('/api/plains', { title: 'one' });
    const response = await api.ask('full', 'PATCH', path, { parts: times(4000, (index) => ({ id: index + 1 })) });
    expect(errorOf(response)).toMatchObject({ status: 400, message: expect.stringContaining('not related') });
    expect(response.raw.length).toBeLessThan(1000);
  });

  it('a draft that cannot be published', async () => {
    const path = await api.make('/api/drafteds?status=draft', { parts: times(300, () => ({ label: 'abc' })) });
    const response = await api.ask('full', 'POST', `${path}/actions/publish`);
    expect(errorOf(response).message).toMatch(/^100 errors occurred; further values were not checked$/);
    expect(errorOf(response).details.errors).toHaveLength(listed);
  });

  it('long values are omitted where the list has no space for them', async () => {
    const long = 'x'.repeat(40_000);
    const { error, bytes } = await refused('/api/plains', { parts: times(20, () => ({ flow: [{ type: long, children: [] }] })) });
    expect(error.details.errors).toHaveLength(20);
    expect(bytes).toBeLessThan(500_000);
  });

  it('up to a hundred are reported in full', async () => {
    const { error } = await refused('/api/plains', { parts: times(100, () => ({ rank: 'x' })) });
    expect(error.message).toBe('100 errors occurred');
    expect(error.details.errors).toHaveLength(listed);
    expect(error.details).not.toHaveProperty('more');
  });
});
