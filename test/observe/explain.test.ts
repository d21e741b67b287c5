/** `lectern explain`: what one read does, as a caller with some rights would get it. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../support/engines.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { useProject } from '../support/served-project.ts';
import { run } from '../support/server.ts';

describe.each(engines)('%s: lectern explain', (engine) => {
  const served = useProject(engine, {
    files: schemaFiles({
      note: {
        attributes: {
          title: { type: 'string' },
          // No index finds it.
          flour: { type: 'string' },
          tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
        },
      },
      tag: { attributes: { name: { type: 'string' } } },
    }),
    types: [],
    public: ['api::note.note.find', 'api::note.note.findOne'],
    tokens: { tags: ['api::tag.tag.find'] },
  });
  const explain = (url: string, ...args: readonly string[]) =>
    run(['explain', url, '--dir', served.project.dir, ...args], served.environment);

  it('prints the stages, statements, plans, indexes and times of a read', async () => {
    const tag = await served.write('POST', '/api/tags', { name: 'rye' });
    await served.write('POST', '/api/notes', { flour: 'rye', tags: [tag.documentId] });
    const path = '/api/notes?filters[flour][$eq]=rye&populate=tags';
    const json = await explain(`https://api.example.org${path}`, '--as', 'full-access', '--json');
    expect(json.stderr).toBe('');
    const explained = JSON.parse(json.stdout);
    const { body } = await served.send('full', { path }).then(({ text }) => ({ body: text }));
    expect(explained).toMatchObject({ status: 200, bytes: Buffer.byteLength(body), statements: expect.any(Number) });
    expect(explained.stages.map(({ stage }: { stage: string }) => stage)).toEqual([
      'parse',
      'authorise',
      'plan',
      'compile',
      'execute',
      'render',
    ]);
    const ran = explained.plans.filter(({ milliseconds }: { milliseconds: readonly number[] }) => milliseconds.length > 0);
    expect(ran).toHaveLength(explained.statements);
    expect(JSON.stringify(ran.map(({ plan }: { plan: readonly string[] }) => plan))).toMatch(/SCAN|Scan| ALL /);
    // With one row, PostgreSQL uses none.
    const indexes = explained.plans.flatMap((each: { indexes: readonly string[] }) => each.indexes);
    if (engine === 'sqlite') expect(indexes.length).toBeGreaterThan(0);
    expect(explained.plans.flatMap(({ scans }: { scans: readonly string[] }) => scans)).toContain('notes');

    const text = await explain(path, '--as', 'full-access');
    expect([text.status, text.stderr]).toEqual([0, '']);
    // PostgreSQL reads all paths in one statement.
    const ids = engine === 'postgres' ? [] : ['(the ids of the rows above)'];
    for (const part of ['200, ', 'execute', 'SELECT', 'indexes advise', ...ids]) expect(text.stdout).toContain(part);
  });

  const refusals: readonly (readonly [string, readonly string[], string])[] = [
    ['/api/tags', [], '403 access.forbidden: Forbidden'],
    ['/api/notes?populate=tags', ['--as', 'tags'], '403 access.forbidden: Forbidden'],
    ['/api/notes?filters[tags][name]=rye', [], '400 '],
    ['/api/notes?sort=%1b[2J', ['--as', 'full-access'], '400 query.invalid-key: Invalid key \ufffd[2J'],
    ['/api/notes?sort=made-up', ['--as', 'full-access'], '400 '],
    ['/api/notes/aaaaaaaaaaaaaaaaaaaaaaaa', [], '404 document.not-found'],
    ['/api/other', [], '404 route.not-found'],
  ];
  it.runIf(anyEngine.includes(engine)).each(refusals)('%s %j is refused as the server does: %s', async (url, args, says) => {
    const { status, stdout, stderr } = await explain(url, ...args);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout.startsWith(says), stdout).toBe(true);
  });

  it('knows whom it is asked about, and what it can explain', async () => {
    expect((await explain('/api/notes', '--as', 'tgas')).stderr).toContain('--as: there is no role or API token "tgas"');
    expect((await explain('/api/i18n/locales', '--as', 'full-access')).stderr).toContain('only these are explained');
    expect(JSON.parse((await explain('/api/tags', '--as', 'tags', '--json')).stdout)).toMatchObject({ status: 200 });
  });
});
