/** Documents that have only a published row, as imports leave them, keep their links when they or what they link to are written. */
import { describe, expect, it } from 'vitest';
import { profilesOn } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import {
  allKinds,
  boxes,
  eachOnce,
  everywhere,
  groups,
  holders,
  inEveryPlace,
  type Kinds,
  linkKinds,
  namesInEveryPlace,
  populateEveryPlace,
  targetOf,
} from '../../support/link-places.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const holder = { title: { type: 'string' }, ...linkKinds('topic'), ...holders() };
const files = schemaFiles(
  {
    section: { drafts: true, attributes: { ...holder, owned: relation('manyToMany', 'topic', { inversedBy: 'owners' }) } },
    sheet: { attributes: holder },
    topic: { drafts: true, attributes: { name: { type: 'string' }, owners: relation('manyToMany', 'section', { mappedBy: 'owned' }) } },
  },
  boxes('topic'),
);

describe.each(engines.flatMap((engine) => profilesOn(engine).map((profile) => [engine, profile] as const)))(
  '%s, profile %s: links to documents without a draft',
  (engine, profile) => {
    const api = useProject(engine, { files, env: { LECTERN_PROFILE: profile } });
    const shown = async (path: string, kinds: Kinds) => namesInEveryPlace(await api.read(`${path}?${populateEveryPlace(kinds)}`), kinds);
    const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
    /** Deletes the drafts, and with them their own links and components, but not what a published row has. */
    const withoutDraft = (table: string, path: string) =>
      api.change(`DELETE FROM ${table} WHERE published_at IS NULL AND document_id = '${nameOf(path)}'`);
    const topics = async () =>
      [await api.make('/api/topics', { name: 'first' }), await api.make('/api/topics', { name: 'second' })] as const;
    /** A section with links to topics, of which the second has no draft, in every place. */
    const section = async ({ kinds, isToMany }: (typeof groups)[number]) => {
      const [first, second] = await topics();
      const paths = isToMany ? [second, first] : [second];
      const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(kinds, paths.map(nameOf)) });
      await withoutDraft('topics', second);
      return { path, second, names: isToMany ? ['second', 'first'] : ['second'] };
    };

    it.each(groups)('of a document without a draft that is written: $name', async (group) => {
      const { path, second, names } = await section(group);
      const { kinds } = group;
      await withoutDraft('sections', path);
      await api.write('PATCH', path, { title: 'changed' });
      expect(await shown(path, kinds)).toEqual(everywhere(kinds, names));
      await api.write('PATCH', `${path}?status=draft`, { title: 'again' });
      await api.write('POST', `${path}/actions/publish`);
      expect(await shown(path, kinds)).toEqual(everywhere(kinds, names));
      // The target gets a draft.
      await api.write('PATCH', second, {});
      await api.write('PATCH', path, { title: 'and again' });
      expect(await shown(path, kinds)).toEqual(everywhere(kinds, names));
    });

    it.each(groups)('of a draft that is discarded and published: $name', async (group) => {
      const { path, names } = await section(group);
      await api.write('POST', `${path}/actions/discard-draft`);
      await api.write('POST', `${path}/actions/publish`);
      expect(await shown(path, group.kinds)).toEqual(everywhere(group.kinds, names));
    });

    it.each(
      groups.flatMap((group) =>
        (['PATCH', 'publish', 'connect'] as const).flatMap((how) =>
          how === 'connect' && !group.isToMany ? [] : [[group.name, how, group] as const],
        ),
      ),
    )('of a document whose draft has lost the link, and is published: %s, %s', async (_, how, group) => {
      const { kinds } = group;
      const { path, names } = await section(group);
      const third = how === 'connect' ? nameOf(await api.make('/api/topics', { name: 'third' })) : undefined;
      const connect = Object.fromEntries(kinds.map((kind) => [kind, { connect: [targetOf(kind, third ?? '')] }]));
      if (how === 'publish') await api.write('POST', `${path}/actions/publish`);
      else await api.write('PATCH', path, third === undefined ? { title: 'changed' } : connect);
      expect(await shown(path, kinds)).toEqual(everywhere(kinds, names, third === undefined ? names : [...names, 'third']));
      // What a body removes is removed.
      await api.write('PATCH', path, inEveryPlace(kinds, []));
      expect(await shown(path, kinds)).toEqual(everywhere(kinds, []));
    });

    it('of a draft that was changed since: it is published as it is', async () => {
      const [first, second] = await topics();
      const path = await api.make('/api/sections', { title: 'S', many: [nameOf(second), nameOf(first)] });
      await withoutDraft('topics', second);
      await api.write('PATCH', `${path}?status=draft`, { many: [nameOf(first)] });
      await api.write('POST', `${path}/actions/publish`);
      expect((await api.read(`${path}?populate=many`)).many).toMatchObject([{ name: 'first' }]);
    });

    it('that a body names', async () => {
      const [, second] = await topics();
      await withoutDraft('topics', second);
      const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(allKinds, [nameOf(second)]) });
      expect(await shown(path, allKinds)).toEqual(everywhere(allKinds, ['second']));
    });

    it('that gets a draft, is unpublished and published again', async () => {
      const [, second] = await topics();
      await withoutDraft('topics', second);
      const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(allKinds, [nameOf(second)]) });
      const sheet = await api.make('/api/sheets', { title: 'S', ...inEveryPlace(allKinds, [nameOf(second)]) });
      await api.write('PATCH', `${second}?status=draft`, { name: 'second' });
      const drafts = async () => namesInEveryPlace(await api.read(`${path}?status=draft&${populateEveryPlace(allKinds)}`), allKinds);
      const linked = everywhere(allKinds, ['second']);
      expect(await drafts()).toEqual(linked);
      await api.write('POST', `${second}/actions/unpublish`);
      expect(await drafts()).toEqual(linked);
      await api.write('PATCH', path, { title: 'again' });
      await api.write('POST', `${second}/actions/publish`);
      expect(await shown(path, allKinds)).toEqual(linked);
      expect(eachOnce(await shown(sheet, allKinds))).toEqual(linked);
    });

    it('of a type without drafts', async () => {
      const [, second] = await topics();
      const path = await api.make('/api/sheets', { title: 'S', ...inEveryPlace(allKinds, [nameOf(second)]) });
      await withoutDraft('topics', second);
      await api.write('PATCH', path, { title: 'changed' });
      expect(eachOnce(await shown(path, allKinds))).toEqual(everywhere(allKinds, ['second']));
    });

    it('of a two-way relation, from both sides', async () => {
      const [first, second] = await topics();
      const path = await api.make('/api/sections', { title: 'S', owned: [nameOf(second), nameOf(first)] });
      await withoutDraft('topics', second);
      await withoutDraft('sections', path);
      await api.write('PATCH', path, { title: 'changed' });
      expect((await api.read(`${path}?populate=owned`)).owned).toMatchObject([{ name: 'second' }, { name: 'first' }]);
      await api.write('PATCH', second, { name: 'second again' });
      expect((await api.read(`${path}?populate=owned`)).owned).toMatchObject([{ name: 'second again' }, { name: 'first' }]);
      expect((await api.read(`${path}?populate=owned&status=draft`)).owned).toMatchObject([{ name: 'second again' }, { name: 'first' }]);
    });
  },
);
