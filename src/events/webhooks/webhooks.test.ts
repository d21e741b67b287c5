import { describe, expect, it } from 'vitest';
import { webhooks } from '../../config/webhooks.ts';
import { type NewEvent, releaseUid } from '../document-event.ts';
import type { StoredEvent } from '../event-store.ts';
import { entryPayload } from './payload.ts';
import { hostProblem, isAllowed } from './receiver-address.ts';
import { nextAttempt } from './retry-pauses.ts';
import { isSecret, newSecret, signedHeaders } from './sign-webhook.ts';
import { type EventName, eventNameFor, type Webhook } from './webhook.ts';

const webhook: Omit<Webhook, 'events'> = {
  ...{ key: 'config:site', name: 'site', url: 'https://example.org', types: undefined, headers: {}, secrets: [] },
  ...{ payload: 'thin', as: 'public', query: '' },
};

describe('the name of an event for a webhook', () => {
  const article = 'api::article.article';
  it.each<[NewEvent['type'], boolean, string, readonly EventName[], EventName | undefined]>([
    ['publish', false, article, ['entry.publish', 'entry.update'], 'entry.publish'],
    ['publish', false, article, ['entry.update'], 'entry.update'],
    ['publish', false, article, ['entry.create'], undefined],
    ['publish', true, article, ['entry.create', 'entry.update'], 'entry.create'],
    ['publish', true, article, ['entry.update'], undefined],
    ['update', false, article, ['entry.publish'], undefined],
    ['discard', false, article, ['entry.update'], 'entry.update'],
    ['discard', false, article, ['entry.draft-discard'], 'entry.draft-discard'],
    ['delete', false, article, ['entry.delete'], 'entry.delete'],
    ['create', true, 'plugin::upload.file', ['media.create', 'entry.create'], 'media.create'],
    ['create', true, 'plugin::upload.file', ['entry.create'], undefined],
    ['update', false, 'plugin::users-permissions.user', ['user.update'], 'user.update'],
    ['schedule.failed', false, article, ['entry.publish', 'schedule.failed'], 'schedule.failed'],
    ['release.failed', false, releaseUid, ['release.failed'], 'release.failed'],
    ['release.failed', false, releaseUid, ['schedule.failed', 'entry.update'], undefined],
  ])('%s, new: %s, of %s, for %j is %s', (type, isNew, uid, events, name) => {
    expect(eventNameFor({ type, isNew, uid }, { ...webhook, events })).toBe(name);
    expect(eventNameFor({ type, isNew, uid }, { ...webhook, events, types: ['api::other.other'] })).toBeUndefined();
  });
});

it('names the release in a message about it', () => {
  const event: StoredEvent = {
    ...{ id: 1, type: 'release.failed', uid: releaseUid, documentId: '7', locale: null, status: null, isNew: false, paths: [] },
    ...{ caller: { kind: 'user', id: 3 }, createdAt: 0 },
  };
  const message = entryPayload({ event, name: event.type, type: undefined, changed: [] }, undefined);
  expect(message).toMatchObject({ event: 'release.failed', model: 'release', release: { id: 7 } });
  expect(message).not.toHaveProperty('entry');
});

