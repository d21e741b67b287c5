/** Hooks of a project: what they change, refuse and add before a write, once for a document, with the rights of the caller; and what they get when it is committed. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { eventsDuring, eventsOf, eventText } from '../../support/events.ts';
import { component, plainAttributes, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { dataOf, errorOf, type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const files = {
  ...schemaFiles(
    {
      author: { attributes: { name: { type: 'string' }, articles: { type: 'integer', max: 100 }, log: { type: 'json' } } },
      article: {
        drafts: true,
        attributes: {
          title: { type: 'string', required: true },
          slug: { type: 'string' },
          formerSlugs: { type: 'json' },
          body: { type: 'text' },
          teaser: { type: 'string' },
          minutes: { type: 'integer' },
          steps: { type: 'json' },
          seo: component('seo'),
          author: relation('manyToOne', 'author'),
        },
      },
      counter: { attributes: { count: { type: 'integer' }, note: { type: 'string' } } },
      page: {
        attributes: {
          slug: { type: 'string' },
          path: { type: 'string' },
          parent: relation('manyToOne', 'page', { inversedBy: 'children' }),
          children: relation('oneToMany', 'page', { mappedBy: 'parent' }),
        },
      },
      text: {
        drafts: true,
        localized: true,
        attributes: { title: { type: 'string', ...translated }, steps: { type: 'json', ...translated }, reads: { type: 'integer' } },
      },
      banner: { single: true, localized: true, attributes: { title: { type: 'string', ...translated }, views: { type: 'integer' } } },
      bill: {
        attributes: {
          price: { type: 'float' },
          large: { type: 'biginteger' },
          paid: { type: 'boolean' },
          ...plainAttributes,
          parts: { type: 'component', component: 'part.share', repeatable: true },
          seen: { type: 'json' },
          label: { type: 'string' },
        },
      },
      loop: { attributes: { name: { type: 'string' }, times: { type: 'integer' } } },
      note: {
        attributes: {
          title: { type: 'string' },
          owner: { type: 'string' },
          made: { type: 'string' },
          set: { type: 'string' },
          slug: { type: 'string' },
        },
      },
    },
    { seo: { metaTitle: { type: 'string' } }, share: { percent: { type: 'integer' } } },
  ),
  'lectern/hooks/article.ts': `
    import { create, defineHooks, excerpt, fail, increment, readingTime, slug, update } from 'lectern';
    import { shout } from './parts/shout.ts';

    const step = (name: string) => (context: any) => ({
      data: { steps: [...(context.data.steps ?? []), [name, context.document?.title ?? null, context.changed.filter((each: string) => each !== 'steps')]] },
    });

    export default defineHooks('api::article.article', {
      before: {
        async create(context) {
          const { data } = context;
          if (data.title === 'taken') fail('seo.metaTitle', 'is taken');
          if (data.title === 'throws') throw new Error('a secret');
          // Blocks the thread without work for the processor.
          if (data.title === 'slowly') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
          if (data.title === 'loops') for (;;);
          if (data.title === 'waits') await new Promise(() => undefined);
          if (data.title === 'grows') for (const all: unknown[] = []; ; ) all.push(new Array(100_000).fill(1));
          if (data.title === 'nonsense') return 'nonsense' as never;
          if (data.title === 'no attribute') return { data: { titel: 'x' } };
          if (data.title === 'changed in place') (data as any).title = 'lost';
          if (data.seo?.metaTitle === 'changed in place') data.seo.metaTitle = 'lost';
          if (data.title === 'leaves') process.exit();
          if (data.title === 'loud') return { data: { title: shout(data.title) } };
          const also = data.author === undefined ? [] : [update('api::author.author', data.author, { articles: increment(1) })];
          if (data.title === 'also wrong') also.push(update('api::author.author', data.author, { nope: 1 }));
          if (data.title === 'also missing') also.push(update('api::author.author', 'missing', { name: 'x' }));
          if (data.title === 'also made') also.push(create('api::author.author', { name: 'made beside' }));
          return { ...step('create')(context), also };
        },
        update: step('update'),
        publish: step('publish'),
        delete: ({ document }) => ({ also: document?.author ? [update('api::author.author', document.author.documentId, { articles: increment(-1) })] : [] }),
      },
      compute: {
        slug: slug({ from: 'title', history: 'formerSlugs', follow: true }),
        teaser: excerpt({ from: 'body', length: 20 }),
        minutes: readingTime({ from: 'body' }),
      },
      populate: ['author'],
      asSystem: true,
      // A busy machine is no reason to fail.
      timeLimit: 4000,
    });
  `,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file.
  'lectern/hooks/parts/shout.ts': 'export const shout = (text: string): string => `${text.toUpperCase()}!`;\n',
  'lectern/hooks/counter.mjs': `
    import { create, defineHooks, fail, increment, update } from 'lectern';
    export default defineHooks('api::counter.counter', {
      before: {
        async create({ data, read }) {
          const [what, id] = data.note?.split(' ') ?? [];
          if (what === 'once' && (await read('api::counter.counter').count({ filters: { note: data.note } })) > 0) fail('note', 'is taken');
          if (what === 'twice') return { also: [1, 2].map(() => update('api::counter.counter', id, { count: increment(1) })) };
          if (what === 'text') return { also: [create('api::text.text', { title: 'Beside' })] };
          if (what === 'read') return { also: [update('api::text.text', id, { reads: increment(2) }, { locale: 'de', status: 'draft' })] };
          if (what === 'view') return { also: [update('api::banner.banner', '', { views: increment(2) })] };
          if (what === 'second') return { also: [create('api::banner.banner', {})] };
          if (what === 'half') return { also: [update('api::counter.counter', id, { note: increment(1) })] };
        },
        update: ({ document, data }) => (data.note === 'count' ? { data: { count: document.count + 1 } } : undefined),
      },
    });
  `,
  'lectern/hooks/page.ts': `
    import { defineHooks, treePath } from 'lectern';
    // A busy machine is no reason to fail.
    export default defineHooks('api::page.page', { compute: { path: treePath({ parent: 'parent', slug: 'slug' }) }, timeLimit: 4000 });
  `,
  'lectern/hooks/text.ts': `
    import { defineHooks, fail } from 'lectern';
    const step = (name) => ({ locale, document }) => ({ data: { steps: [name, locale, document?.title ?? null] } });
    export default defineHooks('api::text.text', {
      before: { create: step('create'), update: step('update'), delete: ({ locale, document }) => document.title === 'kept' && fail('', 'the text in ' + locale + ' is kept') },
    });
  `,
  'lectern/hooks/banner.ts': `
    import { defineHooks, fail } from 'lectern';
    export default defineHooks('api::banner.banner', { before: { delete: ({ locale }) => fail('', 'the banner in ' + locale + ' is kept') } });
  `,
  'lectern/hooks/bill-1.ts': `
    import { defineHooks, fail } from 'lectern';
    const check = async ({ data, document }: any) => {
      if (data.price > 1000) fail('price', 'is too much');
      if (data.large > 1000) fail('large', 'is too much');
      if (data.paid === true) fail('paid', 'is not yours to say');
      if (data.parts?.some(({ percent }: any) => percent > 100)) fail('parts', 'are too much');
      if (data.label === 'waits') await new Promise((done) => setTimeout(done, 300));
      if (document?.label === 'closed') fail('label', 'is closed');
      return { data: { seen: data } };
    };
    export default defineHooks('api::bill.bill', { before: { create: check, update: check }, asSystem: true });
  `,
  'lectern/hooks/bill-2.ts': `
    import { defineHooks } from 'lectern';
    export default defineHooks('api::bill.bill', {
      before: { create: ({ data }: any) => (data.label === 'twice' ? { data: { seen: 'by the second' } } : undefined) },
    });
  `,
  'lectern/hooks/loop.ts': `
    import { defineHooks, update } from 'lectern';
    export default defineHooks('api::loop.loop', {
      before: { update: ({ documentId }) => ({ also: [update('api::loop.loop', documentId, { name: 'again' })] }) },
      committed: {
        async create({ event, documents }) { await documents('api::loop.loop').create({ name: event.documentId, times: event.caller.id ?? 0 }); },
      },
      asSystem: true,
    });
  `,
  'lectern/hooks/note.ts': `
    import { defineHooks, fail, slug } from 'lectern';
    export default defineHooks('api::note.note', {
      before: {
        create: ({ data, caller }) => (data.title === 'sets' ? { data: { set: 'by hook' } } : { data: { title: data.title + ' by ' + caller.kind } }),
        update: ({ document }) => fail('title', document.title),
      },
      compute: { made: () => 'computed', slug: slug({ from: 'owner' }) },
    });
  `,
  'lectern/hooks/author.ts': `
    import { defineHooks } from 'lectern';
    let failures = 0;
    export default defineHooks('api::author.author', {
      committed: {
        async update({ event, document, documents }) {
          if (document === undefined || document.name !== 'watched') return;
          failures++;
          if (failures === 1) throw new Error('fails once');
          await documents('api::author.author').update(event.documentId, { name: 'seen', log: { event: event.type, changed: event.changed, failures } });
        },
      },
    });
  `,
};

/** To load the other files takes time, and these threads are started again and again. */
const ofArticles = Object.fromEntries(Object.entries(files).filter(([path]) => !/^lectern\/hooks\/(?!article|parts)/.test(path)));

