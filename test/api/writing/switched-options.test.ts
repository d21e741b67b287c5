/** Options that determine what rows mean, switched while there are rows: content remains content, and no other caller sees it. */
import { describe, expect, it } from 'vitest';
import { engineSql } from '../../support/engine-sql.ts';
import { engines } from '../../support/engines.ts';
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { sendFiles } from '../../support/send-files.ts';
import { dataOf, type Json, useProject } from '../../support/served-project.ts';

interface Options {
  readonly drafts?: true;
  readonly localized?: true;
}

const files = (options: Options) =>
  schemaFiles(
    {
      article: {
        ...options,
        attributes: {
          title: { type: 'string', ...translated },
          body: { type: 'text', ...translated },
          pages: { type: 'integer' },
          seo: component('seo', translated),
          parts: component('seo', { repeatable: true, ...translated }),
          zone: { type: 'dynamiczone', components: ['part.seo', 'part.link'], ...translated },
          cover: { type: 'media', multiple: false },
          group: relation('manyToOne', 'group', { inversedBy: 'articles' }),
          tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
          parent: relation('manyToOne', 'article', { inversedBy: 'children' }),
          children: relation('oneToMany', 'article', { mappedBy: 'parent' }),
          related: relation('oneToMany', 'article'),
        },
      },
      group: { drafts: true, attributes: { name: { type: 'string' }, articles: relation('oneToMany', 'article', { mappedBy: 'group' }) } },
      tag: { attributes: { name: { type: 'string' }, articles: relation('manyToMany', 'article', { mappedBy: 'tags' }) } },
      note: { attributes: { name: { type: 'string' }, article: relation('manyToOne', 'article'), link: component('link') } },
      page: {
        drafts: true,
        attributes: { name: { type: 'string' }, favourites: relation('manyToMany', 'article'), link: component('link') },
      },
    },
    {
      seo: { text: { type: 'string' }, links: component('link', { repeatable: true }) },
      link: { url: { type: 'string' }, image: { type: 'media', multiple: false }, articles: relation('oneToMany', 'article') },
    },
  );

const everything =
  'populate[seo][populate][links][populate]=*&populate[parts][populate]=links&populate[zone][on][part.seo][populate]=links&populate[zone][on][part.link][populate]=articles' +
  '&populate[cover]=true&populate[group]=true&populate[tags]=true&populate[parent]=true&populate[children]=true&populate[related]=true';

/** The values that all versions of a document share. */
function content(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(content);
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).filter(([key]) => !['id', 'publishedAt', 'updatedAt', 'createdAt', 'locale'].includes(key));
  return Object.fromEntries(own.map(([key, each]) => [key, content(each)]));
}

const locales = seedLocales('en', 'fr');

