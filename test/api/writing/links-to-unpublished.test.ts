/** What a published document links to is decided when it is published: a later change of its draft stays out of sight, and a link to a target without a published version appears when the target gets one. */
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
  isPolymorphic,
  type Kinds,
  linkKinds,
  namesInEveryPlace,
  populateEveryPlace,
} from '../../support/link-places.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    section: {
      drafts: true,
      attributes: {
        title: { type: 'string' },
        ...linkKinds('topic'),
        ...holders(),
        owned: relation('manyToMany', 'topic', { inversedBy: 'owners' }),
        listed: relation('oneToMany', 'topic', { mappedBy: 'list' }),
      },
    },
    sheet: { attributes: { ...linkKinds('topic'), ...holders() } },
    topic: {
      drafts: true,
      attributes: {
        name: { type: 'string' },
        owners: relation('manyToMany', 'section', { mappedBy: 'owned' }),
        list: relation('manyToOne', 'section', { inversedBy: 'listed' }),
      },
    },
  },
  boxes('topic'),
);

describe.each(engines.flatMap((engine) => profilesOn(engine).map((profile) => [engine, profile] as const)))(
  '%s, profile %s: links of published documents',
  (engine, profile) => {
    const api = useProject(engine, { files, env: { LECTERN_PROFILE: profile } });
    const draftTopic = async (name: string) => String((await api.write('POST', '/api/topics?status=draft', { name })).documentId);
    const madeTopic = async (name: string) => (await api.make('/api/topics', { name })).slice('/api/topics/'.length);
    const shown = async (path: string, kinds: Kinds = allKinds, status = 'published') =>
      namesInEveryPlace(await api.read(`${path}?status=${status}&${populateEveryPlace(kinds)}`), kinds);
    const [none, late] = [everywhere(allKinds, []), everywhere(allKinds, ['late'])];
    const many = ['many'] as const;
    const publish = (path: string) => api.write('POST', `${path}/actions/publish`);
    const unpublish = (path: string) => api.write('POST', `${path}/actions/unpublish`);

    it('a link that is only in the draft does not appear when its target is published', async () => {
      const topic = await draftTopic('late');
      const path = await api.make('/api/sections', { title: 'S' });
      await api.write('PATCH', `${path}?status=draft`, inEveryPlace(allKinds, [topic]));
      await api.write('PATCH', `/api/topics/${topic}`, {});
      expect(Object.values(await shown(path)).flat(2)).toEqual([]);
      expect(await shown(path, allKinds, 'draft')).toEqual(late);
      await publish(path);
      expect(await shown(path)).toEqual(late);
    });

    it('a published link appears when its target is published, and each time that it is', async () => {
      const topic = await draftTopic('late');
      const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(allKinds, [topic]) });
      // A later draft has no effect on what is published.
      await api.write('PATCH', `${path}?status=draft`, inEveryPlace(allKinds, []));
      for (const round of [1, 2]) {
        expect(await shown(path), `before round ${round}`).toEqual(none);
        await publish(`/api/topics/${topic}`);
        expect(await shown(path), `round ${round}`).toEqual(late);
        await unpublish(`/api/topics/${topic}`);
      }
      await publish(path);
      await publish(`/api/topics/${topic}`);
      expect(Object.values(await shown(path)).flat(2)).toEqual([]);
    });

    it('a discarded draft has the links of what is published again, and publishes them', async () => {
      const topic = await draftTopic('late');
      const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(allKinds, [topic]) });
      await api.write('PATCH', `${path}?status=draft`, inEveryPlace(allKinds, []));
      await api.write('POST', `${path}/actions/discard-draft`);
      expect(await shown(path, allKinds, 'draft')).toEqual(late);
      await publish(path);
      await publish(`/api/topics/${topic}`);
      expect(await shown(path)).toEqual(late);
    });

    it('a link of a type without drafts leads to the published version, too, once there is one', async () => {
      const topic = await draftTopic('late');
      const path = await api.make('/api/sheets', inEveryPlace(allKinds, [topic]));
      // As in Strapi, polymorphic relations of types without drafts show drafts in profile strapi.
      const polymorphic = profile === 'strapi' ? everywhere(allKinds.filter(isPolymorphic), ['late']) : {};
      for (const round of [1, 2]) {
        expect(await shown(path), `before round ${round}`).toEqual({ ...none, ...polymorphic });
        await publish(`/api/topics/${topic}`);
        expect(eachOnce(await shown(path)), `round ${round}`).toEqual(late);
        await unpublish(`/api/topics/${topic}`);
      }
    });

    it('a link that appears stands where it was written', async () => {
      const { kinds } = groups[1];
      const [first, late, later, last] = [
        await madeTopic('first'),
        await draftTopic('late'),
        await draftTopic('later'),
        await madeTopic('last'),
      ];
      const path = await api.make('/api/sections', inEveryPlace(kinds, [first, late, later, last]));
      await publish(`/api/topics/${later}`);
      expect(await shown(path, kinds)).toEqual(everywhere(kinds, ['first', 'later', 'last']));
      await publish(`/api/topics/${late}`);
      expect(await shown(path, kinds)).toEqual(everywhere(kinds, ['first', 'late', 'later', 'last']));
    });

    it('a link to a target that is published at the same time is not lost', async () => {
      for (let round = 0; round < 5; round++) {
        const topic = await draftTopic('late');
        const [{ documentId }] = await Promise.all([
          api.write('POST', '/api/sections', { title: 'S', ...inEveryPlace(many, [topic]) }),
          publish(`/api/topics/${topic}`),
        ]);
        expect(await shown(`/api/sections/${String(documentId)}`, many), `round ${round}`).toEqual(everywhere(many, ['late']));
      }
    });

    it('a component that waits for a target keeps its row', async () => {
      const topic = await draftTopic('late');
      const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(many, [topic]) });
      const ids = async () => {
        const { box, zone } = await api.read(`${path}?populate=box&populate=zone`);
        return JSON.stringify([box, zone]);
      };
      const before = await ids();
      await api.write('PATCH', path, { title: 'T' });
      expect(await ids()).toBe(before);
      await publish(`/api/topics/${topic}`);
      expect(await shown(path, many)).toEqual(everywhere(many, ['late']));
    });

    it.each(['owned', 'listed'] as const)(
      'a two-way link of a published document appears each time that its target is published: %s',
      async (name) => {
        const topic = await draftTopic('late');
        const path = await api.make('/api/sections', { title: 'S', [name]: [topic] });
        await publish(`/api/topics/${topic}`);
        expect((await api.read(`${path}?populate=${name}`))[name]).toMatchObject([{ name: 'late' }]);
        await unpublish(`/api/topics/${topic}`);
        await publish(`/api/topics/${topic}`);
        expect((await api.read(`${path}?populate=${name}`))[name]).toMatchObject([{ name: 'late' }]);
      },
    );

    it('what is deleted awaits nothing, and is awaited by nothing', async () => {
      const topic = await draftTopic('late');
      const path = await api.make('/api/sections', { title: 'S', ...inEveryPlace(many, [topic]) });
      const other = await api.make('/api/sections', { title: 'S', ...inEveryPlace(['any'], [topic]) });
      const awaited = async () => Number((await api.query('SELECT COUNT(*) FROM lectern_awaited_links'))[0]?.[0]);
      const all = await awaited();
      await api.ask('full', 'DELETE', path);
      expect(await awaited()).toBe(all - 5);
      await api.ask('full', 'DELETE', `/api/topics/${topic}`);
      expect(await awaited()).toBe(all - 10);
      await publish(other);
    });

    it('of a document that Strapi wrote, the links of the draft count while it has not changed since', async () => {
      const linkedInDraft = async (topic: string) => {
        const path = await api.make('/api/sections', { title: 'S' });
        const { id } = await api.read(`${path}?status=draft`);
        const target = `(SELECT id FROM topics WHERE document_id = '${topic}' AND published_at IS NULL)`;
        await api.change(`INSERT INTO sections_many_lnk (section_id, topic_id, topic_ord) VALUES (${String(id)}, ${target}, 1)`);
        return path;
      };
      const names = async (path: string) => (await api.read(`${path}?populate=many`)).many;
      const topic = await draftTopic('late');
      const [same, changed] = [await linkedInDraft(topic), await linkedInDraft(topic)];
      await api.write('PATCH', `${changed}?status=draft`, { title: 'T' });
      await publish(`/api/topics/${topic}`);
      expect(await names(same)).toMatchObject([{ name: 'late' }]);
      expect(await names(changed)).toEqual([]);
    });
  },
);
