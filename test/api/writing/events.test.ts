/** Events of documents: one for each change of a document in a locale, with what was changed and by whom, and none for a write that fails. */
import { describe, expect, it } from 'vitest';
import { oldEvents, removeEvents } from '../../../src/events/event-store.ts';
import { Rows } from '../../../src/sql/rows.ts';
import { ada, ben, useAccounts } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { eventsDuring, eventsOf, eventText } from '../../support/events.ts';
import { component, relation, schemaFiles, shared, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { useProject } from '../../support/served-project.ts';
import { articleUid, info, link, red, useUploads } from '../../support/uploads.ts';
import { withDatabase } from '../../support/with-database.ts';

const files = schemaFiles(
  {
    page: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', ...translated },
        rank: { type: 'integer', ...shared },
        box: component('box', translated),
        boxes: component('box', { repeatable: true, ...translated }),
        tags: relation('manyToMany', 'tag'),
      },
    },
    tag: { attributes: { name: { type: 'string', unique: true } } },
    home: { single: true, drafts: true, attributes: { title: { type: 'string' } } },
  },
  { box: { label: { type: 'string' }, note: { type: 'string' } } },
);

describe.each(engines)('%s: events of documents', (engine) => {
  const api = useProject(engine, { files, locales: seedLocales('en', 'de', 'fr'), public: ['api::tag.tag.create'] });
  const told = async (work: () => Promise<unknown>) => (await eventsDuring(api, work)).map(eventText);
  const write = (method: string, path: string, data?: object) => api.write(method, path, data);
  const action = (path: string, name: string, query = '') => write('POST', `${path}/actions/${name}${query}`);

  it('are one for each write, with its type and what it changed', async () => {
    let path = '';
    const make = async () => {
      path = await api.make('/api/pages?status=draft', { title: 'A', box: { label: 'x' } });
    };
    expect(await told(make)).toEqual(['create page en draft new: title box']);
    expect(await told(() => write('PATCH', `${path}?status=draft`, { title: 'B', box: { label: 'y' } }))).toEqual([
      'update page en draft: title box.label',
    ]);
    expect(await told(() => action(path, 'publish'))).toEqual(['publish page en published: title box']);
    expect(await told(() => write('PATCH', path, { title: 'C', box: { label: 'y' } }))).toEqual(['publish page en published: title']);
    expect(await told(() => write('PATCH', `${path}?status=draft`, { title: 'D' }))).toEqual(['update page en draft: title']);
    expect(await told(() => action(path, 'discard-draft'))).toEqual(['discard page en draft: title']);
    expect(await told(() => action(path, 'unpublish'))).toEqual(['unpublish page en published:']);
    expect(await told(() => write('DELETE', path))).toEqual(['delete page en -:']);
  });

  it('name the attributes of one component, relations, and lists of components as a whole', async () => {
    const tag = String((await write('POST', '/api/tags', { name: 'paths' })).documentId);
    const made = await write('POST', '/api/pages', { title: 'A', box: { label: 'x', note: 'n' }, boxes: [{ label: 'one' }] });
    const path = `/api/pages/${String(made.documentId)}`;
    const box = await write('GET', `${path}?status=draft&populate=box`);
    const { id } = box.box as { id: number };
    expect(
      await told(() => write('PATCH', path, { box: { id, label: 'z' }, boxes: [{ label: 'one' }, { label: 'two' }], tags: [tag] })),
    ).toEqual(['publish page en published: box.label boxes tags']);
    const draft = await write('GET', `${path}?status=draft&populate=box`);
    const kept = (draft.box as { id: number }).id;
    expect(await told(() => write('PATCH', `${path}?status=draft`, { box: { id: kept, label: 'q' } }))).toEqual([
      'update page en draft: box.label',
    ]);
    expect(await told(() => write('PATCH', `${path}?status=draft`, { tags: { disconnect: [tag] } }))).toEqual([
      'update page en draft: tags',
    ]);
  });

  it('are one for each locale that is changed', async () => {
    const path = await api.make('/api/pages', { title: 'A', rank: 1 });
    expect(await told(() => write('PATCH', `${path}?locale=de`, { title: 'A de' }))).toEqual(['publish page de published new: title rank']);
    expect((await told(() => write('PATCH', path, { rank: 2 }))).toSorted()).toEqual([
      'publish page de published: rank',
      'publish page en published: rank',
    ]);
    expect((await told(() => write('DELETE', `${path}?locale=*`))).toSorted()).toEqual(['delete page de -:', 'delete page en -:']);
  });

  it('of types without drafts, and of a single type', async () => {
    let path = '';
    const make = async () => {
      path = await api.make('/api/tags', { name: 'plain' });
    };
    expect(await told(make)).toEqual(['create tag - published new: name']);
    expect(await told(() => write('PATCH', path, { name: 'plainer' }))).toEqual(['update tag - published: name']);
    expect(await told(() => write('DELETE', path))).toEqual(['delete tag - -:']);
    expect(await told(() => write('PUT', '/api/home', { title: 'Welcome' }))).toEqual(['publish home - published new: title']);
  });

  it('name their caller and the document', async () => {
    const tokens = await api.query('SELECT id, name FROM strapi_api_tokens');
    const full = Number(tokens.find(([, name]) => name === 'full')?.[0]);
    let documentId: unknown;
    const [own] = await eventsDuring(api, async () => {
      ({ documentId } = await write('POST', '/api/tags', { name: 'called' }));
    });
    expect(own).toMatchObject({ documentId, caller: { kind: 'token', id: full } });
    expect(Math.abs((own?.createdAt ?? 0) - Date.now())).toBeLessThan(60_000);
    const [visitor] = await eventsDuring(api, () => api.ask('public', 'POST', '/api/tags', { name: 'visited' }));
    expect(visitor?.caller).toEqual({ kind: 'public', id: null });
  });

  it('are not written for what fails, for nothing to do, or for a repeated request', async () => {
    await write('POST', '/api/tags', { name: 'taken' });
    const failing = async () => {
      expect((await api.ask('full', 'POST', '/api/tags', { name: 'taken' })).status).toBe(400);
      expect((await api.ask('full', 'DELETE', '/api/tags/nobody')).status).toBe(204);
      expect((await api.ask('full', 'PUT', '/api/tags/nobody', { name: 'x' })).status).toBe(404);
    };
    expect(await told(failing)).toEqual([]);
    const repeated = async () => {
      for (let round = 0; round < 2; round++)
        expect((await api.ask('full', 'POST', '/api/tags', { name: 'once' }, { 'Idempotency-Key': 'once' })).status).toBe(201);
    };
    expect(await told(repeated)).toEqual(['create tag - published new: name']);
  });

  it('are removed beyond their number and their age, the oldest first and some at a time', async () => {
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) await write('POST', '/api/tags', { name });
    const ids = async () => (await eventsOf(api)).map(({ id }) => id);
    const remove = (bounds: { readonly before: number; readonly most: number; readonly step: number }) =>
      withDatabase(api.project, (database) =>
        database.write(async (connection) => {
          const rows = new Rows(connection, database.dialect);
          const old = await oldEvents(bounds, rows);
          if (old !== undefined) await removeEvents(old, rows);
          return old?.count ?? 0;
        }),
      );
    const all = await ids();
    const none = { before: 0, most: 1000, step: 100 };
    expect([await remove(none), await ids()]).toEqual([0, all]);
    expect([await remove({ ...none, most: all.length - 3, step: 2 }), await ids()]).toEqual([2, all.slice(2)]);
    expect([await remove({ ...none, most: all.length - 3 }), await ids()]).toEqual([1, all.slice(3)]);
    // One with a later time keeps those behind it, whatever theirs is.
    await api.change(`UPDATE lectern_events SET created_at = ${engine === 'sqlite' ? '1000' : "'2001-01-01'"} WHERE id <> ${all[4]}`);
    expect([await remove({ ...none, before: Date.now() - 3_600_000 }), await ids()]).toEqual([1, all.slice(4)]);
  });

  it('of one document have growing ids in the order of its writes', async () => {
    const path = await api.make('/api/tags', { name: 'raced' });
    const written = await eventsDuring(api, () =>
      Promise.all(Array.from({ length: 20 }, (_, n) => write('PATCH', path, { name: `raced ${n}` }))),
    );
    expect(written.length).toBe(20);
    expect((await api.read(path)).name).toMatch(/^raced \d+$/);
  });
});

