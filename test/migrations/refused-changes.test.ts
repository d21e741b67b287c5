/** MariaDB commits each change of a table at once. Changes that could not be run again after an interruption are refused, and nothing changes. */
import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { useProject } from '../support/served-project.ts';

const string = { type: 'string' };
const note = (attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>, options: object = {}) =>
  schemaFiles({ note: { ...options, attributes } });
const made = note({ title: string, text: string });

/** The same type in another table. */
const inTable = (name: string) => Object.fromEntries(Object.entries(made).map(([path, schema]) => [path, renamed(schema, name)]));
const renamed = (schema: unknown, name: string) =>
  typeof schema === 'object' && schema !== null && 'collectionName' in schema ? { ...schema, collectionName: name } : schema;

describe.runIf(engines.includes('mariadb'))('mariadb: changes that cannot be undone', () => {
  const api = useProject('mariadb', {
    files: made,
    // Otherwise the start adds the new names, and leaves the old ones.
    env: { LECTERN_MIGRATE: 'never' },
    types: [{ type: 'api::note.note', documents: [{ key: 'first', status: 'published', data: { title: 'First' } }] }],
  });
  const columns = () =>
    api.query(
      "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN ('notes', 'remarks') ORDER BY 1, 2",
    );
  const titles = async () => (await api.ask('full', 'GET', '/api/notes')).text;

  it.each<readonly [string, ReturnType<typeof schemaFiles>, readonly string[]]>([
    ['a switched option', note({ title: string, text: string }, { drafts: true }), []],
    ['a renamed table', inTable('remarks'), ['--rename', 'api::note.note=api::note.note']],
    ['a renamed attribute', note({ heading: string, text: string }), ['--rename', 'api::note.note.title=heading']],
    ['an attribute that is set aside', note({ title: string }), ['--allow-destructive']],
  ])('%s', async (_, changed, choices) => {
    const [before, read] = [await columns(), await titles()];
    await api.restart(changed);
    const applied = await api.command('migrate', 'apply', ...choices);
    expect(applied.status).toBe(1);
    expect(applied.stderr).toContain('cannot undo changes of tables');
    await api.restart(made);
    expect([await columns(), await titles()]).toEqual([before, read]);
  });
});
