/** Webhooks: each event arrives, signed, in the order of its document's writes, whatever a receiver does; and nothing is sent where it must not be. */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Stands for the variable. */
const variable = ['$', '{SITE_SECRET}'].join('');
const files = schemaFiles(
  {
    page: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', ...translated },
        note: { type: 'string', private: true, ...translated },
        box: component('box', translated),
        tags: relation('manyToMany', 'tag'),
      },
    },
    tag: { attributes: { name: { type: 'string' } } },
  },
  { box: { label: { type: 'string' }, inner: { type: 'string', private: true } } },
);

describe.each(engines)('%s: webhooks', (engine) => {
  let receiver: Receiver | undefined;
  const there = () => {
    if (receiver === undefined) throw new Error('the receiver is there from beforeAll on');
    return receiver;
  };
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => there().close());
  afterEach(() => {
    there().respond = (response) => void response.end('ok');
  });
  const api = useProject(engine, {
    files,
    locales: seedLocales('en', 'de'),
    public: ['api::tag.tag.find', 'api::tag.tag.findOne'],
    env: () => ({
      LECTERN_EVENTS_ALLOW_PRIVATE: '127.0.0.1',
      SITE_SECRET: secret,
      LECTERN_WEBHOOKS: JSON.stringify([
        {
          ...{ name: 'site', url: `${there().url}/site`, events: ['publish', 'unpublish', 'delete', 'create', 'media.create'] },
          ...{ secret: variable, headers: { Authorization: `Bearer ${variable}` } },
        },
        { name: 'thin', url: `${there().url}/thin`, events: ['publish', 'update', 'delete'], types: ['api::tag.tag'], payload: 'thin' },
        { name: 'visitor', url: `${there().url}/visitor`, events: ['create', 'publish'], as: 'public' },
      ]),
    }),
  });
  /** What has arrived for a path since a moment, when there are so many. */
  const arrived = async (path: string, from: number, count: number): Promise<readonly Received[]> => {
    const found = () =>
      there()
        .received.slice(from)
        .filter((each) => each.path === path);
    await expect.poll(() => found().length, { interval: 10 }).toBeGreaterThanOrEqual(count);
    return found();
  };
  const lectern = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await run([...args, '--dir', api.project.dir], api.environment);
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    return stdout;
  };
  // A command loads the whole project, so that the database is asked instead.
  const nothingWaits = () =>
    expect.poll(() => api.query("SELECT id FROM lectern_deliveries WHERE state = 'waiting'"), { interval: 100 }).toEqual([]);
  /** Makes a tag, whose messages have arrived. */
  const tag = async (name: string) => {
    const from = there().received.length;
    const path = await api.make('/api/tags', { name });
    await arrived('/site', from, 1);
    await arrived('/visitor', from, 1);
    await nothingWaits();
    return path;
  };
  const deliveries = async (...args: readonly string[]) => JSON.parse(await lectern('webhook', 'deliveries', '--json', ...args)) as Json[];

  it('carry the document as a caller of their rights reads it, and a signature', async () => {
    const from = there().received.length;
    const tag = String((await api.write('POST', '/api/tags', { name: 'red' })).documentId);
    const page = await api.write('POST', '/api/pages', { title: 'A', note: 'hidden', box: { label: 'x', inner: 'hidden' }, tags: [tag] });
    const message = (await arrived('/site', from, 2)).find(({ body }) => body.documentId === page.documentId);
    expect(message?.body).toMatchObject({
      ...{ event: 'entry.publish', model: 'page', uid: 'api::page.page', locale: 'en', status: 'published', isNew: true },
      ...{ documentId: page.documentId, changed: ['title', 'box', 'tags'] },
      entry: { documentId: page.documentId, title: 'A', box: { label: 'x' }, tags: [{ documentId: tag, name: 'red' }] },
    });
    expect(message?.text).not.toContain('hidden');
    const { headers, text } = message as Received;
    expect(headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      'x-strapi-event': 'entry.publish',
      'content-type': 'application/json',
    });
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
    const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(signed)
      .digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    expect(Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);

    // Without the right to read pages, only ids; and no more than the events and types that were asked for.
    const visited = await arrived('/visitor', from, 2);
    const entryOf = (id: unknown) => visited.find(({ body }) => body.documentId === id)?.body.entry;
    expect(entryOf(tag)).toMatchObject({ documentId: tag, name: 'red' });
    expect(entryOf(page.documentId)).toEqual({ documentId: page.documentId, locale: 'en' });
    expect(visited.map(({ body }) => body.changed)).toEqual(expect.arrayContaining([['name'], []]));
    expect(
      there()
        .received.slice(from)
        .filter(({ path }) => path === '/thin'),
    ).toEqual([]);
  });

  it('name a document that is gone', async () => {
    const path = await tag('gone');
    const from = there().received.length;
    await api.write('PATCH', path, { name: 'going' });
    await api.write('DELETE', path);
    const thin = await arrived('/thin', from, 2);
    const documentId = path.split('/').at(-1);
    expect(thin.map(({ body }) => body)).toEqual([
      expect.objectContaining({ event: 'entry.update', documentId, changed: ['name'] }),
      expect.objectContaining({ event: 'entry.delete', documentId, changed: [] }),
    ]);
    expect(thin.every(({ body }) => !('entry' in body))).toBe(true);
    const [removed] = await arrived('/site', from, 1);
    expect(removed?.body).toMatchObject({ event: 'entry.delete', entry: { documentId, locale: null } });
  });

  it('have nothing of a draft that was never public', async () => {
    const from = there().received.length;
    const path = await api.make('/api/pages', { title: 'public' });
    await api.write('PATCH', `${path}?status=draft`, { title: 'never public' });
    await api.write('POST', `${path}/actions/unpublish`);
    const [, message] = await arrived('/site', from, 2);
    expect(message?.body).toMatchObject({ event: 'entry.unpublish', entry: { documentId: path.split('/').at(-1), locale: 'en' } });
    expect(message?.text).not.toContain('never public');
  });

  it('are sent again, in the order of a document’s writes, and a failure delays no other document', async () => {
    const [first, second] = [await tag('first'), await tag('second')];
    const failing = first.split('/').at(-1);
    const from = there().received.length;
    let refused = 0;
    there().respond = (response, { body, path }) => {
      const fails = path === '/thin' && body.documentId === failing && refused === 0;
      if (fails) refused++;
      response.writeHead(fails ? 500 : 204).end(fails ? 'not now' : undefined);
    };
    for (const name of ['one', 'two', 'three']) await api.write('PATCH', first, { name });
    await api.write('PATCH', second, { name: 'other' });
    await arrived('/thin', from, 2);
    const waiting = async () => (await deliveries('--webhook', 'thin', '--state', 'waiting')).at(-1);
    const refusal = { documentId: failing, attempts: 1, status: 500, response: 'not now' };
    await expect.poll(waiting).toMatchObject(refusal);
    const { id } = (await waiting()) ?? {};
    expect(await lectern('webhook', 'retry', String(id))).toContain('1 message again');
    const all = await arrived('/thin', from, 5);
    const ofFirst = all.filter(({ body }) => body.documentId === failing);
    expect(ofFirst.length).toBe(4);
    await nothingWaits();
    expect(await lectern('webhook', 'deliveries', '--webhook', 'thin')).toMatch(/ delivered +\d +204 /);
    const ids = ofFirst.map(({ headers }) => headers['webhook-id']);
    expect([ids[0], new Set(ids).size]).toEqual([ids[1], 3]);
    const times = ofFirst.map(({ body }) => String(body.createdAt));
    expect(times).toEqual(times.toSorted());
    await nothingWaits();
  });

  // What receivers say has nothing to do with the database.
  const once = it.runIf(anyEngine.includes(engine));
  once('wait as long as the receiver says, follow no redirect, and read no long response', async () => {
    const redirected = await tag('redirected');
    there().respond = (response) => void response.writeHead(302, { Location: `${there().url}/elsewhere`, 'Retry-After': '1' }).end();
    const from = there().received.length;
    await api.write('PATCH', redirected, { name: 'x' });
    const [at] = await arrived('/thin', from, 1);
    await expect
      .poll(async () => (await deliveries('--webhook', 'thin', '--limit', '1'))[0])
      .toMatchObject({ state: 'waiting', status: 302, response: expect.stringContaining('redirects are not followed') });
    let sent = 0;
    there().respond = (response) => {
      const more = () => {
        while (sent < 200_000_000 && !response.destroyed) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536, 'a'))) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    };
    const [, again] = await arrived('/thin', from, 2);
    expect((again?.at ?? 0) - (at?.at ?? 0)).toBeGreaterThanOrEqual(1000);
    await expect
      .poll(async () => (await deliveries('--webhook', 'thin', '--limit', '1'))[0])
      .toMatchObject({ state: 'delivered', attempts: 2 });
    expect(sent).toBeLessThan(50_000_000);
    const [delivery] = await deliveries('--webhook', 'thin', '--limit', '1');
    expect(String(delivery?.response)).toBe('a'.repeat(1024));
    expect(there().received.some(({ path }) => path === '/elsewhere')).toBe(false);
  });

  once('are given up when the receiver wants another protocol', async () => {
    const path = await tag('upgraded');
    there().respond = (response) =>
      void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await api.write('PATCH', path, { name: 'x' });
    await expect
      .poll(async () => (await deliveries('--webhook', 'thin', '--limit', '1'))[0])
      .toMatchObject({ state: 'waiting', attempts: 1, response: expect.stringContaining('another protocol') });
    const [waiting] = await deliveries('--webhook', 'thin', '--limit', '1');
    const shown = await lectern('webhook', 'deliveries', '--webhook', 'thin', '--limit', '1');
    expect(shown).toMatch(new RegExp(` waiting +1 +${waiting?.dueAt} +\\d+ +the receiver wants another protocol \\(101\\)\n`));
    there().respond = (response) => void response.end('ok');
    // A server without these webhooks leaves what waits for them alone.
    const other = await api.beside({ LECTERN_WEBHOOKS: '[]' });
    await other.stop();
    expect(await deliveries('--state', 'waiting')).toEqual([expect.objectContaining({ id: waiting?.id })]);
    await lectern('webhook', 'retry', String(waiting?.id));
    await nothingWaits();
  });

  it('come once from several servers of a database', async () => {
    const beside = await api.beside();
    const from = there().received.length;
    const made = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const server = n % 2 === 0 ? api.server : beside;
        const response = await server.send({
          ...{ method: 'POST', path: '/api/tags', headers: api.authorization('full'), body: { data: { name: `shared ${n}` } } },
        });
        return (response.json() as { data: Json }).data.documentId;
      }),
    );
    await arrived('/site', from, 20);
    await nothingWaits();
    const seen = there()
      .received.slice(from)
      .filter(({ path }) => path === '/site');
    expect(seen.map(({ body }) => body.documentId).toSorted()).toEqual(made.toSorted());
  });
});

