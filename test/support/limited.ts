/** A project whose callers may reach some rows and some fields only: notes of Ada and of Ben, and what leads to them. */
import { beforeAll, expect } from 'vitest';
import { newAddress, signedInBy, userSchema } from './accounts.ts';
import type { EngineName } from './engines.ts';
import type { HttpResponse } from './http.ts';
import { relation, schemaFiles, shared, translated } from './schema-files.ts';
import { seedLocales } from './seeds.ts';
import { errorOf, type Json, type Served, type ServedOptions, useProject } from './served-project.ts';
import type { Environment } from './server.ts';

const ownedBy = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' };
const jwtSecret = 'limited-jwt-secret-of-some-length';

export const people = {
  ada: { username: 'ada', email: 'ada@example.org', password: 'Ada-Pass-1' },
  ben: { username: 'ben', email: 'ben@example.org', password: 'Ben-Pass-1' },
} as const;
export type Person = keyof typeof people;

const types = {
  note: {
    attributes: {
      title: { type: 'string' },
      rank: { type: 'integer' },
      secret: { type: 'string' },
      owner: ownedBy,
      topic: relation('manyToOne', 'topic', { inversedBy: 'notes' }),
      links: relation('manyToMany', 'note'),
      next: relation('oneToOne', 'note', { inversedBy: 'previous' }),
      previous: relation('oneToOne', 'note', { mappedBy: 'next' }),
      remarks: relation('morphMany', 'remark', { morphBy: 'about' }),
    },
  },
  topic: {
    attributes: {
      name: { type: 'string' },
      notes: relation('oneToMany', 'note', { mappedBy: 'topic' }),
      pinned: relation('oneToOne', 'note'),
    },
  },
  remark: { attributes: { text: { type: 'string' }, about: { type: 'relation', relation: 'morphToOne' } } },
  story: {
    drafts: true,
    attributes: {
      title: { type: 'string' },
      open: { type: 'boolean' },
      owner: ownedBy,
      cycle: relation('manyToOne', 'cycle', { inversedBy: 'stories' }),
    },
  },
  bulletin: { drafts: true, attributes: { title: { type: 'string' }, ready: { type: 'boolean' } } },
  cycle: {
    drafts: true,
    attributes: { name: { type: 'string' }, stories: relation('oneToMany', 'story', { mappedBy: 'cycle' }) },
  },
  sheet: { drafts: true, attributes: { title: { type: 'string' }, cycle: relation('manyToOne', 'cycle') } },
  brief: { attributes: { title: { type: 'string' }, story: relation('manyToOne', 'story') } },
  page: {
    localized: true,
    attributes: {
      title: { type: 'string', ...translated },
      tone: { type: 'string', ...shared },
      holder: { type: 'string', ...translated },
    },
  },
  prefs: { single: true, attributes: { color: { type: 'string' }, owner: ownedBy } },
  team: { attributes: { name: { type: 'string' } } },
} as const;

const all = (type: string, ...actions: string[]) => actions.map((action) => `api::${type}.${type}.${action}`);
const users = (...actions: string[]) => actions.map((action) => `plugin::users-permissions.user.${action}`);
const mine = { owner: { id: { $eq: '$user.id' } } };
const note = (action: string) => `api::note.note.${action}`;
const story = (action: string) => `api::story.story.${action}`;