describe.each(anyEngine)('%s: without events', (engine) => {
  const api = useProject(engine, { files, env: { LECTERN_EVENTS_KEEP: '0' } });

  it('none are written where events.keep is 0', async () => {
    await api.make('/api/tags', { name: 'untold' });
    expect(await eventsOf(api)).toEqual([]);
  });
});

describe.each(anyEngine)('%s: events of files', (engine) => {
  const { served, upload, uploaded, destroy } = useUploads(engine, 'specification');
  const told = async (work: () => Promise<unknown>) => (await eventsDuring(served, work)).map(eventText);

  it('are one for each upload, change, replacement and deletion', async () => {
    let id: unknown;
    const add = async () => {
      ({ id } = await uploaded(red()));
    };
    expect(await told(add)).toEqual(['create file - published new:']);
    expect(await told(() => upload('full', [info({ caption: 'Red' })], `?id=${String(id)}`))).toEqual(['update file - published: caption']);
    const [replaced, ...others] = await told(() => upload('full', [red()], `?id=${String(id)}`));
    expect([replaced, ...others]).toEqual([expect.stringMatching(/^update file - published: name .*url/)]);
    expect(await told(() => destroy('full', id))).toEqual(['delete file - -:']);
    expect(await told(() => destroy('full', id))).toEqual([]);
  });

  it('that are attached to a document change the document', async () => {
    const article = await served.write('POST', '/api/articles', { title: 'With a cover' });
    expect(await told(() => upload('full', [red(), ...link(articleUid, Number(article.id), 'cover')]))).toEqual([
      'create file - published new:',
      'publish article - published: cover',
    ]);
  });
});

