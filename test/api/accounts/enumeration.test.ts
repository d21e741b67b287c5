/** Public endpoints do not reveal who has an account: they respond alike, and do the same work, for known and unknown names and addresses. */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Accounts, ada, ben, newAddress, useAccounts } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { type SmtpServer, startSmtpServer } from '../../support/smtp-server.ts';

const perRequest = /^(?:date|x-request-id|server-timing|connection|keep-alive|x-ratelimit-reset)$/;
const said = ({ status, headers, text }: HttpResponse, ...own: readonly string[]) => ({
  status,
  headers: Object.entries(headers).filter(([name]) => !perRequest.test(name)),
  text: own.reduce((all, each) => all.replaceAll(each, '<own>'), text),
});

/** Processor time that a process has used, in hundredths of a second: what other processes do does not count, unlike with the time of a clock. */
function work(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** What some logins with a wrong password cost the server. */
async function workOfLogins(accounts: Accounts, identifier: string, logins: number): Promise<number> {
  const before = work(accounts.server.pid);
  for (let login = 0; login < logins; login++)
    expect((await accounts.post('/api/auth/local', { identifier, password: 'Wrong-Pass-1' })).status).toBe(400);
  return work(accounts.server.pid) - before;
}

let smtp: SmtpServer | undefined;
beforeAll(async () => {
  smtp = await startSmtpServer();
});
afterAll(() => smtp?.close());

describe.runIf(engines.includes('sqlite'))('a login with rounds of bcrypt that the project sets', () => {
  const accounts = useAccounts('sqlite', { LECTERN_PROFILE: 'strapi' }, { rounds: 12, ownProcess: true });

  it.runIf(existsSync('/proc/self/stat'))('costs the same work for nobody as for a user', async () => {
    const user = { username: 'cat', email: 'cat@example.org', password: 'Same-Pass-1', role: await accounts.roleId('authenticated') };
    expect((await accounts.send('full', { method: 'POST', path: '/api/users', body: user })).status).toBe(201);
    const cost = (identifier: string) => workOfLogins(accounts, identifier, 3);
    await cost('warm');
    // Each round that is missing halves the work.
    const share = (await cost('nobody')) / (await cost('cat'));
    expect(share).toBeGreaterThan(0.6);
    expect(share).toBeLessThan(1.7);
  });
});

describe.each(anyEngine)('%s: finding out whether an account exists', (engine) => {
  const accounts: Accounts = useAccounts(
    engine,
    () => ({
      LECTERN_PROFILE: 'specification',
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp?.port),
      SMTP_FROM: 'desk@example.org',
      PUBLIC_URL: 'https://api.example.org',
    }),
    { rounds: 10, ownProcess: true },
  );
  /** They have the same length, so that responses that repeat them have the same length. */
  const known = { ben: ben.email, blocked: 'cat@example.org', unconfirmed: 'dan@example.org', other: 'eve@example.org' };
  const unknown = 'fay@example.org';

  // After the project is there, which `useAccounts` sees to.
  beforeAll(async () => {
    for (const email of [known.blocked, known.unconfirmed, known.other]) {
      const user = {
        username: email.slice(0, 3),
        email,
        password: 'Same-Pass-1',
        role: await accounts.roleId('authenticated'),
        confirmed: true,
      };
      expect((await accounts.send('full', { method: 'POST', path: '/api/users', body: user })).status).toBe(201);
    }
    await accounts.change(`UPDATE up_users SET blocked = (1 = 1) WHERE email = '${known.blocked}'`);
    await accounts.change(`UPDATE up_users SET confirmed = (1 = 0) WHERE email = '${known.unconfirmed}'`);
    await accounts.change(`UPDATE up_users SET provider = 'github', password = NULL WHERE email = '${known.other}'`);
    await accounts.change(
      `UPDATE strapi_core_store_settings SET value = '{"unique_email":true,"allow_register":true,"default_role":"authenticated","email_confirmation":true}' WHERE strapi_core_store_settings.key = 'plugin_users-permissions_advanced'`,
    );
  });

  it.each(['local', 'forgot-password', 'send-email-confirmation', 'reset-password'])('%s responds alike', async (path) => {
    const body = (email: string) =>
      path === 'local'
        ? { identifier: email, password: 'Wrong-Pass-1' }
        : path === 'reset-password'
          ? { code: email, password: 'Same-Pass-2', passwordConfirmation: 'Same-Pass-2' }
          : { email };
    const nobody = said(await accounts.post(`/api/auth/${path}`, body(unknown)), unknown);
    for (const email of Object.values(known)) {
      expect(said(await accounts.post(`/api/auth/${path}`, body(email)), email)).toEqual(nobody);
      const loud = email.toUpperCase();
      expect(said(await accounts.post(`/api/auth/${path}`, body(loud)), loud, email)).toEqual(nobody);
    }
  });

  it('a wrong password is a wrong password, by name as by address, blocked or not', async () => {
    const attempt = async (identifier: string) => said(await accounts.post('/api/auth/local', { identifier, password: 'Wrong-Pass-1' }));
    const nobody = await attempt('nobody');
    for (const identifier of [ada.username, ada.email, 'cat', 'dan', 'eve', ' ada', 'ada ', "ada' --", 'a%', '']) {
      if (identifier !== '') expect(await attempt(identifier)).toEqual(nobody);
    }
  });

  it('a login costs the same work whoever it is for', async (test) => {
    if (!existsSync('/proc/self/stat')) return test.skip();
    const cost = (identifier: string) => workOfLogins(accounts, identifier, 8);
    await cost('warm');
    const wrong = await cost(ada.username);
    expect(wrong).toBeGreaterThan(10);
    // A login without a comparison costs less than a tenth; twice the comparisons cost twice as much.
    for (const identifier of ['nobody', known.blocked, known.unconfirmed, known.other]) {
      const own = await cost(identifier);
      expect(own / wrong, identifier).toBeGreaterThan(0.6);
      expect(own / wrong, identifier).toBeLessThan(1.7);
    }
  });

  it('a confirmation needs a token, and redirects nowhere else', async () => {
    for (const query of [
      'confirmation=nothing',
      `confirmation=${encodeURIComponent("' OR '1'='1")}`,
      'confirmation=%25',
      'confirmation=null',
    ]) {
      const response = await accounts.send('public', { path: `/api/auth/email-confirmation?${query}`, from: newAddress() });
      expect(response.status).toBe(400);
    }
    for (const query of ['', 'confirmation[$ne]=x', 'confirmation[]=a', 'confirmation=a&confirmation=b', 'confirmation']) {
      expect((await accounts.send('public', { path: `/api/auth/email-confirmation?${query}`, from: newAddress() })).status).toBe(400);
    }
    const confirm = async (token: string, more: string, headers: Readonly<Record<string, string>>) => {
      await accounts.change(`UPDATE up_users SET confirmation_token = '${token}' WHERE email = '${known.unconfirmed}'`);
      return accounts.send('public', { path: `/api/auth/email-confirmation?confirmation=${token}${more}`, from: newAddress(), headers });
    };
    const evil = 'https://evil.example';
    for (const more of [
      `&redirect=${evil}`,
      `&url=${evil}`,
      `&email_confirmation_redirection=${evil}`,
      `&callback=${evil}`,
      '&next=//evil.example',
    ]) {
      const response = await confirm('good-token', more, { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Referer: evil });
      expect(response.status).toBe(302);
      expect(response.headers.location).toBe('/');
      expect(response.text).not.toContain('evil');
    }
  });

  it('a setting with a line break does not split a response', async () => {
    await accounts.change(
      `UPDATE strapi_core_store_settings SET value = '{"email_confirmation":true,"email_confirmation_redirection":"https://www.example.org/\\r\\nSet-Cookie: a=b\\r\\n\\r\\n<script>"}' WHERE strapi_core_store_settings.key = 'plugin_users-permissions_advanced'`,
    );
    await accounts.change(`UPDATE up_users SET confirmation_token = 'split-token' WHERE email = '${known.unconfirmed}'`);
    const response = await accounts.send('public', { path: '/api/auth/email-confirmation?confirmation=split-token', from: newAddress() });
    expect(response.status).toBe(302);
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.headers.location).toMatch(/^https:\/\/www\.example\.org\/%0D%0ASet-Cookie/);
    expect(response.text).not.toContain('<script>');
  });
});
