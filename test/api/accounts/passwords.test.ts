/** Passwords: which are taken, how they are changed and forgotten, and how often they can be tried. */
import { describe, expect, it } from 'vitest';
import { type Accounts, ada, ben, newAddress, profiles, signedInBy, useAccounts } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import { errorOf } from '../../support/served-project.ts';
import { useSmtpServer } from '../../support/smtp-server.ts';

const longest = 'x'.repeat(72);
/** 25 characters of three bytes. */
const tooLong = [`${longest}x`, '€'.repeat(25)];

const started = Date.now();
/** The end of a code, as the server writes it. */
const endIn = (hours: number) => (started + hours * 3_600_000).toString(36);
const codeOf = (name: string, hours = 1) => `code-of-${name}.${endIn(hours)}`;
const reset = (code: string, password: string, passwordConfirmation = password) => ({ code, password, passwordConfirmation });

const defaults = { unique_email: true, allow_register: true, default_role: 'authenticated' };

describe.each(anyEngine)('%s: passwords', (engine) => {
  describe.each(profiles)('in profile %s', (profile) => {
    const accounts = useAccounts(engine, { LECTERN_PROFILE: profile });
    const tokenOf = async (username: string) =>
      (await accounts.query(`SELECT reset_password_token FROM up_users WHERE username = '${username}'`))[0]?.[0];

    const change = (jwt: string, currentPassword: string, password: string) =>
      accounts.post('/api/auth/change-password', { currentPassword, password, passwordConfirmation: password }, { jwt });
    const manage = (method: string, path: string, body: object) => accounts.send('full', { method, path, body });

    describe.each(tooLong)('a password of 73 bytes or more (%s)', (password) => {
      it('is refused wherever one is set', async () => {
        const { jwt } = await accounts.signIn(ada);
        const role = await accounts.roleId('authenticated');
        const responses = [
          await accounts.post('/api/auth/local/register', { username: 'long', email: 'long@example.org', password }),
          await change(jwt, ada.password, password),
          await accounts.post('/api/auth/reset-password', reset('any', password)),
          await manage('POST', '/api/users', { username: 'long', email: 'long@example.org', password, role }),
          await manage('PUT', `/api/users/${await accounts.userId('ben')}`, { password }),
        ];
        for (const response of responses) {
          expect(errorOf(response)).toMatchObject({ status: 400, name: 'ValidationError', message: 'Password must be less than 73 bytes' });
        }
        expect(await accounts.query("SELECT 1 FROM up_users WHERE username = 'long'")).toEqual([]);
      });
    });

    it('72 bytes are taken, and each of them counts', async () => {
      const user = { username: 'whole', email: 'whole@example.org', password: longest };
      expect((await accounts.post('/api/auth/local/register', user)).status).toBe(200);
      const wrong = { identifier: user.username, password: `${longest.slice(0, 71)}y` };
      expect((await accounts.post('/api/auth/local', wrong)).status).toBe(400);
      expect((await accounts.post('/api/auth/local', { ...wrong, password: longest })).status).toBe(200);
    });

    const notTexts = [null, 5, true, {}, { $ne: 1 }, [], ['Ada-Pass-1'], ''];
    it.each(notTexts)('%j is no credential', async (value) => {
      const { jwt } = await accounts.signIn(ada);
      const bodies: readonly (readonly [string, unknown])[] = [
        ['local', { identifier: value, password: ada.password }],
        ['local', { identifier: ada.username, password: value }],
        ['local/register', { username: value, email: 'odd@example.org', password: 'Odd-Pass-1' }],
        ['local/register', { username: 'odd', email: value, password: 'Odd-Pass-1' }],
        ['local/register', { username: 'odd', email: 'odd@example.org', password: value }],
        ['forgot-password', { email: value }],
        ['reset-password', { code: value, password: 'Odd-Pass-1', passwordConfirmation: 'Odd-Pass-1' }],
        ['reset-password', { code: 'any', password: value, passwordConfirmation: value }],
        ['change-password', { currentPassword: value, password: 'Odd-Pass-1', passwordConfirmation: 'Odd-Pass-1' }],
        ['change-password', { currentPassword: ada.password, password: value, passwordConfirmation: value }],
        ['send-email-confirmation', { email: value }],
      ];
      for (const [path, body] of bodies) {
        const response = await accounts.post(`/api/auth/${path}`, body, path === 'change-password' ? { jwt } : {});
        expect(errorOf(response), path).toMatchObject({ status: 400, name: 'ValidationError' });
      }
      expect((await accounts.signIn(ada)).jwt).toBeTypeOf('string');
    });

    it('without a mail server, in development, a mail is in the log', async () => {
      expect((await accounts.post('/api/auth/forgot-password', { email: ada.email })).status).toBe(200);
      await expect.poll(() => accounts.server.output.stderr).toMatch(/code=[0-9a-f]{128}/);
    });

    it('no response repeats a password', async () => {
      const secret = `Secret-${'z'.repeat(80)}`;
      const { jwt } = await accounts.signIn(ada);
      const responses = [
        await accounts.post('/api/auth/local', { identifier: ada.username, password: [secret] }),
        await accounts.post('/api/auth/local/register', { username: 'echo', email: 'echo', password: secret }),
        await accounts.post('/api/auth/reset-password', { ...reset('any', secret), [secret.slice(0, 3)]: secret }),
        await accounts.post('/api/auth/change-password', { currentPassword: secret, password: secret, passwordConfirmation: 'a' }, { jwt }),
        await manage('POST', '/api/users', { password: { secret } }),
      ];
      for (const { status, text } of responses) {
        expect(status).toBe(400);
        expect(text).not.toContain(secret);
      }
    });

    it(`a code whose hour is over is not good, ${profile === 'strapi' ? 'but one without an hour is, as in Strapi' : 'nor one without an hour'}`, async () => {
      const user = { username: 'dina', email: 'dina@example.org', password: 'Dina-Pass-1' };
      await accounts.post('/api/auth/local/register', user);
      // The second one is as Strapi makes them: it does not say when it ends.
      for (const code of [codeOf('dina', -1), 'ab'.repeat(64)]) {
        await accounts.change(`UPDATE up_users SET reset_password_token = '${code}' WHERE username = 'dina'`);
        const later = code.replace(/\.\w+$/, `.${endIn(1)}`);
        if (later !== code) expect((await accounts.post('/api/auth/reset-password', reset(later, 'Dina-Pass-2'))).status).toBe(400);
        const response = await accounts.post('/api/auth/reset-password', reset(code, 'Dina-Pass-2'));
        // A link of `lectern user link` says when it ends, in either profile.
        if (profile === 'strapi' && later === code) expect(response.status).toBe(200);
        else expect(errorOf(response)).toMatchObject({ status: 400, message: 'Incorrect code provided' });
      }
    });

    it('a code is accepted once, however many requests use it at the same time', async () => {
      await accounts.change(`UPDATE up_users SET reset_password_token = '${codeOf('ben')}' WHERE username = 'ben'`);
      const passwords = ['Ben-Pass-2', 'Ben-Pass-3', 'Ben-Pass-4'];
      const responses = await Promise.all(
        passwords.map((password) => accounts.post('/api/auth/reset-password', reset(codeOf('ben'), password))),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      const winner = passwords[responses.findIndex(({ status }) => status === 200)] ?? '';
      expect((await accounts.signIn({ ...ben, password: winner })).jwt).toBeTypeOf('string');
      expect(await tokenOf('ben')).toBeNull();
    });

    it('a code is worthless for a blocked user', async () => {
      await accounts.change(`UPDATE up_users SET reset_password_token = '${codeOf('blocked')}', blocked = (1 = 1) WHERE username = 'ben'`);
      expect((await accounts.post('/api/auth/reset-password', reset(codeOf('blocked'), 'Ben-Pass-5'))).status).toBe(400);
      await accounts.change("UPDATE up_users SET reset_password_token = NULL, blocked = (1 = 0) WHERE username = 'ben'");
    });

    it('a code is worth nothing after the password was changed otherwise', async () => {
      const user = { username: 'cleo', email: 'cleo@example.org', password: 'Cleo-Pass-1' };
      const { jwt } = signedInBy(await accounts.post('/api/auth/local/register', user));
      const path = `/api/users/${await accounts.userId('cleo')}`;
      for (const work of [() => change(jwt, user.password, 'Cleo-Pass-2'), () => manage('PUT', path, { password: 'Cleo-Pass-3' })]) {
        await accounts.change(`UPDATE up_users SET reset_password_token = '${codeOf('cleo')}' WHERE username = 'cleo'`);
        expect((await work()).status).toBe(200);
        expect((await accounts.post('/api/auth/reset-password', reset(codeOf('cleo'), 'Cleo-Pass-4'))).status).toBe(400);
      }
    });

    describe('ten attempts a minute', () => {
      const wrong = { identifier: ada.username, password: 'wrong' };
      const evasions: readonly (readonly [what: string, path: string, body: object, headers: Readonly<Record<string, string>>])[] = [
        ['other letter case', '/API/Auth/LOCAL', wrong, {}],
        ['a slash at the end', '/api/auth/local/', wrong, {}],
        ['a query string', '/api/auth/local?again=1', wrong, {}],
        ['an encoded letter', '/api/auth/loc%61l', wrong, {}],
        ['another name', '/api/auth/local', { ...wrong, identifier: 'somebody' }, {}],
        ['an e-mail address in the body', '/api/auth/local', { ...wrong, email: 'another@example.org' }, {}],
        ['X-Forwarded-For', '/api/auth/local', wrong, { 'X-Forwarded-For': '203.0.113.7' }],
        ['Forwarded', '/api/auth/local', wrong, { Forwarded: 'for=203.0.113.7' }],
        ['X-Real-IP', '/api/auth/local', wrong, { 'X-Real-IP': '203.0.113.7' }],
        ['another Host', '/api/auth/local', wrong, { Host: 'another.example.org' }],
        ['a form', '/api/auth/local', {}, { 'Content-Type': 'application/x-www-form-urlencoded' }],
      ];
      it.runIf(profile === 'specification').each(evasions)('are not reset by %s', async (_, path, body, headers) => {
        const from = newAddress();
        const login = (address: string) => accounts.post('/api/auth/local', wrong, { from: address });
        for (let round = 0; round < 10; round++) expect((await login(from)).status).toBe(400);
        const response = await accounts.post(path, body, { from, headers });
        expect(errorOf(response)).toMatchObject({ status: 429, name: 'RateLimitError' });
        expect(response.headers['x-ratelimit-remaining']).toBe('0');
        expect((await login(newAddress())).status).toBe(400);
      });

      it.each(['reset-password', 'change-password'])('are counted for %s by IP address only', async (path) => {
        const from = newAddress();
        const { jwt } = await accounts.signIn(ada);
        const statuses: number[] = [];
        for (let round = 0; round < 11; round++) {
          const body = { code: 'x', email: `a${round}@example.org` };
          statuses.push((await accounts.post(`/api/auth/${path}`, body, { from, ...(path === 'change-password' ? { jwt } : {}) })).status);
        }
        expect(statuses).toEqual([...Array(10).fill(400), 429]);
      });

      it.each(['local/register', 'forgot-password', 'send-email-confirmation'])(
        `count for %s ${profile === 'strapi' ? 'each address by itself' : 'by the caller alone'}`,
        async (path) => {
          const statuses = async (email: (round: number) => string) => {
            const from = newAddress();
            const responses: number[] = [];
            for (let round = 0; round < 11; round++)
              responses.push((await accounts.post(`/api/auth/${path}`, { email: email(round) }, { from })).status);
            return responses;
          };
          const varied = await statuses((round) => `nobody${round}@example.org`);
          if (profile === 'strapi') expect(varied).not.toContain(429);
          else expect(varied.at(-1)).toBe(429);
          expect((await statuses((round) => (round % 2 === 0 ? 'nobody@example.org' : 'NOBODY@example.org'))).at(-1)).toBe(429);
        },
      );
    });
  });

  describe('with a mail server', () => {
    const smtp = useSmtpServer();
    const accounts: Accounts = useAccounts(engine, () => ({ ...smtp.env(), NODE_ENV: 'production' }));
    /** As in Strapi, every change of a user sets `publishedAt` as well. */
    const isPublishedByChange = async (email: string) => {
      const changed = 'published_at = updated_at AND published_at > created_at';
      return (await accounts.query(`SELECT 1 FROM up_users WHERE email = '${email}' AND ${changed}`)).length === 1;
    };

    it('a forgotten password is replaced by the link of a mail', async () => {
      await accounts.setAdvanced({ ...defaults, email_reset_password: 'https://www.example.org/reset' });
      const before = smtp.mails.length;
      const forgot = (email: string) => accounts.post('/api/auth/forgot-password', { email }, { headers: { Host: 'evil.example.org' } });
      const responses = [await forgot('nobody@example.org'), await forgot(ben.email.toUpperCase())];
      for (const response of responses) expect([response.status, response.text]).toEqual([200, '{"ok":true}']);
      const mail = await smtp.last(before + 1);
      expect(await isPublishedByChange(ben.email)).toBe(true);
      expect(mail.to).toBe(`<${ben.email}>`);
      expect(mail.text).toContain('desk@example.org');
      expect(mail.text).not.toContain('evil.example.org');
      const code = /https:\/\/www\.example\.org\/reset\?code=([0-9a-f]{128}\.[0-9a-z]{8,9})/.exec(mail.text)?.[1] ?? '';
      expect((await accounts.post('/api/auth/reset-password', reset(code, 'Ben-Pass-9'))).status).toBe(200);
      expect((await accounts.signIn({ ...ben, password: 'Ben-Pass-9' })).jwt).toBeTypeOf('string');
      expect(smtp.mails).toHaveLength(before + 1);
    });

    it('a new user has to confirm the e-mail address first, once', async () => {
      await accounts.setAdvanced({
        ...defaults,
        email_confirmation: true,
        email_confirmation_redirection: 'https://www.example.org/welcome',
      });
      const before = smtp.mails.length;
      const user = { username: '<a href="https://evil.example.org">you</a>', email: 'new@example.org', password: 'New-Pass-1' };
      const registered = await accounts.post('/api/auth/local/register', user, { headers: { Host: 'evil.example.org' } });
      expect(registered.json()).toEqual({ user: expect.objectContaining({ email: user.email, confirmed: false }) });
      expect(errorOf(await accounts.post('/api/auth/local', { identifier: user.email, password: user.password }))).toMatchObject({
        message: 'Your account email is not confirmed',
      });
      const { text: first } = await smtp.last(before + 1);
      const tokenIn = (text: string) =>
        /https:\/\/api\.example\.org\/api\/auth\/email-confirmation\?confirmation=([0-9a-f]{40})/.exec(text)?.[1];
      expect(first).not.toContain('href="https://evil.example.org"');
      // Another mail makes the link of the first one worthless.
      expect((await accounts.post('/api/auth/send-email-confirmation', { email: user.email })).json()).toEqual({
        email: user.email,
        sent: true,
      });
      const { text: second } = await smtp.last(before + 2);
      const follow = (token: string | undefined) => accounts.send('public', { path: `/api/auth/email-confirmation?confirmation=${token}` });
      expect((await follow(tokenIn(first))).status).toBe(400);
      const confirmed = await follow(tokenIn(second));
      expect([confirmed.status, confirmed.headers.location]).toEqual([302, 'https://www.example.org/welcome']);
      expect(await isPublishedByChange(user.email)).toBe(true);
      expect((await follow(tokenIn(second))).status).toBe(400);
      expect((await accounts.post('/api/auth/local', { identifier: user.email, password: user.password })).status).toBe(200);
      await accounts.setAdvanced(defaults);
    });

    it('asking for a confirmation does not reveal whether an e-mail address is known', async () => {
      const before = smtp.mails.length;
      for (const email of [ada.email, 'nobody@example.org']) {
        expect((await accounts.post('/api/auth/send-email-confirmation', { email })).json()).toEqual({ email, sent: true });
      }
      expect(smtp.mails).toHaveLength(before);
    });
  });

  describe('without a mail server, in production', () => {
    const accounts = useAccounts(engine, { NODE_ENV: 'production' });
    it.each(['forgot-password', 'send-email-confirmation'])('%s reports it, whether or not the e-mail address is known', async (path) => {
      for (const email of [ada.email, 'nobody@example.org']) {
        const error = errorOf(await accounts.post(`/api/auth/${path}`, { email }));
        expect(error).toMatchObject({ status: 503, message: expect.stringContaining('mail.host') });
      }
    });

    it('registering is refused if a confirmation would be needed', async () => {
      await accounts.setAdvanced({ ...defaults, email_confirmation: true });
      const user = { username: 'late', email: 'late@example.org', password: 'Late-Pass-1' };
      expect((await accounts.post('/api/auth/local/register', user)).status).toBe(503);
      expect(await accounts.query("SELECT 1 FROM up_users WHERE username = 'late'")).toEqual([]);
    });
  });
});
