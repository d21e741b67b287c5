/** The drafts of the other locales of a document: a new locale leaves them alone, and what is not localized is discarded in all of them. */
import { describe, expect, it } from 'vitest';
import { profilesOn } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import { component, relation, schemaFiles, shared, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { type Json, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    page: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', ...translated },
        rank: { type: 'integer', ...shared },
        doc: { type: 'json', ...shared },
        box: component('box', shared),
        boxes: component('box', { repeatable: true, ...shared }),
        zone: { type: 'dynamiczone', components: ['part.box'], ...shared },
      },
    },
    topic: { drafts: true, localized: true, attributes: { name: { type: 'string', ...translated } } },
  },
  {
    box: {
      label: { type: 'string' },
      one: relation('oneToOne', 'topic'),
      many: relation('manyToMany', 'topic'),
      inner: component('inner'),
    },
    inner: { label: { type: 'string' } },
  },
);
const populate = 'populate[box][populate]=*&populate[boxes][populate]=*&populate[zone][on][part.box][populate]=*';

describe.each(anyEngine.flatMap((engine) => profilesOn(engine).map((profile) => [engine, profile] as const)))(
  '%s, profile %s: drafts of other locales',
  (engine, profile) => {
    const api = useProject(engine, { files, locales: seedLocales('en', 'de', 'fr'), env: { LECTERN_PROFILE: profile } });
    const topics = new Map<string, Promise<string>>();
    const makeTopic = async (name: string) => {
      const path = await api.make('/api/topics', { name });
      for (const locale of ['de', 'fr']) await api.write('PATCH', `${path}?locale=${locale}`, { name: `${name} ${locale}` });
      return path.slice('/api/topics/'.length);
    };
    const topic = (name: string) => {
      const made = topics.get(name) ?? makeTopic(name);
      topics.set(name, made);
      return made;
    };
    const version = (path: string, query: string) => api.read(`${path}?${query}&${populate}`);
    /** The value of each shared attribute: written, and as it is shown. */
    const values = async (word: string): Promise<readonly (readonly [string, Json, Json])[]> => {
      const id = await topic(word);
      const body = { label: word, one: id, many: [id], inner: { label: `${word} inner` } };
      const found = { label: word, one: { documentId: id }, many: [{ documentId: id }], inner: { label: `${word} inner` } };
      return [
        ['rank', { rank: word.length }, { rank: word.length }],
        ['doc', { doc: { word } }, { doc: { word } }],
        ['box', { box: body }, { box: found }],
        ['boxes', { boxes: [body, body] }, { boxes: [found, found] }],
        ['zone', { zone: [{ __component: 'part.box', ...body }] }, { zone: [found] }],
      ];
    };
    const all = 'rank, doc, box, boxes, zone';
    const few = ['rank', 'doc, boxes', 'box, zone'];
    /** What is written into these attributes together, and what is shown of it. */
    const pick = async (word: string, names: string): Promise<readonly [Json, Json]> => {
      const picked = (await values(word)).filter(([name]) => names.split(', ').includes(name));
      return [Object.assign({}, ...picked.map(([, body]) => body)), Object.assign({}, ...picked.map(([, , shown]) => shown))];
    };

    // As recorded from Strapi, a new draft replaces what the other drafts share.
    const asDraft = profile === 'strapi' ? [] : [[all, '&status=draft']];
    it.each([...all.split(', ').map((name) => [name, '']), [all, ''], ...asDraft] as [string, string][])(
      'a new locale leaves the draft of another one as it is: %s, %j',
      async (name, query) => {
        const [live, shownLive] = await pick('live', name);
        const [ahead, shownAhead] = await pick('later', name);
        const path = await api.make('/api/pages', { title: 'EN', ...live });
        await api.write('PATCH', `${path}?status=draft`, ahead);
        await api.write('PATCH', `${path}?locale=de${query}`, { title: 'DE' });
        expect(await version(path, 'status=draft')).toMatchObject(shownAhead);
        expect(await version(path, 'status=published')).toMatchObject(shownLive);
      },
    );

    it.each(few)('a later write or publication of one locale leaves the draft of another one that is ahead as it is: %s', async (name) => {
      const [live] = await pick('live', name);
      const [ahead, shownAhead] = await pick('later', name);
      const path = await api.make('/api/pages', { title: 'EN', ...live });
      await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
      // As an editor of Strapi's panel, or a new locale, leaves it: only this draft is ahead.
      await api.write('PATCH', `${path}?status=draft`, ahead);
      await api.write('PATCH', `${path}?locale=fr`, { title: 'FR' });
      expect(await version(path, 'status=draft')).toMatchObject(shownAhead);
      await api.write('PATCH', `${path}?locale=fr`, { title: 'FR again' });
      expect(await version(path, 'status=draft')).toMatchObject(shownAhead);
      await api.write('POST', `${path}/actions/publish?locale=fr`);
      expect(await version(path, 'status=draft')).toMatchObject(shownAhead);
    });

    it.each(['rank', 'doc, box, boxes, zone'])('a new locale whose body names a shared value changes only that one: %s', async (name) => {
      const [live] = await pick('live', name);
      const [ahead, shownAhead] = await pick('later', name);
      const path = await api.make('/api/pages', { title: 'EN', ...live });
      await api.write('PATCH', `${path}?status=draft`, ahead);
      const other = name === 'rank' ? { doc: 'named' } : { rank: 7 };
      await api.write('PATCH', `${path}?locale=de`, { title: 'DE', ...other });
      expect(await version(path, 'status=draft')).toMatchObject(shownAhead);
    });

    it.each([
      [all, 'de', 'en'],
      [all, 'en', 'de'],
      [all, 'en', 'en'],
      [all, 'de', 'de'],
      ['rank', 'de', 'en'],
      ['doc, boxes', 'en', 'de'],
      ['box, zone', 'en', 'en'],
    ])('a shared value is discarded in all locales: %s, written in %s and discarded in %s', async (name, writes, discards) => {
      const [live, shownLive] = await pick('live', name);
      const [ahead] = await pick('later', name);
      const path = await api.make('/api/pages', { title: 'EN', ...live });
      await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
      await api.write('PATCH', `${path}?locale=${writes}&status=draft`, ahead);
      await api.write('POST', `${path}/actions/discard-draft?locale=${discards}`);
      for (const locale of ['en', 'de']) expect(await version(path, `locale=${locale}&status=draft`), locale).toMatchObject(shownLive);
      for (const locale of ['de', 'en']) {
        await api.write('POST', `${path}/actions/publish?locale=${locale}`);
        for (const each of ['en', 'de']) expect(await version(path, `locale=${each}`), each).toMatchObject(shownLive);
      }
    });

    it.each(few)('a shared value is discarded in locales that have only a draft, and what is localized stays: %s', async (name) => {
      const [live, shownLive] = await pick('live', name);
      const [ahead] = await pick('later', name);
      const path = await api.make('/api/pages', { title: 'EN', ...live });
      await api.write('PATCH', `${path}?locale=fr&status=draft`, { title: 'FR' });
      await api.write('PATCH', `${path}?status=draft`, { title: 'ahead', ...ahead });
      await api.write('POST', `${path}/actions/discard-draft`);
      expect(await version(path, 'locale=fr&status=draft')).toMatchObject({ title: 'FR', ...shownLive });
      expect(await version(path, 'status=draft')).toMatchObject({ title: 'EN', ...shownLive });
    });
  },
);

