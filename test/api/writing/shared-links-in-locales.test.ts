/** What is not localized is copied to the other locales of a document, and its links with it: each leads to the target in the locale that it is copied to. */
import { describe, expect, it } from 'vitest';
import { profilesOn } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import {
  allKinds,
  boxes,
  everywhere,
  holders,
  inEveryPlace,
  type Kinds,
  namesInEveryPlace,
  populateEveryPlace,
} from '../../support/link-places.ts';
import { relation, schemaFiles, shared, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { useProject } from '../../support/served-project.ts';

const page = { title: { type: 'string', ...translated }, rank: { type: 'integer', ...shared }, ...holders(shared) };
const topic = { name: { type: 'string', ...translated } };
const files = (drafts: boolean) =>
  schemaFiles(
    {
      page: { localized: true, ...(drafts && { drafts }), attributes: page },
      topic: { localized: true, ...(drafts && { drafts }), attributes: topic },
    },
    boxes('topic'),
  );
const many = ['many'] as const;
const links = (documentId: string, kinds: Kinds = allKinds) => inEveryPlace(kinds, [documentId], false);
const all = (...names: readonly string[]) => everywhere(allKinds, names, null);
const ofMany = (...names: readonly string[]) => everywhere(many, names, null);

describe.each(
  anyEngine.flatMap((engine) => [
    ...profilesOn(engine).map((profile) => [engine, profile, true] as const),
    [engine, 'specification', false] as const,
  ]),
)('%s, profile %s, drafts %s: links in what is not localized', (engine, profile, drafts) => {
  const api = useProject(engine, { files: files(drafts), locales: seedLocales('en', 'de'), env: { LECTERN_PROFILE: profile } });
  const makeTopic = async (en: string, de?: string) => {
    const path = await api.make('/api/topics', { name: en });
    if (de !== undefined) await api.write('PATCH', `${path}?locale=de`, { name: de });
    return path.slice('/api/topics/'.length);
  };
  const names = async (path: string, locale: string) =>
    namesInEveryPlace(await api.read(`${path}?locale=${locale}&${populateEveryPlace(allKinds, false)}`), allKinds, false);

  it('a new locale links to the target in its own locale', async () => {
    const path = await api.make('/api/pages', { title: 'EN', ...links(await makeTopic('Bread', 'Brot')) });
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
    expect(await names(path, 'de')).toEqual(all('Brot'));
    expect(await names(path, 'en')).toEqual(all('Bread'));
  });

  it('a new locale has no link to a target that is not there in it', async () => {
    const path = await api.make('/api/pages', { title: 'EN', ...links(await makeTopic('Bread')) });
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
    expect(await names(path, 'de')).toEqual(all());
    expect(await names(path, 'en')).toEqual(all('Bread'));
    // A write that does not name them keeps the links of the other locale.
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE again' });
    await api.write('PATCH', `${path}?locale=de`, { rank: 2 });
    expect(await names(path, 'en')).toEqual(all('Bread'));
  });

  it('a change in one locale links the others to the target in theirs', async () => {
    const [bread, salt] = [await makeTopic('Bread', 'Brot'), await makeTopic('Salt', 'Salz')];
    const path = await api.make('/api/pages', { title: 'EN', ...links(bread) });
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
    await api.write('PATCH', path, links(salt));
    expect(await names(path, 'de')).toEqual(all('Salz'));
    expect(await names(path, 'en')).toEqual(all('Salt'));
    await api.write('PATCH', `${path}?locale=de`, links(bread));
    expect(await names(path, 'de')).toEqual(all('Brot'));
    expect(await names(path, 'en')).toEqual(all('Bread'));
  });
});

/** A page in two locales, and topics that are published later. */
describe.each(anyEngine.flatMap((engine) => profilesOn(engine).map((profile) => [engine, profile] as const)))(
  '%s, profile %s: links in what is not localized to documents that are published later',
  (engine, profile) => {
    const attributes = { ...page, own: relation('manyToMany', 'topic') };
    const api = useProject(engine, {
      files: schemaFiles(
        { page: { localized: true, drafts: true, attributes }, topic: { localized: true, drafts: true, attributes: topic } },
        boxes('topic'),
      ),
      locales: seedLocales('en', 'de'),
      env: { LECTERN_PROFILE: profile },
    });
    const pageInBoth = async () => {
      const path = await api.make('/api/pages', { title: 'EN', ...inEveryPlace(many, [], false) });
      await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
      return path;
    };
    const draftTopic = async () => {
      const { documentId } = await api.write('POST', '/api/topics?status=draft', { name: 'Bread' });
      await api.write('PATCH', `/api/topics/${String(documentId)}?locale=de&status=draft`, { name: 'Brot' });
      return String(documentId);
    };
    const publish = (topicId: string) => api.write('POST', `/api/topics/${topicId}/actions/publish?locale=*`);
    const names = async (path: string, locale: string) =>
      namesInEveryPlace(await api.read(`${path}?locale=${locale}&${populateEveryPlace(many, false)}`), many, false);

    it('a link is awaited in all locales, where nothing else has changed', async () => {
      const [path, topicId] = [await pageInBoth(), await draftTopic()];
      await api.write('PATCH', path, links(topicId, many));
      await publish(topicId);
      expect([await names(path, 'en'), await names(path, 'de')]).toEqual([ofMany('Bread'), ofMany('Brot')]);
    });

    it('a removed link is awaited in none', async () => {
      const [path, topicId] = [await pageInBoth(), await draftTopic()];
      await api.write('PATCH', path, links(topicId, many));
      await api.write('PATCH', path, inEveryPlace(many, [], false));
      await publish(topicId);
      expect([await names(path, 'en'), await names(path, 'de')]).toEqual([ofMany(), ofMany()]);
    });

    it('a target that is not in a locale yet is not awaited there, so that its links elsewhere stay', async () => {
      const path = await pageInBoth();
      const topicId = await api.make('/api/topics', { name: 'Bread' }).then((made) => made.slice('/api/topics/'.length));
      await api.write('PATCH', path, links(topicId, many));
      await api.write('PATCH', `/api/topics/${topicId}?locale=de&status=draft`, { name: 'Brot' });
      await publish(topicId);
      expect([await names(path, 'en'), await names(path, 'de')]).toEqual([ofMany('Bread'), ofMany()]);
      if (profile === 'strapi') return;
      await api.write('PATCH', `${path}?locale=de`, { title: 'DE again' });
      expect(await names(path, 'en')).toEqual(ofMany('Bread'));
    });

    it('a draft that is ahead stays so when another locale changes it, and its links stay out of sight', async () => {
      const [path, topicId] = [await pageInBoth(), await draftTopic()];
      await api.write('PATCH', `${path}?locale=de&status=draft`, { own: [topicId] });
      await api.write('PATCH', path, { rank: 3 });
      await publish(topicId);
      expect((await api.read(`${path}?locale=de&populate=own`)).own).toEqual([]);
    });
  },
);
