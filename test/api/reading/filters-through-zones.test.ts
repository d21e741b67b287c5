/** Filters pass through dynamic zones by the component, with the rules of all filters. */
import { beforeAll, describe, expect, it } from 'vitest';
import { profilesOn } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    page: { attributes: { title: { type: 'string' }, zone: { type: 'dynamiczone', components: ['part.quote', 'part.link'] } } },
    tag: { attributes: { name: { type: 'string' } } },
  },
  {
    quote: { words: { type: 'string' }, hush: { type: 'string', private: true } },
    link: { words: { type: 'string' }, tag: relation('oneToOne', 'tag') },
    other: { words: { type: 'string' } },
  },
);

describe.each(engines)('%s', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const api = useProject(engine, {
      files,
      tokens: { pages: ['api::page.page.find'] },
      public: ['api::page.page.find'],
      rules: { public: { 'api::page.page.find': { fields: ['title'] } } },
      env: { LECTERN_PROFILE: profile },
    });
    beforeAll(async () => {
      const tag = String((await api.write('POST', '/api/tags', { name: 'night' })).documentId);
      const [quote, link] = ['part.quote', 'part.link'].map((__component) => (more: Json) => ({ __component, ...more }));
      if (quote === undefined || link === undefined) throw new Error('both are there');
      await api.make('/api/pages', { title: 'a', zone: [quote({ words: 'one', hush: 'x' }), quote({ words: 'two' })] });
      await api.make('/api/pages', { title: 'b', zone: [link({ words: 'one', tag }), quote({ words: 'three' })] });
      await api.make('/api/pages', { title: 'c', zone: [] });
    });
    const ask = (query: string, who = 'full') => api.ask(who, 'GET', `/api/pages?sort=title&${query}`);
    const titles = async (query: string) => ((await ask(query)).json() as { data: Json[] }).data.map(({ title }) => title);

    it.each<[string, readonly string[]]>([
      ['filters[zone][on][part.quote][words]=one', ['a']],
      ['filters[zone][on][part.link][words]=one', ['b']],
      ['filters[zone][on][part.link][tag][name]=night', ['b']],
      ['filters[zone][on][part.quote][words][$in][0]=two&filters[zone][on][part.quote][words][$in][1]=three', ['a', 'b']],
      ['filters[zone][on][part.quote][words]=three&filters[zone][on][part.link][words]=one', ['b']],
      ['filters[zone][on][part.quote][$none][words]=one', ['b', 'c']],
      ['filters[$or][0][zone][on][part.quote][words]=two&filters[$or][1][title]=c', ['a', 'c']],
    ])('%s', async (query, found) => expect(await titles(query)).toEqual(found));

    it.each([
      ['full', 'filters[zone][on][part.other][words]=a'],
      ['full', 'filters[zone][on][part.quote][hush]=x'],
      ['full', 'filters[zone][words]=one'],
      ['full', 'filters[zone][on]=one'],
      // Without the right to find tags, and to the zone.
      ['pages', 'filters[zone][on][part.link][tag][name]=night'],
      ['public', 'filters[zone][on][part.quote][words]=one'],
    ])('%s is refused %s', async (who, query) => expect((await ask(query, who)).status).toBe(400));
  });
});