describe.each(engines)('%s: a switched option', (engine) => {
  describe('Draft & Publish', () => {
    const api = useProject(engine, { files: files({}), locales });
    const ids: Record<string, string> = {};
    const article = (name: string, status: string) => `/api/articles/${ids[name]}?status=${status}&${everything}`;
    /** The note or the page, with what links to articles. */
    const linking = (type: 'notes' | 'pages', name: string, status: string) =>
      api.read(`/api/${type}/${ids[type]}?status=${status}&populate[${name}]=true&populate[link][populate]=articles`);
    const titles = async (path: string) => {
      const response = await api.ask('full', 'GET', path);
      return (response.json() as { data: readonly Json[] }).data.map(({ title }) => title).sort();
    };

    it('on: each entry gets a draft with all that it has, at the start', async () => {
      const { files: sent } = await sendFiles(api, [{ name: 'a.txt', type: 'text/plain', bytes: 'hello' }]);
      const cover = sent[0]?.id;
      const tag = String((await api.write('POST', '/api/tags', { name: 'T' })).documentId);
      const group = String((await api.write('POST', '/api/groups', { name: 'G' })).documentId);
      const make = async (name: string, data: object) => {
        ids[name] = String((await api.write('POST', '/api/articles', { title: name, body: `of ${name}`, pages: 3, ...data })).documentId);
      };
      await make('first', {
        group,
        tags: [tag],
        cover,
        seo: { text: 's', links: [{ url: '1', image: cover }, { url: '2' }] },
        zone: [
          { __component: 'part.link', url: 'z' },
          { __component: 'part.seo', text: 'zs', links: [{ url: '3' }] },
        ],
      });
      await make('second', {
        group,
        parent: ids.first,
        related: [ids.first],
        parts: [{ text: 'p', links: [{ url: '4', articles: [ids.first] }] }, { text: 'q' }],
      });
      const favourites = [ids.second, ids.first];
      const link = { url: 'l', articles: favourites };
      ids.notes = String((await api.write('POST', '/api/notes', { name: 'N', article: ids.second, link })).documentId);
      ids.pages = String((await api.write('POST', '/api/pages', { name: 'P', favourites, link })).documentId);
      const before = content(await api.read(`/api/articles/${ids.second}?${everything}`));
      const firstBefore = content(await api.read(`/api/articles/${ids.first}?${everything}`));

      const server = await api.restart(files({ drafts: true }));
      expect(server?.output.stderr).toContain('2 published entries without a draft get one');
      for (const status of ['published', 'draft']) {
        expect(content(await api.read(article('first', status)))).toEqual(firstBefore);
        expect(content(await api.read(article('second', status)))).toEqual(before);
        const both = [{ title: 'second' }, { title: 'first' }];
        expect(await linking('notes', 'article', status)).toMatchObject({ article: { title: 'second' }, link: { articles: both } });
        expect(await linking('pages', 'favourites', status)).toMatchObject({ favourites: both, link: { articles: both } });
      }
      // A link joins a draft to drafts, and a type without drafts to both versions.
      expect(await api.query('SELECT count(*) FROM notes_article_lnk')).toEqual([[expect.toSatisfy((count) => Number(count) === 2)]]);
      expect(await titles('/api/articles')).toEqual(['first', 'second']);
      expect(await titles('/api/articles?status=draft')).toEqual(['first', 'second']);
    });

    it('on: what a PATCH leaves out stays, in both versions', async () => {
      await api.write('PATCH', `/api/articles/${ids.first}`, { title: 'first, changed' });
      for (const status of ['published', 'draft']) {
        expect(await api.read(article('first', status))).toMatchObject({
          title: 'first, changed',
          body: 'of first',
          pages: 3,
          group: { name: 'G' },
          tags: [{ name: 'T' }],
          cover: { name: 'a.txt' },
          children: [{ title: 'second' }],
          seo: { text: 's', links: [{ url: '1', image: { name: 'a.txt' } }, { url: '2' }] },
          zone: [{ url: 'z' }, { text: 'zs', links: [{ url: '3' }] }],
        });
      }
    });

    it('off: nothing is served until the drafts are set aside', async () => {
      await api.write('POST', '/api/articles?status=draft', { title: 'secret draft' });
      await api.write('PATCH', `/api/articles/${ids.second}?status=draft`, { title: 'second, ahead' });
      expect(await api.restart(files({}))).toBe(null);
      const refused = await api.command('start', '--port', '0');
      expect(refused).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/api::article\.article .*3 entries .*drafts.*lectern migrate plan/),
      });
      expect((await api.command('check')).stderr).toContain('lectern migrate plan');
      const plan = await api.command('migrate', 'plan');
      expect(plan).toMatchObject({
        status: 3,
        stdout: expect.stringMatching(/3 drafts move to "articles_old_\d{8}", and 1 of them was never published/),
      });
      // Without a word, they stay, and the start still refuses.
      const left = await api.command('migrate', 'apply');
      expect(left.status).toBe(3);
      expect(left.stdout).toMatch(
        /^Nothing was changed\.\nLeft, [\s\S]*\nThe server does not start yet\.\n3 drafts of api::article\.article: run `lectern migrate apply --dir \S+ --allow-destructive`/,
      );
      expect(await api.restart(files({}))).toBe(null);
      expect((await api.command('migrate', 'apply', '--allow-destructive')).status).toBe(0);
      expect((await api.command('migrate', 'plan', '--allow-destructive')).status).toBe(0);
      expect(await api.restart(files({}))).not.toBe(null);
      expect(await titles('/api/articles')).toEqual(['first, changed', 'second']);
      expect(await titles('/api/articles?status=draft')).toEqual(['first, changed', 'second']);
      for (const status of ['published', 'draft']) {
        const both = [{ title: 'second' }, { title: 'first, changed' }];
        expect(await linking('pages', 'favourites', status)).toMatchObject({ favourites: both, link: { articles: both } });
        expect(await api.read(article('first', status))).toMatchObject({ group: { name: 'G' } });
      }
      const [[kept] = []] = await api.query(`SELECT name FROM (${engineSql[engine].tableNames}) AS t WHERE name LIKE 'articles_old_%'`);
      expect((await api.query(`SELECT title FROM ${String(kept)} ORDER BY title`)).flat()).toEqual([
        'first, changed',
        'second, ahead',
        'secret draft',
      ]);
    });

    it('on again: the drafts are made again', async () => {
      expect((await api.restart(files({ drafts: true })))?.output.stderr).toContain('2 published entries');
      expect(await titles('/api/articles?status=draft')).toEqual(['first, changed', 'second']);
      expect((await api.restart(files({ drafts: true })))?.output.stderr).not.toContain('published entries');
    });
  });

  describe('locales', () => {
    const api = useProject(engine, { files: files({ drafts: true }), locales });
    let id = '';

    it('on: entries are in the default locale from then on', async () => {
      id = String((await api.write('POST', '/api/articles', { title: 'one', body: 'of one', seo: { text: 's' } })).documentId);
      expect((await api.restart(files({ drafts: true, localized: true })))?.output.stderr).toContain('2 entries without a locale');
      await api.write('PATCH', `/api/articles/${id}`, { title: 'two' });
      expect(await api.read(`/api/articles/${id}?populate=seo`)).toMatchObject({
        title: 'two',
        body: 'of one',
        locale: 'en',
        seo: { text: 's' },
      });
      expect(((await api.ask('full', 'GET', '/api/articles')).json() as { data: readonly Json[] }).data).toHaveLength(1);
    });

    it('off: other locales are set aside, and the default one stays', async () => {
      await api.write('PUT', `/api/articles/${id}?locale=fr`, { title: 'deux', body: '', pages: 1 });
      await api.write('POST', '/api/articles?locale=fr', { title: 'seul' });
      expect(await api.restart(files({ drafts: true }))).toBe(null);
      const plan = await api.command('migrate', 'plan');
      expect(plan.stdout).toMatch(/4 entries in other locales than "en" move to "articles_old_\d{8}"; 1 document has no other/);
      expect(plan.stdout).toContain('2 entries in "en" have no locale from now on');
      expect((await api.command('migrate', 'apply', '--allow-destructive')).status).toBe(0);
      expect(await api.restart(files({ drafts: true }))).not.toBe(null);
      const { data } = (await api.ask('full', 'GET', '/api/articles')).json() as { data: readonly Json[] };
      expect(data.map(({ title }) => title)).toEqual(['two']);
      expect(dataOf(await api.ask('full', 'GET', `/api/articles/${id}?status=draft&populate=seo`))).toMatchObject({
        body: 'of one',
        seo: { text: 's' },
      });
    });
  });
});
