/** A table may have any name, also one that a statement might choose for a part of itself. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';

const tables = ['page', 'found', 'l1', 't1', 'order'];
const typeOf = (table: string) => `leaf${tables.indexOf(table)}`;

const schemas = schemaFiles(
  Object.fromEntries(
    tables.map(typeOf).map((type) => [type, { drafts: true, attributes: { title: { type: 'string' }, next: relation('oneToOne', type) } }]),
  ),
);
const files = Object.fromEntries(
  Object.entries(schemas).map(([path, schema], at) => [path, { ...(schema as Json), collectionName: tables[at] }]),
);

describe.each(engines)('%s', (engine) => {
  const api = useProject(engine, { files });

  it.each(tables)('the table %s is read with its relations, filtered and sorted', async (table) => {
    const path = `/api/${typeOf(table)}s`;
    const first = String((await api.write('POST', path, { title: 'first' })).documentId);
    await api.write('POST', path, { title: 'second', next: first });
    const query = 'filters[title][$contains]=s&filters[next][title]=first&sort=title&populate[next][populate]=next';
    const response = await api.ask('full', 'GET', `${path}?${query}`);
    expect(response.json()).toMatchObject({ data: [{ title: 'second', next: { title: 'first', next: null } }] });
  });
});