/** In this profile, publishing leaves a draft behind what another locale has published. */
describe.each(anyEngine)('%s: drafts of other locales in profile strapi', (engine) => {
  const api = useProject(engine, { files, locales: seedLocales('en', 'de'), env: { LECTERN_PROFILE: 'strapi' } });
  /** A document whose draft in `en` has older shared values than that in `de`, as publishing leaves them in this profile. */
  const apart = async () => {
    const path = await api.make('/api/pages', { title: 'EN', rank: 1, box: { label: 'one' } });
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
    await api.write('PATCH', `${path}?locale=de`, { rank: 2, box: { label: 'two' } });
    expect(await api.read(`${path}?status=draft`)).toMatchObject({ rank: 1 });
    return path;
  };
  const draft = (path: string, locale: string) => api.read(`${path}?locale=${locale}&status=draft&populate=box`);

  it.each([
    ['de', 'en', { rank: 1, box: { label: 'one' } }],
    ['en', 'de', { rank: 2, box: { label: 'two' } }],
  ] as const)('a write of the draft in %s that names no shared attribute leaves that in %s as it is', async (written, other, left) => {
    const path = await apart();
    await api.write('PATCH', `${path}?locale=${written}&status=draft`, { title: 'new' });
    expect(await draft(path, other)).toMatchObject(left);
    await api.write('PUT', `${path}?locale=${written}&status=draft`, {});
    expect(await draft(path, other)).toMatchObject(left);
  });

  it('a write that names one shared attribute copies that one', async () => {
    const path = await apart();
    await api.write('PATCH', `${path}?locale=de&status=draft`, { doc: 'named' });
    expect(await draft(path, 'en')).toMatchObject({ doc: 'named', rank: 1, box: { label: 'one' } });
  });

  const published = async (path: string) => {
    const [en, de] = [await api.read(`${path}?${populate}`), await api.read(`${path}?locale=de&${populate}`)];
    return [en, de].map(({ rank, box }) => [rank, box === null ? null : (box as Json).label]);
  };

  // As a Strapi 5.54.0 did on SQLite, whichever locale was made first.
  it.each([
    ['en', 'de'],
    ['de', 'en'],
  ])('an outdated draft that is published: %s was made first', async (first, second) => {
    const path = await api.make(`/api/pages?locale=${first}`, { title: 'first', rank: 1, box: { label: 'one' } });
    await api.write('PATCH', `${path}?locale=${second}`, { title: 'second' });
    await api.write('PATCH', `${path}?locale=de`, { rank: 2, box: { label: 'two' } });
    await api.write('PATCH', `${path}?locale=en`, { title: 'again' });
    const outdated = [1, 'one'];
    expect(await published(path)).toEqual([outdated, outdated]);
    await api.write('PATCH', `${path}?locale=de`, { title: 'again' });
    // The draft in `de` is what Strapi compares with: it has not changed.
    expect(await published(path)).toEqual([outdated, [2, 'two']]);
  });

  it('an outdated draft that is published: its components link to a document with drafts', async () => {
    const path = await api.make('/api/topics', { name: 'T' });
    await api.write('PATCH', `${path}?locale=de`, { name: 'T' });
    const box = { one: path.slice('/api/topics/'.length) };
    const page = await api.make('/api/pages', { title: 'EN', rank: 1, box: { label: 'one', ...box } });
    await api.write('PATCH', `${page}?locale=de`, { title: 'DE' });
    await api.write('PATCH', page, { rank: 2, box: { label: 'two', ...box } });
    await api.write('PATCH', `${page}?locale=de`, { title: 'again' });
    const outdated = [1, 'one'];
    expect(await published(page)).toEqual([outdated, outdated]);
  });
});
