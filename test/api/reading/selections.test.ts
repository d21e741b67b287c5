/** The setting `selections`: what `selection=card` stands for. The table of queries is beside the parser. */
import { beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { projectOfTest } from '../../support/project.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const text = { type: 'string' };
const files = schemaFiles(
  {
    page: {
      attributes: {
        title: text,
        words: text,
        zone: { type: 'dynamiczone', components: ['part.hero'] },
        author: relation('manyToOne', 'person'),
      },
    },
    person: { attributes: { name: text, phone: text } },
  },
  { hero: { words: text, by: relation('manyToOne', 'person') } },
);

const selections = {
  'api::page.page': {
    card: { fields: ['title'], populate: { author: { selection: 'contact' }, zone: { on: { 'part.hero': { selection: 'signed' } } } } },
  },
  'api::person.person': { short: { fields: ['name'] }, contact: { fields: ['name', 'phone'] } },
  'part.hero': { signed: { fields: ['words'], populate: { by: { selection: 'short' } } } },
};

const person = { id: expect.any(Number), documentId: expect.any(String) };
const card = {
  ...{ id: expect.any(Number), documentId: expect.any(String), title: 'Front' },
  author: { ...person, name: 'Ines', phone: '3' },
  zone: [{ id: expect.any(Number), __component: 'part.hero', words: 'Hello', by: { ...person, name: 'Ines' } }],
};

describe.each(anyEngine)('%s', (engine) => {
  describe.each(['strapi', 'specification'])('profile %s', (profile) => {
    const project = useProject(engine, {
      files,
      env: { LECTERN_PROFILE: profile, LECTERN_SELECTIONS: JSON.stringify(selections) },
      public: ['page', 'person'].map((name) => `api::${name}.${name}.find`),
      rules: { public: { 'api::person.person.find': { fields: ['name'] } } },
    });
    let page: string;
    beforeAll(async () => {
      const { documentId } = await project.write('POST', '/api/persons', { name: 'Ines', phone: '3' });
      page = await project.make('/api/pages', {
        title: 'Front',
        words: 'All of them',
        author: documentId,
        zone: [{ __component: 'part.hero', words: 'Hello', by: documentId }],
      });
    });

    const get = async (who: string, path: string) => {
      const { status, text: body } = await project.ask(who, 'GET', path);
      return { status, ...JSON.parse(body) };
    };

    it('lists, documents and responses to writes have what the name stands for', async () => {
      expect(await get('full', '/api/pages?selection=card')).toMatchObject({ status: 200, data: [card] });
      expect((await get('full', `${page}?selection=card`)).data).toEqual(card);
      expect((await get('full', `${page}?selection=card&fields=words`)).data).toEqual({ ...card, words: 'All of them' });
      const written = await project.ask('full', 'PATCH', `${page}?selection=card`, { title: 'Front', words: 'All of them' });
      expect(JSON.parse(written.text).data).toEqual(card);
    });

    it('what the caller may not read is refused as if the query named it', async () => {
      expect(await get('public', '/api/pages?selection=card')).toMatchObject({ status: 400, error: { details: { key: 'phone' } } });
      const short = await get('public', '/api/pages?fields=title&populate[author][selection]=short');
      expect(short.data).toEqual([{ ...person, title: 'Front', author: { ...person, name: 'Ines' } }]);
    });

    it('an unknown name is refused, with the one that it may mean', async () => {
      const { status, error } = await get('full', '/api/pages?populate[author][selection]=shrt');
      expect({ status, code: error.code ?? error.details.code }).toMatchObject({ status: 400 });
      expect(error).toMatchObject({ name: 'ValidationError', details: { key: 'shrt', path: 'author' } });
    });

    it('the OpenAPI document has the names', async () => {
      const { paths, components } = await get('full', '/api/openapi.json');
      const names = JSON.stringify(paths['/pages'] ?? paths['/api/pages']);
      expect(names).toContain('NamedSelection');
      expect(JSON.stringify(components)).toContain('"enum":["short","contact"]');
    });
  });

  it('a mistake prevents the start, and check tells', async () => {
    const project = await projectOfTest(engine, {
      ...files,
      'lectern.config.json': { selections: { 'api::page.page': { card: { populate: { author: { selection: 'nope' } } } } } },
    });
    for (const command of [['check'], ['start', '--port', '0']]) {
      const { status, stderr } = await run([...command, '--dir', project.dir], project.env);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringContaining('selections: "api::page.page": card: Invalid selection nope at author'),
      });
    }
  });
});
