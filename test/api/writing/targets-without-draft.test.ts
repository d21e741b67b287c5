/** Documents that have only a published row, as imports leave them, keep their links when they or what they link to are written. */
import { describe, expect, it } from 'vitest';
import { profilesOn } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import {
  boxes,
  everywhere,
  holders,
  inEveryPlace,
  isToMany,
  type Kind,
  kinds,
  linkKinds,
  namesInEveryPlace,
  populateEveryPlace,
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
    const shown = async (path: string, kind: Kind) => namesInEveryPlace(await api.read(`${path}?${populateEveryPlace(kind)}`), kind);
    const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
    /** Deletes the drafts, and with them their own links and components, but not what a published row has. */
    const withoutDraft = (table: string, path: string) =>
      api.change(`DELETE FROM ${table} WHERE published_at IS NULL AND document_id = '${nameOf(path)}'`);
    const topics = async () =>
      [await api.make('/api/topics', { name: 'first' }), await api.make('/api/topics', { name: 'second' })] as const;
    /** A section with links to topics, of which the second has no draft, in every place. */
    const section = async (kind: Kind) => {
      const [first, second] = await topics();
      const paths = isToMany(kind) ? [second, first] : [second];
      const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(kind, paths.map(nameOf)) });
      await withoutDraft('topics', second);
      return { path, second, names: everywhere(isToMany(kind) ? ['second', 'first'] : ['second']) };
    };

    it.each(kinds)('of a document without a draft that is written: %s', async (kind) => {
      const { path, second, names } = await section(kind);
      await withoutDraft('sections', path);
      await api.write('PATCH', path, { title: 'changed' });
      expect(await shown(path, kind)).toEqual(names);
      await api.write('PATCH', `${path}?status=draft`, { title: 'again' });
      await api.write('POST', `${path}/actions/publish`);
      expect(await shown(path, kind)).toEqual(names);
      // The target gets a draft.
      await api.write('PATCH', second, {});
      await api.write('PATCH', path, { title: 'and again' });
      expect(await shown(path, kind)).toEqual(names);
    });

    it.each(kinds)('of a draft that is discarded and published: %s', async (kind) => {
      const { path, names } = await section(kind);
      await api.write('POST', `${path}/actions/discard-draft`);
      await api.write('POST', `${path}/actions/publish`);
      expect(await shown(path, kind)).toEqual(names);
    });

    it.each(kinds.flatMap((kind) => (['PATCH', 'publish', 'connect'] as const).map((how) => [kind, how] as const)))(
      'of a document whose draft has lost the link, and is published: %s, %s',
      async (kind, how) => {
        const [first, second] = await topics();
        const paths = isToMany(kind) ? [second, first] : [second];
        const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(kind, paths.map(nameOf)) });
        await withoutDraft('topics', second);
        const own = isToMany(kind) && how === 'connect';
        const third = own ? await api.make('/api/topics', { name: 'third' }) : '';
        const target = kind === 'anys' ? { __type: 'api::topic.topic', documentId: nameOf(third) } : { documentId: nameOf(third) };
        if (how === 'publish') await api.write('POST', `${path}/actions/publish`);
        else await api.write('PATCH', path, own ? { [kind]: { connect: [target] } } : { title: 'changed' });
        const [, ...rest] = everywhere(isToMany(kind) ? ['second', 'first'] : ['second']);
        const linked = [...(isToMany(kind) ? ['second', 'first'] : ['second']), ...(own ? ['third'] : [])];
        expect(await shown(path, kind)).toEqual([linked, ...rest]);
        // What a body removes is removed.
        await api.write('PATCH', path, inEveryPlace(kind, []));
        expect(await shown(path, kind)).toEqual(everywhere([]));
      },
    );

    it('of a draft that was changed since: it is published as it is', async () => {
      const [first, second] = await topics();
      const path = await api.make('/api/sections', { title: 'S', many: [nameOf(second), nameOf(first)] });
      await withoutDraft('topics', second);
      await api.write('PATCH', `${path}?status=draft`, { many: [nameOf(first)] });
      await api.write('POST', `${path}/actions/publish`);
      expect((await api.read(`${path}?populate=many`)).many).toMatchObject([{ name: 'first' }]);
    });

    it.each(kinds)('that a body names: %s', async (kind) => {
      const [, second] = await topics();
      await withoutDraft('topics', second);
      const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(kind, [nameOf(second)]) });
      expect(await shown(path, kind)).toEqual(everywhere(['second']));
    });

    it.each(kinds)('that gets a draft, is unpublished and published again: %s', async (kind) => {
      const [, second] = await topics();
      await withoutDraft('topics', second);
      const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(kind, [nameOf(second)]) });
      const sheet = await api.make('/api/sheets', { title: 'S', ...inEveryPlace(kind, [nameOf(second)]) });
      await api.write('PATCH', `${second}?status=draft`, { name: 'second' });
      const drafts = async () => namesInEveryPlace(await api.read(`${path}?status=draft&${populateEveryPlace(kind)}`), kind);
      expect(await drafts()).toEqual(everywhere(['second']));
      await api.write('POST', `${second}/actions/unpublish`);
      expect(await drafts()).toEqual(everywhere(['second']));
      await api.write('PATCH', path, { title: 'again' });
      await api.write('POST', `${second}/actions/publish`);
      expect(await shown(path, kind)).toEqual(everywhere(['second']));
      expect((await shown(sheet, kind)).map((names) => [...new Set(names)])).toEqual(everywhere(['second']));
    });

    it.each(kinds)('of a type without drafts: %s', async (kind) => {
      const [, second] = await topics();
      const path = await api.make('/api/sheets', { title: 'S', ...inEveryPlace(kind, [nameOf(second)]) });
      await withoutDraft('topics', second);
      await api.write('PATCH', path, { title: 'changed' });
      expect((await shown(path, kind)).map((names) => [...new Set(names)])).toEqual(everywhere(['second']));
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
