/** The setting `populate`: what reads populate when the query does not say. */
import { beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { projectOfTest } from '../../support/project.ts';
import { component, relation, schemaFiles } from '../../support/schema-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const text = { type: 'string' };
const files = schemaFiles(
  {
    page: {
      attributes: {
        title: text,
        seo: component('seo'),
        zone: { type: 'dynamiczone', components: ['part.hero', 'part.quote'] },
        author: relation('manyToOne', 'person', { inversedBy: 'pages' }),
        secret: relation('manyToOne', 'person', { private: true }),
      },
    },
    person: {
      attributes: {
        name: text,
        home: relation('manyToOne', 'place'),
        pages: relation('oneToMany', 'page', { mappedBy: 'author' }),
        friends: relation('manyToMany', 'person'),
      },
    },
    place: { attributes: { name: text } },
    note: { attributes: { words: text, person: relation('manyToOne', 'person') } },
  },
  {
    seo: { heading: text, place: relation('manyToOne', 'place') },
    hero: { words: text, buttons: component('button', { repeatable: true }) },
    quote: { words: text, speaker: relation('manyToOne', 'person') },
    button: { label: text },
  },
);

const zone = { on: { 'part.hero': { populate: { buttons: true } }, 'part.quote': { fields: ['words'], populate: { speaker: true } } } };
const populate = {
  'api::page.page': { seo: true, zone, author: { fields: ['name'], populate: 'home', filters: { name: { $ne: 'Nobody' } } } },
  'api::person.person': 'deep',
  'api::note.note': ['person'],
};
const explicit =
  'populate[seo]=true&populate[zone][on][part.hero][populate][buttons]=true&populate[zone][on][part.quote][fields][0]=words' +
  '&populate[zone][on][part.quote][populate][speaker]=true' +
  '&populate[author][fields][0]=name&populate[author][populate]=home&populate[author][filters][name][$ne]=Nobody';
const deepPerson =
  'populate[home]=true&populate[pages][populate][seo][populate][place]=true&populate[pages][populate][zone][on][part.hero][populate][buttons]=true' +
  '&populate[pages][populate][zone][on][part.quote][populate][speaker]=true&populate[pages][populate][author]=true&populate[friends]=true';

const find = (...names: readonly string[]) => names.map((name) => `api::${name}.${name}.find`);

describe.each(anyEngine)('%s', (engine) => {
  describe.each(['strapi', 'specification'])('profile %s', (profile) => {
    const project = useProject(engine, {
      files,
      env: { LECTERN_PROFILE: profile, LECTERN_POPULATE: JSON.stringify(populate) },
      public: [...find('page', 'note'), 'api::page.page.findOne'],
      tokens: { writer: [...find('page', 'person', 'place'), 'api::page.page.create'] },
    });
    let page: string;
    beforeAll(async () => {
      const place = await project.write('POST', '/api/places', { name: 'Port Averil' });

      const ines = await project.write('POST', '/api/persons', { name: 'Ines', home: place.documentId });
      await project.write('POST', '/api/persons', { name: 'Tobias', friends: [ines.documentId] });
      page = await project.make('/api/pages', {
        title: 'Front',
        seo: { heading: 'Welcome', place: place.documentId },
        zone: [
          { __component: 'part.hero', words: 'Hello', buttons: [{ label: 'Go' }] },
          { __component: 'part.quote', words: 'Indeed', speaker: ines.documentId },
        ],
        author: ines.documentId,
      });
      await project.write('POST', '/api/notes', { words: 'Remember', person: ines.documentId });
    });

    const get = async (who: string, path: string) => {
      const { status, text: body } = await project.ask(who, 'GET', path);
      return { status, body: JSON.parse(body) as { data: Json | readonly Json[] } };
    };

    it.each([
      ['a list', '/api/pages', explicit],
      ['a document', '', explicit],
      ['a list with a filter and fields', '/api/pages?filters[title]=Front&fields=title', explicit],
      ['"deep" in a list', '/api/persons?sort=name', deepPerson],
      ['a list of names', '/api/notes', 'populate[0]=person'],
    ])('%s is populated as by the same value in the query', async (_, path, query) => {
      const url = path || page;
      const asked = await get('full', `${url}${url.includes('?') ? '&' : '?'}${query}`);
      expect(asked.status).toBe(200);
      expect(await get('full', url)).toEqual(asked);
      expect(JSON.stringify(asked.body)).toMatch(/"(?:home|person)":\{/);
    });

    it('the query wins, and an empty populate populates nothing', async () => {
      const keys = async (query: string) => Object.keys((await get('full', `${page}?fields=title&${query}`)).body.data);
      expect(await keys('populate=seo')).toEqual(['id', 'documentId', 'title', 'seo']);
      expect(await keys('populate=')).toEqual(['id', 'documentId', 'title']);
    });

    it('leaves out what the caller may not find, without an error', async () => {
      const { status, body } = await get('public', `${page}?fields=title`);
      expect(status).toBe(200);
      expect(Object.keys(body.data)).toEqual(['id', 'documentId', 'title', 'seo', 'zone']);
      expect(JSON.stringify(body)).not.toMatch(/speaker|Ines/);
      expect(Object.keys((await get('public', '/api/notes?fields=words')).body.data)).toEqual(['0']);
      expect(JSON.stringify(await get('public', '/api/notes?fields=words'))).not.toContain('Ines');
    });

    it('a page of a list may be asked for', async () => {
      const { status, body } = await get('full', '/api/pages?pagination[pageSize]=1');
      expect(status).toBe(200);
      expect(body.data).toMatchObject([{ seo: { heading: 'Welcome' } }]);
    });

    it('other values share the plan', async () => {
      const staged = async (title: string) =>
        String((await project.ask('full', 'GET', `/api/pages?filters[title]=${title}`)).headers['server-timing']).includes('compile');
      await staged('one');
      expect(await staged('two')).toBe(false);
    });

    it('responses to writes are as they were', async () => {
      const created = await project.write('POST', '/api/pages', { title: 'New' });
      expect(created).not.toHaveProperty('seo');
      await project.write('DELETE', `/api/pages/${String(created.documentId)}`);
    });
  });
});

describe.each(anyEngine)('%s: a caller whose right is limited to fields', (engine) => {
  const limited = schemaFiles({
    page: {
      attributes: {
        title: text,
        author: relation('manyToOne', 'person'),
        reviewer: relation('manyToOne', 'person'),
        editors: relation('manyToMany', 'person'),
      },
    },
    person: { attributes: { name: text, phone: text } },
  });
  const project = useProject(engine, {
    files: limited,
    env: {
      LECTERN_POPULATE: JSON.stringify({
        'api::page.page': {
          author: { fields: ['name', 'phone'] },
          reviewer: { filters: { $or: [{ name: 'Ines' }, { phone: { $ne: '0' } }] } },
          editors: { sort: ['phone:desc', 'name:desc'] },
        },
      }),
    },
    public: find('page', 'person'),
    rules: { public: { 'api::person.person.find': { fields: ['name'] } } },
  });

  it('gets the rest, without an error that names what is hidden', async () => {
    const people = [];
    for (const [name, phone] of [
      ['Ines', '3'],
      ['Tobias', '9'],
    ])
      people.push((await project.write('POST', '/api/persons', { name, phone })).documentId);
    const [ines] = people;
    await project.write('POST', '/api/pages', { title: 'Front', author: ines, reviewer: ines, editors: people });
    const [forAll, forFull] = await Promise.all(
      ['public', 'full'].map(async (who) => {
        const { status, text: body } = await project.ask(who, 'GET', '/api/pages');
        expect(status, body).toBe(200);
        return JSON.parse(body).data[0] as Record<string, Json & readonly Json[]>;
      }),
    );
    expect(Object.keys(forAll?.author ?? {})).toEqual(['id', 'documentId', 'name']);
    expect(forAll).not.toHaveProperty('reviewer');
    expect(forAll?.editors?.map(({ name, phone }) => ({ name, phone }))).toEqual([{ name: 'Tobias' }, { name: 'Ines' }]);
    expect(forFull).toMatchObject({ author: { name: 'Ines', phone: '3' }, reviewer: { name: 'Ines' } });
    // What the caller writes is refused as before.
    expect((await project.ask('public', 'GET', '/api/pages?populate[author][fields]=phone')).status).toBe(400);
  });
});

describe.each(anyEngine)('%s: a wrong value', (engine) => {
  const wide = schemaFiles(
    Object.fromEntries(
      Array.from({ length: 12 }, (_, from) => [
        `t${from}`,
        { attributes: Object.fromEntries(Array.from({ length: 12 }, (_, to) => [`r${to}`, relation('oneToOne', `t${to}`)])) },
      ]),
    ),
  );
  it.each([
    ['a type that is not there', files, { 'api::nope.nope': '*' }, 'populate: there is no content type "api::nope.nope"'],
    [
      'a type without endpoints',
      files,
      { 'plugin::upload.file': '*' },
      'populate: there is no content type "plugin::upload.file" with endpoints of its own',
    ],
    ['a private attribute', files, { 'api::page.page': ['secret'] }, 'populate: "api::page.page": Invalid key secret'],
    ['no object', files, ['*'], 'populate is set to a value that is not shown, but must be an object (JSON in a variable) of uids'],
    [
      'a model with too many paths',
      wide,
      { 'api::t0.t0': 'deep' },
      'populate: "api::t0.t0": deep exceeds the limit of 200 (limits.populatedPaths)',
    ],
  ])('%s prevents the start, and check tells', async (_, given, value, message) => {
    const project = await projectOfTest(engine, { ...given, 'lectern.config.json': { populate: value } });
    for (const command of [['check'], ['start', '--port', '0']]) {
      const { status, stderr } = await run([...command, '--dir', project.dir], project.env);
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
    }
  });
});
