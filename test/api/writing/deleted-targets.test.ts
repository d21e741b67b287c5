/** Links to a document by type and id (morphToOne, morphToMany) are removed with it, although no foreign key does that. */
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import { openDatabase } from '../../../src/dialects/open-database.ts';
import { loadModel } from '../../../src/model/load/load-model.ts';
import { engines } from '../../support/engines.ts';
import { integrityProblems } from '../../support/integrity.ts';
import { idOf, useOwnLibrary } from '../../support/library/library.ts';

describe.each(engines)('%s: deleting', (engine) => {
  const library = useOwnLibrary(engine);
  it.each([
    ['writers', idOf('writer', 'ada')],
    ['shelves', idOf('shelf', 'north')],
  ])('%s leaves nothing that points at them', async (plural, id) => {
    expect((await library.ask('full', { method: 'DELETE', path: `/api/${plural}/${id}` })).status).toBe(204);
    const config = loadConfig({ dir: library.project.dir, environment: library.project.env, overrides: {} });
    const loaded = loadModel(library.project.dir, { customFields: {}, asStrapi: false });
    if (!config.ok || !loaded.ok) throw new Error('the library does not load');
    const database = await openDatabase(config.config.database, { create: false, statementTime: 60_000 });
    const problems = await database.read((connection) => integrityProblems(connection, database.dialect, loaded.model));
    await database.close();
    expect(problems).toEqual([]);
  });
});
