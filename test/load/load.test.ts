/** `lectern load`: documents from JSON lines. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { relation, schemaFiles, translated } from '../support/schema-files.ts';
import { seedLocales } from '../support/seeds.ts';
import { type Json, useProject } from '../support/served-project.ts';
import { run } from '../support/server.ts';

const files = schemaFiles({
  page: {
    drafts: true,
    localized: true,
    attributes: {
      code: { type: 'integer', unique: true },
      title: { type: 'string', required: true, ...translated },
      tags: relation('manyToMany', 'tag'),
    },
  },
  tag: { attributes: { slug: { type: 'uid' }, name: { type: 'string', maxLength: 10 }, count: { type: 'biginteger' } } },
});

describe.each(engines)('%s', (engine) => {
  const api = useProject(engine, { files, locales: seedLocales('en', 'de') });
  const load = async (type: 'page' | 'tag', lines: readonly (Json | string)[], ...options: readonly string[]) => {
    const file = join(api.project.dir, 'lines.ndjson');
    writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
    const by = type === 'page' ? 'code' : 'slug';
    const args = ['load', file, '--dir', api.project.dir, '--type', `api::${type}.${type}`, '--upsert-by', by, ...options];
    const { status: exitCode, stdout, stderr } = await run(args, api.environment);
    return { exitCode, stdout: stdout.trim(), stderr };
  };
  const read = async (path: string) => ((await api.send('full', { path: `/api/${path}` })).json() as { data: readonly Json[] }).data;

  it('creates, updates by the value of an attribute, and leaves alone what is the same', async () => {
    const first = await load('tag', [{ slug: 'a', name: 'A', count: '9007199254740993' }, '{"slug": "b", "count": 9007199254740993}']);
    expect(first).toEqual({ exitCode: 0, stdout: 'Created 2, updated 0, unchanged 0, failed 0.', stderr: '' });
    const second = await load('tag', [
      { slug: 'a', name: 'A', count: '9007199254740993' },
      '',
      { slug: 'b', name: 'B' },
      { slug: 'b', name: 'C' },
    ]);
    expect(second.stdout).toBe('Created 0, updated 2, unchanged 1, failed 0.');
    const rows = await read('tags?sort=slug');
    expect(rows.map(({ slug, name, count }) => [slug, name, count])).toEqual([
      ['a', 'A', '9007199254740993'],
      ['b', 'C', '9007199254740993'],
    ]);
  });

  it('writes the other lines if some fail, and says which and why', async () => {
    const errors = join(api.project.dir, 'errors.ndjson');
    const lines = [
      { slug: 'fine', name: 'x' },
      'no JSON',
      { slug: 'long', name: 'longer than ten' },
      { name: 'x' },
      { slug: 'also' },
      { slug: 'z', nam: 1 },
    ];
    const { exitCode, stdout, stderr } = await load('tag', lines, '--errors', errors);
    expect([exitCode, stdout]).toEqual([1, 'Created 2, updated 0, unchanged 0, failed 4.']);
    expect(stderr.match(/^Line \d+/gm)).toEqual(['Line 2', 'Line 3', 'Line 4', 'Line 6']);
    const listed = readFileSync(errors, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { line: number; errors: Json[]; text: string });
    expect(listed[1]).toEqual({
      line: 3,
      errors: [expect.objectContaining({ code: 'body.values', path: ['name'] })],
      text: JSON.stringify(lines[2]),
    });
    expect(await read('tags?filters[slug][$in]=fine&filters[slug][$in]=also')).toHaveLength(2);
    const again = await load('tag', lines, '--errors', errors);
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('already exists and is not overwritten')]);
    expect(readFileSync(errors, 'utf8').trim().split('\n')).toHaveLength(4);
  });

  it('writes nothing in a dry run, nor in the transaction of the first failure with --stop', async () => {
    const lines = [{ slug: 'dry' }, { slug: 'wrong', name: 'longer than ten' }];
    expect((await load('tag', lines, '--dry-run')).stdout).toBe(
      'Nothing was written. It would be: created 1, updated 0, unchanged 0, failed 1.',
    );
    const stopped = await load('tag', lines, '--stop');
    expect([stopped.exitCode, stopped.stderr]).toEqual([1, expect.stringContaining('the lines after line 0 are not written')]);
    expect(await read('tags?filters[slug]=dry')).toEqual([]);
  });

  it('takes documentId, locale, status and relations, and publishes', async () => {
    await load('tag', [{ documentId: 'tag-of-ours', slug: 'ours' }]);
    const tags = { connect: [{ documentId: 'tag-of-ours' }] };
    const lines = [
      { documentId: 'page-1', code: 1, title: 'One', tags, status: 'published' },
      { code: 1, title: 'Eins', locale: 'de' },
      { documentId: 'page-1', title: 'Uno', code: 1, status: 'published' },
      { code: 2, title: 'Two', locale: 'nowhere' },
      { code: 3, title: 'Three', status: 'old' },
    ];
    const { stdout } = await load('page', lines);
    expect(stdout).toBe('Created 1, updated 2, unchanged 0, failed 2.');
    const shown = async (query: string) =>
      (await read(`pages?populate=tags${query}`)).map(({ documentId, title, tags: linked }) => [
        documentId,
        title,
        (linked as Json[]).map(({ slug }) => slug),
      ]);
    expect(await shown('')).toEqual([['page-1', 'Uno', ['ours']]]);
    expect((await shown('&status=draft&locale=de')).map(([id, title]) => [id, title])).toEqual([['page-1', 'Eins']]);
  });

  it.each([
    ['a type that is not there', ['--type', 'api::tg.tg'], 'did you mean api::tag.tag'],
    ['an attribute that is not unique', ['--upsert-by', 'name'], 'these are: slug'],
  ])('refuses %s', async (_, options, says) => {
    const { exitCode, stderr } = await load('tag', [], ...options);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});