describe.each(anyEngine)('%s: events of users', (engine) => {
  const accounts = useAccounts(engine, { LECTERN_AUTH_OWN_FIELDS: 'motto' });
  const during = (work: () => Promise<unknown>) => eventsDuring(accounts, work);

  it('are one for each account that is made, changed or deleted, and none for a sign-in', async () => {
    const eve = { username: 'eve', email: 'eve@example.org', password: 'Eve-Pass-1' };
    const [registered, ...others] = await during(() => accounts.post('/api/auth/local/register', eve));
    expect(others).toEqual([]);
    expect(registered).toMatchObject({ type: 'create', uid: 'plugin::users-permissions.user', isNew: true, caller: { kind: 'public' } });
    expect(JSON.stringify(registered)).not.toContain('eve');
    expect(await during(() => accounts.signIn(eve))).toEqual([]);
    const { jwt } = await accounts.signIn(ada);
    const change = { currentPassword: ada.password, password: 'Ada-Pass-2', passwordConfirmation: 'Ada-Pass-2' };
    const changed = await during(() => accounts.as(jwt, 'POST', '/api/auth/change-password', change));
    expect(changed.map(eventText)).toEqual(['update user - published: password']);
    expect(changed[0]?.caller).toEqual({ kind: 'user', id: await accounts.userId('ada') });
    await accounts.change("UPDATE up_users SET confirmation_token = 'eves' WHERE username = 'eve'");
    const link = () => accounts.ask('public', 'GET', '/api/auth/email-confirmation?confirmation=eves');
    const confirmed = await during(link);
    expect(confirmed.map(eventText)).toEqual(['update user - published: confirmed']);
    expect(confirmed[0]).toMatchObject({ uid: 'plugin::users-permissions.user', caller: { kind: 'public' } });
    expect(await during(link)).toEqual([]);
    const id = await accounts.userId('eve');
    const deleted = await during(() => accounts.ask('manager', 'DELETE', `/api/users/${id}`));
    expect(deleted.map(eventText)).toEqual(['delete user - -:']);
  });

  it('are left by a change of the own profile, and not by an empty body', async () => {
    const { jwt } = await accounts.signIn(ben);
    const told = async (body: object) => {
      let status: number | undefined;
      const events = await eventsDuring(accounts, async () => {
        ({ status } = await accounts.as(jwt, 'PUT', '/api/users/me', body));
      });
      return [status, events.map(eventText)];
    };
    expect(await told({ motto: 'new' })).toEqual([200, ['update user - published: motto']]);
    expect(await told({})).toEqual([200, []]);
  });
});
