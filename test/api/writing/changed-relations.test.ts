/** Schema files that allow less than the rows have: nothing is lost, the plan counts it, and the start says where links are out of sight. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles, shared, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { type Json, useProject } from '../../support/served-project.ts';

const name = { type: 'string' };
const owned = relation('manyToMany', 'tag', { inversedBy: 'articles' });
const before = schemaFiles({
  article: {
    attributes: { name, tags: relation('manyToMany', 'tag'), main: relation('manyToOne', 'tag', { inversedBy: 'mains' }), owned },
  },
  tag: {
    attributes: {
      name,
      articles: relation('manyToMany', 'article', { mappedBy: 'owned' }),
      mains: relation('oneToMany', 'article', { mappedBy: 'main' }),
    },
  },
  page: { drafts: true, localized: true, attributes: { title: { ...name, ...translated }, colour: { ...name, ...translated } } },
  start: { attributes: { name } },
});
const after = schemaFiles({
  article: {
    attributes: {
      name,
      tags: relation('manyToOne', 'tag'),
      main: relation('oneToOne', 'tag', { inversedBy: 'mains' }),
      owned: relation('manyToMany', 'tag', { mappedBy: 'articles' }),
    },
  },
  tag: {
    attributes: {
      name,
      articles: relation('manyToMany', 'article', { inversedBy: 'owned' }),
      mains: relation('oneToOne', 'article', { mappedBy: 'main' }),
    },
  },
  page: { drafts: true, localized: true, attributes: { title: { ...name, ...translated }, colour: { ...name, ...shared } } },
  start: { single: true, attributes: { name } },
});

const locales = seedLocales('en', 'fr');

describe.each(engines)('%s: schema files that allow less', (engine) => {
  const api = useProject(engine, { files: before, locales });
  const make = async (path: string, data: Json) => String((await api.write('POST', `/api/${path}`, data)).documentId);
  let first = '';
  let page = '';
  const notes = async () => JSON.parse((await api.command('migrate', 'plan', '--json')).stdout).notes as readonly string[];

  it('the start lists relations that it no longer serves as before', async () => {
    const [one, two] = [await make('tags', { name: 'one' }), await make('tags', { name: 'two' })];
    first = await make('articles', { name: 'first', tags: [two, one], main: one, owned: [one, two] });
    await make('articles', { name: 'second', tags: [one], main: one, owned: [one] });
    page = await make('pages', { title: 'a', colour: 'red' });
    await api.write('PUT', `/api/pages/${page}?locale=fr`, { title: 'b', colour: 'rouge' });
    await make('pages', { title: 'c', colour: 'blue' });
    for (const each of ['x', 'y', 'z']) await make('starts', { name: each });

    const said = (await api.restart(after))?.output.stderr;
    expect(said).toContain('another table for the links of api::article.article.owned, which are not served');
    expect(said).toContain('api::start.start is a single type, and its table has 3 documents: the entry with the lowest row id is served.');
    expect((await api.ask('full', 'GET', '/api/start')).json()).toMatchObject({ data: { name: 'x' } });
    expect(await api.read(`/api/articles/${first}?populate=*`)).toMatchObject({ tags: { name: 'two' }, main: { name: 'one' }, owned: [] });
  });

  it('check and the plan say it with counts', async () => {
    const checked = await api.command('check');
    expect(checked).toMatchObject({ status: 3, stdout: expect.not.stringContaining('No problems found') });
    expect(checked.stderr).toContain('api::start.start is a single type, and its table has 3 documents');
    expect((await api.command('migrate', 'plan')).stdout).toContain(
      'the attribute "owned" of api::article.article is stored in another way now, without the 3 links in it',
    );
    expect(await notes()).toEqual([
      'api::article.article.tags is manyToOne; rows with several links: 1. The first link is served, and a write of the attribute removes the others.',
      'api::page.page.colour is not localized; documents whose locales have different values: 1. Each locale keeps its own until one is written; the others then get the same.',
      'api::start.start is a single type; documents in its table: 3. The entry with the lowest row id is served, and the others stay.',
      'api::tag.tag.mains is oneToOne; rows with several links: 1. The first link is served, and a write of the attribute removes the others.',
    ]);
  });

  it('a write has the effect that the notes describe', async () => {
    await api.restart(after);
    const { data } = (await api.ask('full', 'GET', '/api/tags?filters[name]=one')).json() as { data: readonly Json[] };
    const one = data[0]?.documentId;
    await api.write('PATCH', `/api/articles/${first}`, { tags: one });
    await make('articles', { name: 'third', main: one });
    await api.write('PATCH', `/api/pages/${page}?locale=fr`, { colour: 'vert' });
    expect(await api.read(`/api/pages/${page}`)).toMatchObject({ title: 'a', colour: 'vert' });
    const articles = (await api.ask('full', 'GET', '/api/articles?populate=*&sort=name')).json();
    expect(articles).toMatchObject({ data: [{ tags: { name: 'one' }, main: null }, { main: null }, { main: { name: 'one' } }] });
    await api.write('PUT', '/api/start', { name: 'changed' });
    expect((await api.ask('full', 'GET', '/api/start')).json()).toMatchObject({ data: { name: 'changed' } });
    expect((await notes()).map((note) => note.slice(0, note.indexOf(' is ')))).toEqual(['api::start.start']);
  });
});