describe('signatures', () => {
  it('are those of the Standard Webhooks scheme', () => {
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(signedHeaders(message, [secret])).toEqual({
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
    expect(signedHeaders(message, [newSecret(), secret])['webhook-signature']).toMatch(/^v1,\S+ v1,g0hM9SsE/);
    expect(signedHeaders(message, [])).not.toHaveProperty('webhook-signature');
  });

  it('need keys of enough bytes', () => {
    expect(isSecret(newSecret())).toBe(true);
    for (const wrong of ['', 'whsec_', 'whsec_YWJj', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', `whsec_${'A'.repeat(100)}`, 'whsec_????'])
      expect(isSecret(wrong), wrong).toBe(false);
  });
});

describe('addresses of receivers', () => {
  it.each(['8.8.8.8', '93.184.215.14', '2606:4700::6810:85e5', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(isAllowed(address, [])).toBe(true);
  });

  const inside = [
    ...['127.0.0.1', '127.8.8.8', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '192.0.2.1'],
    ...['198.18.0.1', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1'],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:a9fe:a9fe',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:0:7f00:1::',
      '2001:db8::1',
      'nonsense',
    ],
  ];
  it.each(inside)('%s is not', (address) => {
    expect(isAllowed(address, [])).toBe(false);
  });

  it.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::1]:80/',
    'http://169.254.169.254/latest/meta-data',
    'http://１２７.0.0.1/',
  ])('%s may not be reached', (url) => {
    expect(hostProblem(new URL(url), [])).toContain('events.allowPrivate');
  });

  it('of allowed networks may be reached, and no others', () => {
    const allowed = ['10.1.0.0/16', 'fd00::/8', '127.0.0.1'];
    for (const address of ['10.1.2.3', 'fd00::5', '127.0.0.1', '::ffff:10.1.2.3']) expect(isAllowed(address, allowed), address).toBe(true);
    for (const address of ['10.2.0.1', 'fc00::5', '127.0.0.2', '::1']) expect(isAllowed(address, allowed), address).toBe(false);
  });
});

describe('the next attempt', () => {
  const day = 24 * 3_600_000;
  const attempt = { attempts: 1, status: 500, retryAfter: undefined, since: 0, now: 0 };

  it('comes later each time, for a day', () => {
    const times: number[] = [];
    let now = 0;
    for (let attempts = 1; ; attempts++) {
      const next = nextAttempt({ ...attempt, attempts, now }, 0);
      if (next === undefined) break;
      times.push(next);
      now = next;
    }
    expect(times.slice(0, 4)).toEqual([5000, 35_000, 155_000, 755_000]);
    expect(times.at(-1)).toBe(day);
    expect(times.length).toBeLessThan(20);
    const pauses = times.map((time, index) => time - (times[index - 1] ?? 0));
    expect(pauses.slice(0, 8)).toEqual([...pauses.slice(0, 8)].sort((a, b) => a - b));
  });

  it('waits as the receiver asks, but not longer than an hour', () => {
    expect(nextAttempt({ ...attempt, retryAfter: 60_000 }, 0)).toBe(60_000);
    expect(nextAttempt({ ...attempt, retryAfter: 1 }, 0)).toBe(5000);
    expect(nextAttempt({ ...attempt, retryAfter: 100 * day }, 0)).toBe(3_600_000);
  });

  it('does not come for a receiver that is gone', () => {
    expect(nextAttempt({ ...attempt, status: 410 }, 0)).toBeUndefined();
  });
});

describe('webhooks in the configuration', () => {
  const read = (...list: readonly unknown[]) => {
    const problems: string[] = [];
    const value = webhooks.read(list, problems);
    return { value, problems };
  };
  const site = { name: 'site', url: 'https://example.org/revalidate', events: ['publish', 'media.update'] };

  it('have a name, a URL and events', () => {
    expect(read(site)).toEqual({
      problems: [],
      value: [
        {
          ...site,
          events: ['entry.publish', 'media.update'],
          ...{ types: undefined, headers: {}, secrets: [], payload: 'entry', as: 'read-only', query: 'populate=*' },
        },
      ],
    });
  });

  it.each([
    [{ name: 'a b' }, 'webhook 1: name must be'],
    [{ url: 'ftp://example.org' }, 'webhook site: url must be'],
    [{ url: 'https://user:secret@example.org' }, 'webhook site: url must be'],
    [{ events: ['delete', 'published'] }, 'user.delete; did you mean publish?'],
    [{ events: [] }, 'webhook site: events must be'],
    [{ secret: 'short' }, 'webhook site: secret must be'],
    [{ headers: { Host: 'x' } }, 'webhook site: headers must be'],
    [{ headers: { 'X-A': 'a\r\nX-B: b' } }, 'webhook site: headers must be'],
    [{ query: 'filters[a]=b' }, 'webhook site: query must be'],
    [{ event: ['publish'] }, 'webhook site: event is an unknown key'],
  ])('with %j are refused', (change, problem) => {
    expect(read({ ...site, ...change }).problems).toEqual([expect.stringContaining(problem)]);
    expect(read({ ...site, ...change }).problems.join()).not.toContain('secret@');
  });

  it('have different names', () => {
    expect(read(site, site).problems).toEqual(['there are two webhooks "site"']);
  });
});
