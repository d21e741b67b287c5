/** A table may have any name, also one that a statement might choose for a part of itself. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';

function tableNamed(collectionName: string) {
  const attributes = { title: { type: 'string' }, next: relation('oneToOne', 'leaf') };
  const files = schemaFiles({ leaf: { drafts: true, attributes } });
  const path = 'src/api/leaf/content-types/leaf/schema.json';
  return { ...files, [path]: { ...(files[path] as Json), collectionName } };
}

describe.each(engines)('%s', (engine) => {
  describe.each(['page', 'found', 'l1', 't1', 'order'])('the table %s', (name) => {
    const api = useProject(engine, { files: tableNamed(name) });

    it('is read with its relations, filtered and sorted', async () => {
      const first = String((await api.write('POST', '/api/leafs', { title: 'first' })).documentId);
      await api.write('POST', '/api/leafs', { title: 'second', next: first });
      const query = 'filters[title][$contains]=s&filters[next][title]=first&sort=title&populate[next][populate]=next';
      const response = await api.ask('full', 'GET', `/api/leafs?${query}`);
      expect(response.json()).toMatchObject({ data: [{ title: 'second', next: { title: 'first', next: null } }] });
    });
  });
});
