/** Decided: in profile strapi, too, a write of a draft that names no shared attribute leaves the drafts of the other locales alone. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { component, schemaFiles, shared, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    page: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', ...translated },
        rank: { type: 'integer', ...shared },
        other: { type: 'integer', ...shared },
        box: component('box', shared),
      },
    },
  },
  { box: { label: { type: 'string' } } },
);

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
    await api.write('PATCH', `${path}?locale=de&status=draft`, { other: 7 });
    expect(await draft(path, 'en')).toMatchObject({ other: 7, rank: 1, box: { label: 'one' } });
  });
});
