/** `lectern locale`: a running server uses the changes from its next request on. */
import { describe, expect, it, vi } from 'vitest';
import { anyEngine, untilNoticed } from '../../support/engines.ts';
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.each(anyEngine)('%s: lectern locale', (engine) => {
  const served = useProject(engine, {
    files: schemaFiles(
      {
        article: {
          drafts: true,
          localized: true,
          attributes: {
            title: { type: 'string', ...translated },
            parts: component('line', { repeatable: true, ...translated }),
            see: relation('oneToMany', 'article'),
          },
        },
        page: { localized: true, attributes: { title: { type: 'string', ...translated } } },
        plain: { attributes: { title: { type: 'string' } } },
      },
      { line: { text: { type: 'string' } } },
    ),
    public: ['api::article.article.find', 'plugin::i18n.locales.listLocales'],
  });
  const locale = async (...args: readonly string[]) => {
    const done = await run(['locale', ...args, '--dir', served.project.dir], served.environment);
    await untilNoticed(engine);
    return done;
  };
  const codes = async () => {
    const listed = (await served.ask('public', 'GET', '/api/i18n/locales')).json() as readonly Json[];
    return listed.map(({ code, name, isDefault }) => [code, name, isDefault]);
  };
  const count = async (table: string, condition = '1 = 1') =>
    Number((await served.query(`SELECT count(*) FROM ${table} WHERE ${condition}`))[0]?.[0]);
  const inGerman = (data: Json) => served.ask('full', 'POST', '/api/articles?locale=de', data);

  it('adds a locale, which entries may be written in at once', async () => {
    expect((await inGerman({ title: 'Brot' })).status).toBe(400);
    expect(await locale('add', 'de')).toMatchObject({ status: 0, stdout: 'Added the locale de: German (de).\n', stderr: '' });
    const made = await inGerman({ title: 'Brot' });
    expect(made.status).toBe(201);
    expect(await codes()).toEqual([
      ['en', 'English (en)', true],
      ['de', 'German (de)', false],
    ]);
    // A script may repeat it.
    expect(await locale('add', 'de')).toMatchObject({ status: 0, stdout: 'The locale de exists already: "German (de)".\n' });
    expect(await locale('add', 'de', '--name', 'Deutsch')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The locale de exists already, with the name "German (de)".'),
    });
    expect(await count('i18n_locale')).toBe(2);
    await served.write('DELETE', `/api/articles/${(made.json() as { data: Json }).data.documentId}?locale=*`);
  });

  it('adds one locale when two commands run at once', async () => {
    const both = await Promise.all([locale('add', 'fr'), locale('add', 'fr')]);
    expect(both.map(({ status }) => status)).toEqual([0, 0]);
    expect(await count('i18n_locale', "code = 'fr'")).toBe(1);
  });

  it('lists the locales', async () => {
    expect(await locale('list')).toMatchObject({
      status: 0,
      stdout: 'CODE  NAME\nen    English (en)  default\nde    German (de)\nfr    French (fr)\n',
    });
    expect(JSON.parse((await locale('list', '--json')).stdout)).toContainEqual({ code: 'de', name: 'German (de)', isDefault: false });
  });

  it('changes the default locale, which a request without one reads', async () => {
    const path = await served.make('/api/articles', { title: 'Bread' });
    await served.write('PUT', `${path}?locale=de`, { title: 'Brot' });
    const title = async () => (await served.read(`${path}?fields=title`)).title;
    expect(await title()).toBe('Bread');
    expect(await locale('default', 'de')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^de is now the default locale: .* en\.\n$/),
    });
    expect(await title()).toBe('Brot');
    expect(await locale('default', 'de')).toMatchObject({ status: 0, stdout: 'de is the default locale already.\n' });
    expect(await locale('remove', 'de')).toMatchObject({ status: 1, stderr: expect.stringContaining('de is the default locale') });
    expect((await locale('default', 'en')).status).toBe(0);
    expect(await title()).toBe('Bread');
    await served.write('DELETE', `${path}?locale=*`);
  });

  it('removes a locale with its entries only with --delete-entries', async () => {
    const path = await served.make('/api/articles', { title: 'Bread', parts: [{ text: 'en' }] });
    const german = (text: string, see: readonly unknown[]) => ({ title: text, parts: [{ text }, { text: `${text} 2` }], see });
    let last: unknown[] = [];
    for (let index = 0; index < 120; index++) {
      const made = await inGerman(german(`Brot ${index}`, last));
      last = [(made.json() as { data: Json }).data.documentId];
    }
    await served.write('PATCH', `${path}?locale=de`, german('Brot', last));
    await served.write('POST', '/api/pages?locale=de', { title: 'Seite' });
    await served.write('POST', '/api/plains', { title: 'Plain' });
    const counts = '121 of api::article.article, 1 of api::page.page';
    expect(await locale('remove', 'de')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`There are entries in de: ${counts}. --delete-entries deletes them, for good.`),
    });
    // Drafts and published versions.
    expect(await count('articles', "locale = 'de'")).toBe(242);
    const removed = await locale('remove', 'de', '--delete-entries');
    expect([removed.status, removed.stdout]).toEqual([0, `Removed the locale de and its entries: ${counts}.\n`]);
    expect(await count('articles', "locale = 'de'")).toBe(0);
    expect([await count('articles'), await count('pages'), await count('plains')]).toEqual([2, 0, 1]);
    // Components and links go with their entries; those of other locales stay.
    expect([await count('components_part_lines'), await count('articles_cmps'), await count('articles_see_lnk')]).toEqual([2, 2, 0]);
    expect((await served.ask('public', 'GET', '/api/articles?locale=de')).status).toBe(400);
    expect(await served.read(`${path}?populate=parts`)).toMatchObject({ title: 'Bread', parts: [{ text: 'en' }] });
    expect((await codes()).map(([code]) => code)).toEqual(['en', 'fr']);
    expect(await locale('remove', 'fr')).toMatchObject({ status: 0, stdout: 'Removed the locale fr.\n' });
  });

  it.each([
    [['add', 'pt_br'], 2, 'Did you mean pt-BR?'],
    [['add', 'jp'], 2, 'Did you mean ja?'],
    [['add', 'en-QQ'], 2, 'needs --name'],
    [['remove', 'EN'], 1, 'There is no locale EN; there are en. Did you mean en?'],
    [['default', 'it'], 1, 'There is no locale it; there are en.'],
  ])('%j is refused', async (args, status, says) => {
    expect(await locale(...args)).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(says) });
    expect(await count('i18n_locale')).toBe(1);
  });
});
