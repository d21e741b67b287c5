/** What is not localized is copied to the other locales of a document, and its links with it: each leads to the target in the locale that it is copied to. */
import { describe, expect, it } from 'vitest';
import { profilesOn } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { type Kind, kinds, linked, linkKinds, linkTo, places, populated } from '../../support/link-places.ts';
import { component, relation, schemaFiles, shared, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { useProject } from '../../support/served-project.ts';

const holder = {
  title: { type: 'string', ...translated },
  rank: { type: 'integer', ...shared },
  box: component('box', shared),
  boxes: component('box', { repeatable: true, ...shared }),
  zone: { type: 'dynamiczone', components: ['part.box'], ...shared },
};
const topic = { name: { type: 'string', ...translated } };
const linksTo = (type: string) => ({ inner: component('inner', { repeatable: true }), ...linkKinds(type) });
const files = (drafts: boolean) =>
  schemaFiles(
    {
      page: { localized: true, ...(drafts && { drafts }), attributes: holder },
      topic: { localized: true, ...(drafts && { drafts }), attributes: topic },
      plain: { attributes: { first: relation('oneToOne', 'topic') } },
    },
    { box: { label: { type: 'string' }, ...linksTo('topic') }, inner: linkKinds('topic') },
  );
/** Links in every component of a body. */
const inEach = (kind: Kind, documentIds: readonly string[]) => {
  const link = linkTo(kind, documentIds);
  return { box: { ...link, inner: [link] }, boxes: [{ label: 'first' }, link], zone: [{ __component: 'part.box', ...link }] };
};

describe.each(
  engines.flatMap((engine) => profilesOn(engine).flatMap((profile) => [true, false].map((drafts) => [engine, profile, drafts] as const))),
)('%s, profile %s, drafts %s: links in what is not localized', (engine, profile, drafts) => {
  const api = useProject(engine, { files: files(drafts), locales: seedLocales('en', 'de'), env: { LECTERN_PROFILE: profile } });
  const makeTopic = async (en: string, de?: string) => {
    const path = await api.make('/api/topics', { name: en });
    if (de !== undefined) await api.write('PATCH', `${path}?locale=de`, { name: de });
    return path.slice('/api/topics/'.length);
  };
  /** The names of what is linked in each place. */
  const names = (path: string, query: string, kind: Kind) =>
    Promise.all(
      places.map(async (place) => linked(await api.read(`${path}?${query}&${populated(place)}`), place, kind).map(({ name }) => name)),
    );
  const each = <T>(list: readonly T[]) => places.map(() => list);

  it.each(kinds)('a new locale links to the target in its own locale: %s', async (kind) => {
    const topic = await makeTopic('Bread', 'Brot');
    const path = await api.make('/api/pages', { title: 'EN', ...inEach(kind, [topic]) });
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
    expect(await names(path, 'locale=de', kind)).toEqual(each(['Brot']));
    expect(await names(path, 'locale=en', kind)).toEqual(each(['Bread']));
  });

  it.each(kinds)('a new locale has no link to a target that is not there in it: %s', async (kind) => {
    const topic = await makeTopic('Bread');
    const path = await api.make('/api/pages', { title: 'EN', ...inEach(kind, [topic]) });
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
    expect(await names(path, 'locale=de', kind)).toEqual(each([]));
    expect(await names(path, 'locale=en', kind)).toEqual(each(['Bread']));
    // A write that does not name them keeps the links of the other locale.
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE again' });
    await api.write('PATCH', `${path}?locale=de`, { rank: 2 });
    expect(await names(path, 'locale=en', kind)).toEqual(each(['Bread']));
  });

  it.each(kinds)('a change in one locale links the others to the target in theirs: %s', async (kind) => {
    const [bread, salt] = [await makeTopic('Bread', 'Brot'), await makeTopic('Salt', 'Salz')];
    const path = await api.make('/api/pages', { title: 'EN', ...inEach(kind, [bread]) });
    await api.write('PATCH', `${path}?locale=de`, { title: 'DE' });
    await api.write('PATCH', path, inEach(kind, [salt]));
    expect(await names(path, 'locale=de', kind)).toEqual(each(['Salz']));
    expect(await names(path, 'locale=en', kind)).toEqual(each(['Salt']));
    await api.write('PATCH', `${path}?locale=de`, inEach(kind, [bread]));
    expect(await names(path, 'locale=de', kind)).toEqual(each(['Brot']));
    expect(await names(path, 'locale=en', kind)).toEqual(each(['Bread']));
  });
});
