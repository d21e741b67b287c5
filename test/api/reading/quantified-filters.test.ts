/** `$some`, `$none` and `$every`: how many of the related entries satisfy a condition. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { seedDocuments } from '../../support/seeds.ts';
import { errorOf, idOf, type Json, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    book: {
      attributes: {
        title: { type: 'string' },
        tags: relation('manyToMany', 'tag', { inversedBy: 'books' }),
        main: relation('manyToOne', 'tag'),
        parts: component('piece', { repeatable: true }),
        secrets: relation('oneToMany', 'secret'),
      },
    },
    tag: {
      attributes: {
        name: { type: 'string' },
        rank: { type: 'integer' },
        note: { type: 'string', private: true },
        books: relation('manyToMany', 'book', { mappedBy: 'tags' }),
      },
    },
    secret: { attributes: { name: { type: 'string' } } },
  },
  { piece: { label: { type: 'string' } } },
);
const tags = { red: { name: 'red', rank: 1 }, blue: { name: 'blue', rank: 2 }, blank: { name: 'blank' } };
const to = (...names: readonly string[]) => names.map((name) => idOf('tag', name));

describe.each(engines)('%s: quantified filters', (engine) => {
  const api = useProject(engine, {
    files,
    types: [{ type: 'api::tag.tag', documents: seedDocuments(tags) }],
    public: ['api::book.book.find', 'api::tag.tag.find'],
    tokens: { books: ['api::book.book.find'] },
    authenticated: [],
    rules: {},
  });
  let isFilled = false;
  const fill = async () => {
    if (isFilled) return;
    isFilled = true;
    const books: readonly [string, readonly string[], readonly string[]][] = [
      ['none', [], []],
      ['red', ['red'], ['a']],
      ['redblue', ['red', 'blue'], ['a', 'b']],
      ['blank', ['blank'], ['b']],
      ['redblank', ['red', 'blank'], []],
    ];
    for (const [title, names, labels] of books)
      await api.write('POST', '/api/books', { title, tags: to(...names), parts: labels.map((label) => ({ label })), main: to('red')[0] });
  };
  const titles = async (query: string) => {
    await fill();
    const response = await api.ask('public', 'GET', `/api/books?sort=title&${query}`);
    if (response.status !== 200) throw new Error(response.text);
    return (response.json() as { data: readonly Json[] }).data.map(({ title }) => title);
  };

  it.each([
    ['[tags][$some][name]=red', ['red', 'redblank', 'redblue']],
    ['[tags][$none][name]=red', ['blank', 'none']],
    ['[tags][$every][name]=red', ['none', 'red']],
    // No comparison with an empty rank is true.
    ['[tags][$every][rank][$gte]=1', ['none', 'red', 'redblue']],
    ['[tags][$none][rank][$gte]=1', ['blank', 'none']],
    ['[tags][$every][rank][$null]=true', ['blank', 'none']],
    ['[$not][tags][$some][name]=red', ['blank', 'none']],
    ['[$not][tags][$none][name]=red', ['red', 'redblank', 'redblue']],
    ['[$not][tags][$every][name]=red', ['blank', 'redblank', 'redblue']],
    ['[tags][$some][rank][$gte]=1&filters[tags][$some][name]=blue', ['redblue']],
    ['[tags][$some][name]=red&filters[tags][$none][name]=blue', ['red', 'redblank']],
    ['[tags][$every][$or][0][name]=red&filters[tags][$every][$or][1][name]=blue', ['none', 'red', 'redblue']],
    ['[tags][$some][name]=red&filters[tags][name]=blank', ['redblank']],
    ['[parts][$none][label]=a', ['blank', 'none', 'redblank']],
    ['[parts][$every][label]=a', ['none', 'red', 'redblank']],
    ['[main][books][$some][title]=redblue', ['blank', 'none', 'red', 'redblank', 'redblue']],
    ['[main][books][$none][title]=redblue', []],
    ['[tags][$some][books][$some][title]=blank', ['blank', 'redblank']],
    ['[tags][$none][books][$every][title]=redblue', ['blank', 'none', 'red', 'redblank']],
  ])('filters%s', async (query, expected) => {
    expect(await titles(`filters${query}`)).toEqual(expected);
  });

  it('of the other side, and in populate', async () => {
    await fill();
    const tagged = await api.ask('public', 'GET', '/api/tags?sort=name&filters[books][$every][title][$startsWith]=red');
    expect((tagged.json() as { data: readonly Json[] }).data.map(({ name }) => name)).toEqual(['blue', 'red']);
    const path =
      '/api/tags?sort=name&populate[books][filters][tags][$none][name]=blue&populate[books][fields]=title&populate[books][sort]=title';
    const { data } = (await api.ask('public', 'GET', path)).json() as {
      data: readonly { readonly name: string; readonly books: readonly Json[] }[];
    };
    expect(Object.fromEntries(data.map(({ name, books }) => [name, books.map(({ title }) => title)]))).toEqual({
      blank: ['blank', 'redblank'],
      blue: [],
      red: ['red', 'redblank'],
    });
  });

  it('see each write at once', async () => {
    await fill();
    const none = () => titles('filters[tags][$none][name]=green');
    const every = () => titles('filters[tags][$every][name]=green');
    const all = ['blank', 'fresh', 'none', 'red', 'redblank', 'redblue'];
    const green = String((await api.write('POST', '/api/tags', { name: 'green' })).documentId);
    const book = await api.make('/api/books', { title: 'fresh' });
    const seen = async (isLinked: boolean, isOnly: boolean) => {
      for (const _ of [1, 2]) {
        expect(await none()).toEqual(isLinked ? all.filter((title) => title !== 'fresh') : all);
        expect(await every()).toEqual(isOnly ? ['fresh', 'none'] : ['none']);
      }
    };
    await seen(false, true);
    await api.write('PATCH', book, { tags: [green] });
    await seen(true, true);
    await api.write('PATCH', `/api/tags/${green}`, { name: 'other' });
    await seen(false, false);
    await api.write('PATCH', `/api/tags/${green}`, { name: 'green' });
    await api.write('PATCH', book, { tags: { connect: [to('red')[0]] } });
    await seen(true, false);
    await api.write('PATCH', book, { tags: { disconnect: [to('red')[0]] } });
    await seen(true, true);
    await api.write('DELETE', `/api/tags/${green}`);
    await seen(false, true);
    await api.write('DELETE', book);
  });

  it('are refused where there is no list, or what the caller may not read', async () => {
    const problem = async (query: string, who = 'public') => {
      const response = await api.ask(who, 'GET', `/api/books?filters${query}`);
      return [response.status, errorOf(response).message];
    };
    expect(await problem('[main][$some][name]=red')).toEqual([400, expect.stringContaining('$some')]);
    expect(await problem('[title][$some]=red')).toEqual([400, expect.stringContaining('$some')]);
    expect(await problem('[$some][title]=red')).toEqual([400, expect.stringContaining('$some')]);
    expect(await problem('[tags][$some]=red')).toEqual([400, expect.stringContaining('filters[tags][$some]')]);
    expect(await problem('[tags][$none][note]=x')).toEqual([400, expect.stringContaining('note')]);
    expect(await problem('[tags][$none][name]=red', 'books')).toEqual([400, expect.stringContaining('tags')]);
    expect(await problem('[secrets][$none][name]=x')).toEqual([400, expect.stringContaining('secrets')]);
  });
});