describe.each(anyEngine)('%s: webhooks from the command line', (engine) => {
  let receiver: Receiver | undefined;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver?.close());
  const api = useProject(engine, { files, locales: seedLocales('en'), env: { LECTERN_EVENTS_ALLOW_PRIVATE: '127.0.0.1' } });
  const lectern = (...args: readonly string[]) => run(['webhook', ...args, '--dir', api.project.dir], api.environment);

  it('are added, tested, listed and removed while the server runs', async () => {
    const url = `${receiver?.url}/cli?token=sesame`;
    const added = await lectern('add', 'cli', '--url', url, '--events', 'create,update', '--header', 'X-Site: one');
    expect([added.status, added.stdout]).toEqual([0, expect.stringMatching(/^whsec_\S{44}\n$/)]);
    expect((await lectern('add', 'cli', '--url', url, '--events', 'create')).stderr).toContain('There is a webhook cli already');
    const tested = await lectern('test', 'cli');
    expect(tested).toMatchObject({ status: 0, stdout: expect.stringMatching(/^200 after \d+ ms: ok\n$/) });
    expect(receiver?.received[0]).toMatchObject({ body: { event: 'trigger-test' }, headers: { 'x-site': 'one' } });
    const listed = await lectern('list');
    expect(listed.stdout).toContain('entry.create entry.update');
    expect(listed.stdout).not.toMatch(/sesame|\/cli/);
    // The server looks for new webhooks every five seconds.
    await expect
      .poll(async () => {
        await api.write('POST', '/api/tags', { name: 'seen' });
        return receiver?.received.length;
      })
      .toBeGreaterThan(1);
    expect((await lectern('remove', 'cli')).status).toBe(0);
    expect((await lectern('list')).stdout).toBe('There are no webhooks.\n');
    expect((await lectern('remove', 'cli')).stderr).toContain('There is no webhook "cli"');
  });

  it('are reported in the log after three failures in a row, and when they have recovered', async () => {
    const there = receiver as Receiver;
    await lectern('add', 'log', '--url', `${there.url}/log`, '--events', 'update');
    const [first, ...paths] = await Promise.all(['a', 'b', 'c', 'd'].map((name) => api.make('/api/tags', { name })));
    there.respond = (response) => void response.writeHead(500).end('no\nroom');
    // Messages to the webhook that was removed may still be on their way.
    const reports = (text: string) =>
      `${api.server.output.stdout}${api.server.output.stderr}`
        .split('\n')
        .filter((line) => line.includes(text) && JSON.parse(line).webhook === 'log');
    // The server looks for new webhooks every five seconds.
    await expect
      .poll(async () => {
        await api.write('PATCH', String(first), { name: 'x' });
        return there.received.some(({ path }) => path === '/log');
      })
      .toBe(true);
    for (const path of paths) await api.write('PATCH', path, { name: 'y' });
    const failed = 'three messages to a webhook have failed in a row';
    await expect
      .poll(() => reports(failed).map((line) => JSON.parse(line)))
      .toMatchObject([{ webhook: 'log', status: 500, response: 'no\nroom' }]);
    there.respond = (response) => void response.end('ok');
    await expect.poll(() => reports('a webhook receives messages again')).toHaveLength(1);
    expect(reports(failed)).toHaveLength(1);
    // Another attempt may end meanwhile.
    const listed = async () => {
      await api.change("UPDATE lectern_deliveries SET response = 'no\nroom', status = 500");
      return (await lectern('deliveries', '--limit', '1')).stdout;
    };
    await expect.poll(listed).toMatch(/ 500 +\d+ +no room\n/);
    await lectern('remove', 'log');
  });

  it.each([
    [['--url', 'https://example.org', '--events', 'published'], 'user.delete; did you mean publish?'],
    [['--url', 'file:///etc/passwd', '--events', 'publish'], 'url must be an http or https URL'],
    [['--url', `https://example.org/${variable}`, '--events', 'publish'], 'works only in lectern.config.json'],
    [['--url', 'https://example.org', '--events', 'publish', '--query', '%73tatus=draft'], 'query must be'],
    [['--url', 'https://example.org', '--events', 'publish', '--as', 'full'], 'there is no role'],
    [['--url', 'https://example.org', '--events', 'publish', '--types', 'api::no.no'], 'there is no content type api::no.no'],
    [['--url', 'https://example.org', '--events', 'publish', '--as', 'nobody'], 'there is no role'],
  ])('are refused with %j', async (args, problem) => {
    const { status, stderr } = await lectern('add', 'wrong', ...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(problem)]);
  });

  it('that another version has added are kept, and can be removed', async () => {
    await lectern('add', 'newer', '--url', 'https://example.org', '--events', 'publish');
    await api.change(`UPDATE lectern_webhooks SET definition = '{"name":"newer","rhythm":"fast"}'`);
    const beside = await api.beside();
    await beside.stop();
    expect((await lectern('list')).stderr).toContain('Another version of Lectern has added newer');
    expect((await lectern('remove', 'newer')).status).toBe(0);
    expect((await lectern('list')).stderr).toBe('');
  });

  it('send nothing to an address that is not public', async () => {
    const added = await lectern('add', 'inside', '--url', 'http://169.254.169.254/latest', '--events', 'update', '--no-secret');
    expect(added).toMatchObject({ status: 0, stdout: '' });
    expect(await lectern('test', 'inside')).toMatchObject({ status: 1, stdout: expect.stringContaining('events.allowPrivate') });
  });
});