describe.each(engines)('%s: hooks before a write', (engine) => {
  const api = useProject(engine, {
    files,
    locales: seedLocales('en', 'de'),
    public: ['api::note.note.create', 'api::note.note.update', 'api::note.note.find', 'api::note.note.findOne'],
    rules: {
      public: {
        'api::note.note.create': { fields: ['title', 'owner'] },
        'api::note.note.find': { where: { owner: { $ne: 'ada' } } },
        'api::note.note.update': { where: { owner: { $eq: 'public' } } },
      },
    },
  });
  const once = it.runIf(anyEngine.includes(engine));
  const told = async (work: () => Promise<unknown>) => (await eventsDuring(api, work)).map(eventText);
  const article = (path: string) => api.read(`${path}?status=draft&populate=author`);

  it('run once for each thing that a write does, and see the document as it is stored', async () => {
    const path = await api.make('/api/articles', { title: 'One' });
    expect((await article(path)).steps).toEqual([
      ['create', null, ['title']],
      ['publish', null, ['title']],
    ]);
    await api.write('PATCH', `${path}?status=draft`, { title: 'Two', steps: [] });
    expect((await article(path)).steps).toEqual([['update', 'One', ['title']]]);
    const published = await api.write('POST', `${path}/actions/publish`);
    expect(published).toMatchObject({ title: 'Two', steps: [['publish', 'Two', []]] });
    expect(await api.read(path)).toMatchObject({ steps: [['publish', 'Two', []]] });
  });

  it('compute attributes from what is written, and keep former slugs', async () => {
    const path = await api.make('/api/articles?status=draft', { title: 'Fog over Skerra', body: 'The fog came in from the sea at night.' });
    expect(await article(path)).toMatchObject({ slug: 'fog-over-skerra', teaser: 'The fog came in…', minutes: 1, formerSlugs: null });
    const other = await api.write('POST', '/api/articles?status=draft', { title: 'Fog over Skerra' });
    expect(other.slug).toBe('fog-over-skerra-2');
    await api.write('PATCH', `${path}?status=draft`, { title: 'Mist' });
    await api.write('PATCH', `${path}?status=draft`, { slug: 'haze' });
    expect(await article(path)).toMatchObject({ slug: 'haze', formerSlugs: ['mist', 'fog-over-skerra'], teaser: 'The fog came in…' });
  });

  it('refuse a write with the path, and leave nothing behind', async () => {
    const refused = async () => {
      const error = errorOf(await api.ask('full', 'POST', '/api/articles', { title: 'taken' }));
      expect(error).toMatchObject({ status: 400, code: 'hook.refused', message: 'seo.metaTitle: is taken' });
      expect(error.details.errors).toEqual([{ path: ['seo', 'metaTitle'], message: 'is taken', name: 'ValidationError' }]);
    };
    expect(await told(refused)).toEqual([]);
    // What a caller may not write, and wrong values, are refused before.
    expect(errorOf(await api.ask('full', 'POST', '/api/articles', { title: 'taken', nope: 1 })).code).toBe('body.invalid-key');
    expect(errorOf(await api.ask('full', 'POST', '/api/articles', { title: 'taken', minutes: 'x' })).code).toBe('body.values');
  });

  it('use code of other files', async () => {
    expect(await api.write('POST', '/api/articles', { title: 'loud' })).toMatchObject({ title: 'LOUD!', slug: 'loud' });
  });

  it('run for each operation of a batch', async () => {
    const article = 'api::article.article';
    const send = (...operations: Json[]) => api.send('full', { method: 'POST', path: '/api/_batch', body: { operations } });
    const author = String((await api.write('POST', '/api/authors', { name: 'Ada' })).documentId);
    const titles = ['loud', 'Haar', 'Sleet'];
    const made = await send(...titles.map((title) => ({ create: article, data: { title, author } })));
    expect([made.status, made.text]).toEqual([200, expect.any(String)]);
    const {
      data: [loud, first],
    } = made.json() as { data: { documentId: string }[] };
    expect(await api.read(`/api/articles/${first?.documentId}`)).toMatchObject({ slug: 'haar' });
    expect(await api.read(`/api/articles/${loud?.documentId}`)).toMatchObject({ title: 'LOUD!' });
    // What hooks add happens with the operation.
    expect((await api.read(`/api/authors/${author}`)).articles).toBe(2);
    const refused = async () => {
      const again = { update: article, documentId: first?.documentId, data: { title: 'x' } };
      const { details } = errorOf(await send({ create: article, data: { title: 'taken' } }, again, again));
      expect(details.errors).toMatchObject([
        { operation: 0, code: 'hook.refused', message: expect.stringContaining('is taken') },
        { operation: 2, code: 'batch.hooked' },
      ]);
    };
    expect(await told(refused)).toEqual([]);
  });

  it('add writes to the same transaction, of which none is lost', async () => {
    const author = String((await api.write('POST', '/api/authors', { name: 'Ada' })).documentId);
    const make = (title: string) => api.ask('full', 'POST', '/api/articles', { title, author });
    const made = await Promise.all(Array.from({ length: 6 }, (_, index) => make(`Article ${index}`)));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    const count = async () => (await api.read(`/api/authors/${author}`)).articles;
    expect(await count()).toBe(6);
    const path = `/api/articles/${String(dataOf(made[0] as never).documentId)}`;
    await Promise.all([1, 2, 3].map(() => api.ask('full', 'DELETE', path)));
    expect(await count()).toBe(5);
    const nothing = async () => {
      expect(errorOf(await make('also wrong'))).toMatchObject({ status: 400, code: 'body.invalid-key' });
      expect(errorOf(await make('also missing'))).toMatchObject({ status: 409, code: 'hook.also-missing' });
    };
    expect(await told(nothing)).toEqual([]);
    expect(await count()).toBe(5);
    expect(await told(() => make('also made'))).toEqual([
      expect.stringMatching(/^publish article/),
      expect.stringMatching(/^update author .* articles$/),
      expect.stringMatching(/^create author .* name$/),
    ]);
    await api.write('PATCH', `/api/authors/${author}`, { articles: 100 });
    expect(errorOf(await make('one too many'))).toMatchObject({ status: 400, message: expect.stringContaining('articles') });
  });

  it('add to what is stored: of one document twice, of a new locale, and of a single type without a document', async () => {
    const count = (note: string) => api.ask('full', 'POST', '/api/counters', { note });
    const twice = await api.make('/api/counters', { count: 5 });
    expect((await count(`twice ${twice.split('/').at(-1)}`)).status).toBe(201);
    expect((await api.read(twice)).count).toBe(7);
    const text = await api.make('/api/texts?status=draft', { title: 'Fog', reads: 5 });
    expect((await count(`read ${text.split('/').at(-1)}`)).status).toBe(201);
    expect((await api.read(`${text}?status=draft&locale=de`)).reads).toBe(7);
    for (const views of [2, 4]) {
      expect((await count('view')).status).toBe(201);
      expect((await api.read('/api/banner')).views).toBe(views);
    }
    // Mistakes of the code, which a caller cannot mend.
    expect((await count('second')).status).toBe(500);
    expect((await count(`half ${twice.split('/').at(-1)}`)).status).toBe(500);
  });

  it('let a repeated request have its response, though they would refuse another one', async () => {
    const post = (key: string, note: string) =>
      api.send('full', { method: 'POST', path: '/api/counters', body: { data: { note } }, headers: { 'idempotency-key': key } });
    const first = await post('a', 'once 1');
    expect(first.status).toBe(201);
    expect(await post('a', 'once 1')).toMatchObject({ status: 201, text: first.text });
    expect(errorOf(await post('a', 'once 2')).code).toBe('idempotency.reused');
    expect(errorOf(await post('b', 'once 1')).code).toBe('hook.refused');
    expect((await post('b', 'once 2')).status).toBe(201);
  });

  it.each([{}, { 'if-match': '*' }])('run again if the document was changed meanwhile: %j', async (headers) => {
    const path = await api.make('/api/counters', { count: 0 });
    const patch = () => api.send('full', { method: 'PATCH', path, body: { data: { note: 'count' } }, headers });
    const patched = await Promise.all(Array.from({ length: 6 }, patch));
    const done = patched.filter(({ status }) => status === 200).length;
    expect(patched.filter(({ status }) => status !== 200).map((each) => errorOf(each).code)).toEqual(
      Array.from({ length: 6 - done }, () => 'hook.outdated'),
    );
    expect(done).toBeGreaterThan(0);
    expect((await api.read(path)).count).toBe(done);
  });

  it('get values as documents have them, however a body says them', async () => {
    const bill = (data: Json) => api.ask('full', 'POST', '/api/bills', data);
    for (const data of [
      { price: '5 000' },
      { large: '0005000' },
      { paid: 'true' },
      { paid: 1 },
      { parts: [{ percent: ' 5 000 ' }] },
      // A list is wanted; the refusal of the hook comes first.
      { parts: { percent: 5000 } },
    ])
      expect([data, errorOf(await bill(data)).code]).toEqual([data, 'hook.refused']);
    for (const text of ['{"data":{"large":9007199254740993}}', '{"data":{"price":50000000000000000000000}}'])
      expect(errorOf(await api.send('full', { method: 'POST', path: '/api/bills', body: text })).code).toBe('hook.refused');
    const seen = { price: '5', large: '12', paid: 'false', parts: [{ percent: '7' }], seen: '[1]', label: 'x' };
    expect(dataOf(await bill(seen)).seen).toEqual({ price: 5, large: '12', paid: false, parts: [{ percent: 7 }], seen: [1], label: 'x' });
  });

  it('get values of every type as the response has them', async () => {
    const sent = { whole: '7', big: '12', flt: '1.5', dec: '2.25', flag: 'true', doc: { a: [1] } };
    const times = { day: '2026-02-03', clock: '10:20:30', moment: '2026-02-03T10:20:30.456Z', stamp: 1_675_382_400_000 };
    const made = dataOf(await api.ask('full', 'POST', '/api/bills', { ...sent, ...times }));
    const names = Object.keys({ ...sent, ...times });
    const seen = made.seen as Json;
    expect(names.map((name) => [name, seen[name]])).toEqual(names.map((name) => [name, made[name]]));
  });

  it('let the last of several hooks decide, whatever the rights of those before', async () => {
    expect(dataOf(await api.ask('full', 'POST', '/api/bills', { label: 'twice' })).seen).toBe('by the second');
  });

  it.each(['*', 'the version'])('see the document again that changes meanwhile, with If-Match: %s', async (accepted) => {
    const path = await api.make('/api/bills', { label: 'open' });
    const tag = accepted === '*' ? '*' : String((await api.ask('full', 'GET', path)).headers.etag);
    const late = api.ask('full', 'PATCH', path, { label: 'waits' }, { 'if-match': tag });
    await new Promise((done) => setTimeout(done, 100));
    expect((await api.ask('full', 'PATCH', path, { label: 'closed' })).status).toBe(200);
    expect(errorOf(await late)).toMatchObject(
      accepted === '*' ? { status: 400, code: 'hook.refused' } : { status: 412, code: 'document.changed' },
    );
  });

  it('change the paths of the documents below one that moves', async () => {
    const make = async (slug: string, parent?: Json) =>
      api.write('POST', '/api/pages', { slug, ...(parent && { parent: parent.documentId }) });
    const about = await make('about');
    const team = await make('team', about);
    const ada = await make('ada', team);
    expect(ada.path).toBe('/about/team/ada');
    await api.write('PATCH', `/api/pages/${about.documentId}`, { slug: 'us' });
    expect((await api.read(`/api/pages/${ada.documentId}`)).path).toBe('/us/team/ada');
    expect(errorOf(await api.ask('full', 'PATCH', `/api/pages/${about.documentId}`, { parent: ada.documentId }))).toMatchObject({
      status: 400,
      message: expect.stringContaining('below itself'),
    });
    await api.write('PATCH', `/api/pages/${team.documentId}`, { parent: null });
    expect((await api.read(`/api/pages/${ada.documentId}`)).path).toBe('/team/ada');
  });

  it('run for each locale, and create in a new one', async () => {
    const path = await api.make('/api/texts?status=draft', { title: 'Fog' });
    const inLocale = async (locale: string) => (await api.read(`${path}?status=draft&locale=${locale}`)).steps;
    expect(await inLocale('en')).toEqual(['create', 'en', null]);
    await api.write('PUT', `${path}?status=draft&locale=de`, { title: 'kept', reads: null });
    expect(await inLocale('de')).toEqual(['create', 'de', null]);
    await api.write('PATCH', `${path}?status=draft&locale=de`, { title: 'kept' });
    expect([await inLocale('de'), await inLocale('en')]).toEqual([
      ['update', 'de', 'kept'],
      ['create', 'en', null],
    ]);
    expect(errorOf(await api.ask('full', 'DELETE', `${path}?locale=*`)).message).toBe('the text in de is kept');
    expect((await api.ask('full', 'DELETE', `${path}?locale=en`)).status).toBe(204);
    await api.write('PUT', '/api/banner?locale=de', { title: 'kept', views: 0 });
    expect(errorOf(await api.ask('full', 'DELETE', '/api/banner?locale=*')).message).toMatch(/^the banner in .. is kept$/);
    await api.write('POST', '/api/counters', { note: 'text' });
    const beside = (await api.ask('full', 'GET', '/api/texts?filters[title]=Beside&fields=steps')).json() as { data: Json[] };
    expect(beside.data.map(({ steps }) => steps)).toEqual([['create', 'en', null]]);
    expect((await api.ask('full', 'PATCH', `/api/articles/${'z'.repeat(24)}`, { title: 'taken' })).status).toBe(404);
  });

  it('have the rights of the caller, and see only what the caller may change', async () => {
    expect(dataOf(await api.ask('public', 'POST', '/api/notes', { title: 'A' }))).toMatchObject({ title: 'A by public', made: 'computed' });
    expect(errorOf(await api.ask('public', 'POST', '/api/notes', { title: 'sets' })).status).toBe(400);
    const hidden = String((await api.write('POST', '/api/notes', { title: 'hidden', owner: 'ada' })).documentId);
    // The rule finds what the caller may not.
    expect(dataOf(await api.ask('public', 'POST', '/api/notes', { title: 'B', owner: 'ada' })).slug).toBe('ada-2');
    expect(errorOf(await api.ask('public', 'PATCH', `/api/notes/${hidden}`, { title: 'x' }))).toMatchObject({ status: 404 });
    const own = String((await api.write('POST', '/api/notes', { title: 'open', owner: 'public' })).documentId);
    expect(errorOf(await api.ask('public', 'PATCH', `/api/notes/${own}`, { title: 'x' })).message).toBe('title: open by token');
  });

  it('lead to each other a few times at most', async () => {
    const path = await api.make('/api/loops', { name: 'first', times: 5 });
    expect(errorOf(await api.ask('full', 'PATCH', path, { name: 'x' }))).toMatchObject({ status: 508, code: 'hook.depth' });
    // Each document is made by the hook of the one before; the first one that is not has five of them before it.
    const list = async () =>
      (await api.ask('full', 'GET', '/api/loops?fields=times&sort=id&pagination[limit]=100')).json() as { data: Json[] };
    await expect.poll(async () => (await list()).data.map(({ times }) => times), { timeout: 20_000 }).toEqual([5, 1, 1, 2, 3, 4]);
    const deliveries = async () => (await run(['webhook', 'deliveries', '--dir', api.project.dir], api.environment)).stdout;
    await expect.poll(deliveries, { timeout: 20_000 }).toMatch(/failed.*hooks have led to each other 5 times in a row/);
  });

  // Webhooks are tested on every engine, and hooks are called as these are sent.
  once('get each event when it is committed, again after a failure, and their writes are events too', async () => {
    const path = await api.make('/api/authors', { name: 'Ben' });
    await api.write('PATCH', path, { name: 'watched' });
    const shown = async () => (await api.read(path)).name;
    // The second attempt comes seconds later.
    await expect.poll(shown, { timeout: 20_000, interval: 500 }).toBe('seen');
    expect((await api.read(path)).log).toEqual({ event: 'update', changed: ['name'], failures: 2 });
    const last = (await eventsOf(api)).at(-1);
    expect([last?.type, last?.caller]).toEqual(['update', { kind: 'hook', id: 1 }]);
    const { stdout } = await run(['webhook', 'deliveries', '--dir', api.project.dir], api.environment);
    expect(stdout).toContain('lectern/hooks/author.ts');
  });
  once('move all documents below, also those of further pages', async () => {
    const { documentId } = await api.write('POST', '/api/pages', { slug: 'wide' });
    await api.change(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 103)
       INSERT INTO pages (document_id, slug, path, published_at) SELECT 'below' || n, 'page-' || n, '/wide/page-' || n, 0 FROM numbers`,
      `INSERT INTO pages_parent_lnk (page_id, inv_page_id)
       SELECT below.id, parent.id FROM pages below, pages parent WHERE below.path LIKE '/wide/%' AND parent.document_id = '${documentId}'`,
    );
    await api.write('PATCH', `/api/pages/${documentId}`, { slug: 'moved' });
    const total = async (path: string) =>
      (await api.ask('full', 'GET', `/api/pages?fields=path&pagination[pageSize]=1&filters[path][$startsWith]=${path}`)).json();
    expect(await total('/wide/')).toMatchObject({ data: [] });
    expect(await total('/moved/page-')).toMatchObject({ meta: { pagination: { total: 103 } } });
  });
});

describe.each(anyEngine)('%s: hooks that fail', (engine) => {
  const api = useProject(engine, { files: ofArticles, ownProcess: true });
  const post = (title: string) => api.ask('full', 'POST', '/api/articles', { title });

  it('tell the caller nothing, and the server goes on', async () => {
    for (const [title, status, code] of [
      ['throws', 500, 'server.error'],
      ['nonsense', 500, 'server.error'],
      ['no attribute', 500, 'server.error'],
      ['changed in place', 500, 'server.error'],
      ['waits', 503, 'code.time'],
      ['leaves', 503, 'code.ended'],
      ['grows', 503, 'code.ended'],
    ] as const) {
      const response = await post(title);
      expect([title, response.status, errorOf(response).code]).toEqual([title, status, code]);
      expect(response.text).not.toMatch(/secret|lectern\/|hooks/);
    }
    expect((await api.ask('full', 'POST', '/api/articles', { title: 'x', seo: { metaTitle: 'changed in place' } })).status).toBe(500);
    expect((await post('fine')).status).toBe(201);
  });

  // In a process of its own, where they come faster than the thread answers whether it responds.
  it('keep their thread while many requests come at once', async () => {
    const all = await Promise.all(Array.from({ length: 30 }, () => post('slowly')));
    expect(all.filter(({ status }) => status !== 201).map((each) => errorOf(each).code)).toEqual([]);
  });

  it('end with their thread if they loop, and writes that had not begun go on', async () => {
    const looping = post('loops');
    const others = await Promise.all(
      [1, 2, 3].map((each) => new Promise((done) => setTimeout(done, 100)).then(() => post(`beside ${each}`))),
    );
    expect(errorOf(await looping)).toMatchObject({ status: 503, code: 'code.ended' });
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201]);
  });
});
