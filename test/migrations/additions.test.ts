/** What the start adds by itself, and what it leaves alone. */
import { describe, expect, it, vi } from 'vitest';
import { prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { engines, speaksMysql } from '../support/engines.ts';
import { auto, columnsOf, modelOf, plan, run, string, tableNames, text, useMadeDatabases } from '../support/migrations.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.each(engines)('%s', (engine) => {
  const made = useMadeDatabases(engine);

  it('only adds at the start', async () => {
    const database = await made({ note: { title: string, gone: text, pages: string }, tag: {} });
    const changed = modelOf({ note: { headline: string, pages: { type: 'integer' } } });
    const done = await prepareDatabase(database, changed, auto);
    expect(done).toMatchObject({
      ok: true,
      outcome: 'extended',
      statements: [
        'ALTER TABLE "notes" ADD COLUMN "headline" varchar(255)',
        // MariaDB and MySQL have no indexes of published rows alone.
        ...(speaksMysql(engine) ? [] : [expect.stringMatching(/^CREATE INDEX "lectern_notes_headline_searched"/)]),
      ],
    });
    expect(await columnsOf(database, 'notes')).toEqual(expect.arrayContaining(['title', 'gone', 'pages', 'headline']));
    expect(await tableNames(database)).toContain('tags');
  });

  it('has a table for idempotency keys, each of them once', async () => {
    const database = await made({});
    expect(await columnsOf(database, 'lectern_idempotency_keys')).toEqual([
      'id',
      'key_hash',
      'request_hash',
      'status',
      'body',
      'created_at',
    ]);
    const insert = "INSERT INTO lectern_idempotency_keys (key_hash) VALUES ('k')";
    await run(database, insert);
    await expect(run(database, insert)).rejects.toThrow(/unique|duplicate/i);
  });

  it('recognises a database that was created before there was a record', async () => {
    const before = { note: { title: string, body: text } };
    const database = await made(before, 'DROP TABLE lectern_schema', 'DROP TABLE lectern_idempotency_keys');
    expect(await prepareDatabase(database, modelOf(before), auto)).toMatchObject({ outcome: 'extended' });
    expect((await plan(database, modelOf({ note: { title: string } }))).destructive).toMatchObject([{ column: 'body' }]);
  });
});
