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
import { schemaFiles, shared, translated } from '../../support/schema-files.ts';
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