export interface Limited extends Served {
  as(
    who: Person | 'public',
    method: string,
    path: string,
    data?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpResponse>;
  /** With a body as it is, for users. */
  bare(who: Person, method: string, path: string, body?: unknown): Promise<HttpResponse>;
  /** The documentId of the document with this title or name. */
  id(name: string): string;
  userId(who: Person): number;
}

/** Has to be called in the body of a `describe`. */
export function useLimited(engine: EngineName, env: Environment = {}, options: Pick<ServedOptions, 'database'> = {}): Limited {
  const served = useProject(engine, {
    ...options,
    files: {
      ...schemaFiles(types),
      'src/extensions/users-permissions/content-types/user/schema.json': userSchema({
        motto: { type: 'string' },
        squad: { type: 'string' },
      }),
    },
    locales: seedLocales('en', 'de'),
    users: Object.values(people),
    public: ['plugin::users-permissions.auth.callback', ...all('note', 'find', 'findOne', 'create'), ...all('topic', 'find')],
    authenticated: [
      ...all('note', 'find', 'findOne', 'create', 'update', 'delete'),
      ...all('topic', 'find', 'findOne', 'create', 'update'),
      ...all('remark', 'find', 'create', 'update'),
      ...all('story', 'find', 'findOne', 'create', 'update', 'delete'),
      ...all('cycle', 'create'),
      ...all('sheet', 'find', 'findDraft'),
      ...all('brief', 'find'),
      ...all('bulletin', 'create', 'update'),
      ...all('page', 'find', 'findOne', 'update', 'delete'),
      ...all('prefs', 'find', 'update', 'delete'),
      ...all('team', 'find', 'create'),
      ...users('me', 'find', 'findOne', 'count', 'update', 'destroy'),
      'plugin::users-permissions.auth.changePassword',
    ],
    rules: {
      public: {
        [note('find')]: { fields: ['title', 'rank', 'topic'], where: { rank: { $lt: 10 } } },
        [note('findOne')]: { fields: ['title'] },
        [note('create')]: { fields: ['title', 'rank'] },
      },
      authenticated: {
        ...Object.fromEntries(['find', 'findOne', 'create', 'delete'].map((action) => [note(action), { where: mine }])),
        [note('update')]: { where: { ...mine, $or: [{ topic: { id: { $null: true } } }, { topic: { name: { $ne: 'bens' } } }] } },
        'api::remark.remark.update': { where: { text: { $contains: 'ada' } } },
        [story('find')]: { where: { $or: [{ open: true }, mine] } },
        [story('findOne')]: { where: { $or: [{ open: true }, mine] } },
        [story('findDraft')]: { where: mine },
        ...Object.fromEntries(['create', 'update', 'delete', 'publish'].map((action) => [story(action), { where: mine }])),
        'api::sheet.sheet.find': { where: { cycle: { name: 'for all' } } },
        'api::brief.brief.find': { where: { story: { open: true } } },
        'api::bulletin.bulletin.publish': { where: { ready: true } },
        'api::page.page.update': { fields: ['title', 'tone'], where: { holder: '$user.username', tone: { $ne: 'locked' } } },
        'api::page.page.delete': { where: { holder: '$user.username' } },
        'api::prefs.prefs.find': { where: mine },
        'api::prefs.prefs.update': { where: mine },
        'api::prefs.prefs.delete': { where: mine },
        'api::team.team.find': { where: { name: '$user.squad' } },
        'plugin::users-permissions.user.find': { where: { id: '$user.id' } },
        'plugin::users-permissions.user.findOne': { where: { id: '$user.id' } },
        'plugin::users-permissions.user.update': { fields: ['motto', 'username'], where: { id: { $eq: '$user.id' } } },
        'plugin::users-permissions.user.destroy': { where: { id: { $eq: '$user.id' } } },
        'plugin::users-permissions.user.me': { fields: ['username', 'motto'] },
      },
    },
    env: { JWT_SECRET: jwtSecret, ...env },
  });
  const jwts = new Map<string, string>();
  const userIds = new Map<string, number>();
  const ids = new Map<string, string>();

  beforeAll(async () => {
    for (const { username, password } of Object.values(people)) {
      const response = await served.send('public', {
        method: 'POST',
        path: '/api/auth/local',
        body: { identifier: username, password },
        from: newAddress(),
      });
      jwts.set(username, signedInBy(response).jwt);
      userIds.set(username, Number((await served.query(`SELECT id FROM up_users WHERE username = '${username}'`))[0]?.[0]));
    }
    const make = async (path: string, data: Json) => {
      const { documentId } = await served.write('POST', path, data);
      ids.set(String(data.title ?? data.name ?? data.text), String(documentId));
      return String(documentId);
    };
    const [adaId, benId] = [userIds.get('ada'), userIds.get('ben')];
    for (const name of ['shared', 'bens', 'empty']) await make('/api/topics', { name });
    const topic = (name: string) => ids.get(name);
    await make('/api/notes', { title: 'ada one', rank: 1, secret: 'hush-a', owner: adaId, topic: topic('shared') });
    await make('/api/notes', { title: 'ada two', rank: 20, secret: 'hush-b', owner: adaId });
    await make('/api/notes', { title: 'ben one', rank: 2, secret: 'hush-c', owner: benId, topic: topic('shared') });
    await make('/api/notes', { title: 'ben two', rank: 30, secret: 'hush-d', owner: benId, topic: topic('bens') });
    await served.write('PATCH', `/api/notes/${ids.get('ada one')}`, { links: [ids.get('ada two'), ids.get('ben one')] });
    await served.write('PATCH', `/api/notes/${ids.get('ben one')}`, { next: ids.get('ada two') });
    await served.write('PATCH', `/api/topics/${ids.get('bens')}`, { pinned: ids.get('ben one') });
    await make('/api/remarks', { text: 'on ada', about: { __type: 'api::note.note', documentId: ids.get('ada one') } });
    await make('/api/remarks', { text: 'on ben', about: { __type: 'api::note.note', documentId: ids.get('ben one') } });
    await make('/api/storys?status=published', { title: 'ada closed', open: false, owner: adaId });
    await make('/api/storys?status=published', { title: 'ben closed', open: false, owner: benId });
    await make('/api/storys?status=published', { title: 'ben open', open: true, owner: benId });
    await make('/api/storys?status=draft', { title: 'ben draft', open: true, owner: benId });
    await make('/api/storys?status=draft', { title: 'ada draft', open: true, owner: adaId });
    const { documentId: crossed } = await served.write('POST', '/api/storys?status=published', {
      title: 'crossed',
      open: false,
      owner: benId,
    });
    await served.write('PATCH', `/api/storys/${crossed}?status=draft`, { owner: adaId });
    await make('/api/cycles', { name: 'for all' });
    await make('/api/sheets?status=published', { title: 'in cycle', cycle: ids.get('for all') });
    await make('/api/storys?status=published', { title: 'to be opened', open: false, owner: benId });
    await served.write('PATCH', `/api/storys/${ids.get('to be opened')}?status=draft`, { open: true });
    await make('/api/briefs', { title: 'of ben open', story: ids.get('ben open') });
    await make('/api/briefs', { title: 'of to be opened', story: ids.get('to be opened') });
    await make('/api/pages', { title: 'ben page', tone: 'calm', holder: 'ben' });
    await make('/api/pages', { title: 'locked page', tone: 'calm', holder: 'ada' });
    await served.write('PUT', `/api/pages/${ids.get('locked page')}?locale=de`, { title: 'verschlossen', tone: 'calm', holder: 'ada' });
    await served.change(`UPDATE pages SET tone = 'locked' WHERE title = 'verschlossen'`);
    await make('/api/pages', { title: 'ada page', tone: 'calm', holder: 'ada' });
    await make('/api/pages', { title: 'mixed page', tone: 'calm', holder: 'ada' });
    await served.write('PUT', `/api/pages/${ids.get('mixed page')}?locale=de`, { title: 'gemischt', tone: 'calm', holder: 'ben' });
    await served.write('PUT', '/api/prefs', { color: 'red', owner: benId });
    for (const name of ['red', 'blue']) await make('/api/teams', { name });
  });

  const present = <T>(value: T | undefined, what: string): T => {
    if (value === undefined) throw new Error(`there is no ${what}`);
    return value;
  };
  const authorization = (who: Person | 'public'): Readonly<Record<string, string>> =>
    who === 'public' ? {} : { Authorization: `Bearer ${present(jwts.get(who), who)}` };
  return Object.assign(Object.create(served, {}) as Served, {
    as: (who: Person | 'public', method: string, path: string, data?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      served.ask('public', method, path, data, { ...authorization(who), ...headers }),
    bare: (who: Person, method: string, path: string, body?: unknown) =>
      served.send('public', { method, path, headers: authorization(who), ...(body === undefined ? {} : { body }) }),
    id: (name: string) => present(ids.get(name), name),
    userId: (who: Person) => present(userIds.get(who), who),
  });
}

/** The parts of a response that do not depend on the time that it took. */
export const essence = ({ status, text, headers }: HttpResponse) => ({ status, text, etag: headers.etag });

export const isRefused = (response: HttpResponse, name: string) =>
  expect(errorOf(response)).toMatchObject({ status: 400, message: expect.stringContaining(`Invalid key ${name}`) });
