/** What is not localized is copied to the other locales of a document, and its links with it: each leads to the target in the locale that it is copied to. */
import { describe, expect, it } from 'vitest';
import { profilesOn } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import {
  boxes,
  everywhere,
  holders,
  inEveryPlace,
  type Kind,
  kinds,
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
const links = (kind: Kind, documentId: string) => inEveryPlace(kind, [documentId], false);
const all = (...names: readonly string[]) => everywhere(names, false);

describe.each(
  anyEngine.flatMap((engine) => profilesOn(engine).flatMap((profile) => [true, false].map((drafts) => [engine, profile, drafts] as const))),
)('%s, profile %s, drafts %s: links in what is not localized', (engine, profile, drafts) => {
  const api = useProject(engine, { files: files(drafts), locales: seedLocales('en', 'de'), env: { LECTERN_PROFILE: profile } });
  const makeTopic = async (en: string, de?: string) => {
    const path = await api.make('/api/topics', { name: en });
    if (de !== undefined) await api.write('PATCH', `${path}?locale=de`, { name: de });
    return path.slice('/api/topics/'.length);
  };
  const names = async (path: string, locale: string, kind: Kind) =>
    namesInEveryPlace(await api.read(`${path}?locale=${locale}&${populateEveryPlace(kind, false)}`), kind, false);

  it.each(kinds)('a new locale links to the target in its own locale: %s', async (kind) => {
    const path = await api.make('/api/pages', { title: 'EN', ...links(kind, await makeTopic('Bread', 'Brot')) });
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
    expect(await names(path, 'de', kind)).toEqual(all('Brot'));
    expect(await names(path, 'en', kind)).toEqual(all('Bread'));
  });

  it.each(kinds)('a new locale has no link to a target that is not there in it: %s', async (kind) => {
    const path = await api.make('/api/pages', { title: 'EN', ...links(kind, await makeTopic('Bread')) });
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
    expect(await names(path, 'de', kind)).toEqual(all());
    expect(await names(path, 'en', kind)).toEqual(all('Bread'));
    // A write that does not name them keeps the links of the other locale.
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE again' });
    await api.write('PATCH', `${path}?locale=de`, { rank: 2 });
    expect(await names(path, 'en', kind)).toEqual(all('Bread'));
  });

  it.each(kinds)('a change in one locale links the others to the target in theirs: %s', async (kind) => {
    const [bread, salt] = [await makeTopic('Bread', 'Brot'), await makeTopic('Salt', 'Salz')];
    const path = await api.make('/api/pages', { title: 'EN', ...links(kind, bread) });
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
    await api.write('PATCH', path, links(kind, salt));
    expect(await names(path, 'de', kind)).toEqual(all('Salz'));
    expect(await names(path, 'en', kind)).toEqual(all('Salt'));
    await api.write('PATCH', `${path}?locale=de`, links(kind, bread));
    expect(await names(path, 'de', kind)).toEqual(all('Brot'));
    expect(await names(path, 'en', kind)).toEqual(all('Bread'));
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
      const path = await api.make('/api/pages', { title: 'EN', ...inEveryPlace('many', [], false) });
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
      namesInEveryPlace(await api.read(`${path}?locale=${locale}&${populateEveryPlace('many', false)}`), 'many', false);

    it('a link is awaited in all locales, where nothing else has changed', async () => {
      const [path, topicId] = [await pageInBoth(), await draftTopic()];
      await api.write('PATCH', path, links('many', topicId));
      await publish(topicId);
      expect([await names(path, 'en'), await names(path, 'de')]).toEqual([all('Bread'), all('Brot')]);
    });

    it('a removed link is awaited in none', async () => {
      const [path, topicId] = [await pageInBoth(), await draftTopic()];
      await api.write('PATCH', path, links('many', topicId));
      await api.write('PATCH', path, inEveryPlace('many', [], false));
      await publish(topicId);
      expect([await names(path, 'en'), await names(path, 'de')]).toEqual([all(), all()]);
    });

    it('a target that is not in a locale yet is not awaited there, so that its links elsewhere stay', async () => {
      const path = await pageInBoth();
      const topicId = await api.make('/api/topics', { name: 'Bread' }).then((made) => made.slice('/api/topics/'.length));
      await api.write('PATCH', path, links('many', topicId));
      await api.write('PATCH', `/api/topics/${topicId}?locale=de&status=draft`, { name: 'Brot' });
      await publish(topicId);
      expect([await names(path, 'en'), await names(path, 'de')]).toEqual([all('Bread'), all()]);
      if (profile === 'strapi') return;
      await api.write('PATCH', `${path}?locale=de`, { title: 'DE again' });
      expect(await names(path, 'en')).toEqual(all('Bread'));
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
