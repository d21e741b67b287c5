/** Public endpoints do not reveal who has an account: they respond alike, and do the same work, for known and unknown names and addresses. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Accounts, ada, ben, newAddress, useAccounts } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { computedFor, tellsOfProcesses } from '../../support/images.ts';
import { useSmtpServer } from '../../support/smtp-server.ts';

const perRequest = /^(?:date|x-request-id|server-timing|connection|keep-alive|x-ratelimit-reset)$/;
const said = ({ status, headers, text }: HttpResponse, ...own: readonly string[]) => ({
  status,
  headers: Object.entries(headers).filter(([name]) => !perRequest.test(name)),
  text: own.reduce((all, each) => all.replaceAll(each, '<own>'), text),
});

/** What some logins with a wrong password cost the server: what other processes do does not count. */
async function workOfLogins(accounts: Accounts, identifier: string): Promise<number> {
  const before = computedFor(accounts.server.pid);
  for (let login = 0; login < 16; login++)
    expect((await accounts.post('/api/auth/local', { identifier, password: 'Wrong-Pass-1' })).status).toBe(400);
  return computedFor(accounts.server.pid) - before;
}

describe.each(anyEngine)('%s: finding out whether an account exists', (engine) => {
  const smtp = useSmtpServer();
  const accounts: Accounts = useAccounts(
    engine,
    () => ({ LECTERN_PROFILE: 'specification', ...smtp.env() }),
    // Two fewer than usual: a comparison that the project's rounds do not count for costs four times as much.
    { rounds: 8, ownProcess: true },
  );
  /** They have the same length, so that responses that repeat them have the same length. */
  const known = { ben: ben.email, blocked: 'cat@example.org', unconfirmed: 'dan@example.org', other: 'eve@example.org' };
  const unknown = 'fay@example.org';

  // After the project is there, which `useAccounts` sees to.
  beforeAll(async () => {
    for (const email of [known.blocked, known.unconfirmed, known.other]) {
      const role = await accounts.roleId('authenticated');
      const user = { username: email.slice(0, 3), email, password: 'Same-Pass-1', role, confirmed: true };
      expect((await accounts.send('full', { method: 'POST', path: '/api/users', body: user })).status).toBe(201);
    }
    await accounts.change(`UPDATE up_users SET blocked = (1 = 1) WHERE email = '${known.blocked}'`);
    await accounts.change(`UPDATE up_users SET confirmed = (1 = 0) WHERE email = '${known.unconfirmed}'`);
    await accounts.change(`UPDATE up_users SET provider = 'github', password = NULL WHERE email = '${known.other}'`);
    const advanced = { unique_email: true, allow_register: true, default_role: 'authenticated', email_confirmation: true };
    await accounts.setAdvanced(advanced);
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
    for (const identifier of [ada.username, ada.email, 'cat', 'dan', 'eve', ' ada', 'ada ', "ada' --", 'a%'])
      expect(await attempt(identifier)).toEqual(nobody);
  });

  it.runIf(tellsOfProcesses)('a login costs the same work whoever it is for', async () => {
    const cost = (identifier: string) => workOfLogins(accounts, identifier);
    await cost('warm');
    const wrong = await cost(known.blocked);
    expect(wrong).toBeGreaterThan(10);
    // A login without a comparison costs less than a fifth; twice the comparisons cost twice as much.
    for (const identifier of ['nobody', known.unconfirmed, known.other]) {
      const own = await cost(identifier);
      expect(own / wrong, identifier).toBeGreaterThan(0.6);
      expect(own / wrong, identifier).toBeLessThan(1.7);
    }
  });

  it('a confirmation needs a token, and redirects nowhere else', async () => {
    for (const query of [
      ...['confirmation=nothing', `confirmation=${encodeURIComponent("' OR '1'='1")}`, 'confirmation=%25', 'confirmation=null', ''],
      ...['confirmation[$ne]=x', 'confirmation[]=a', 'confirmation=a&confirmation=b', 'confirmation'],
    ]) {
      expect((await accounts.send('public', { path: `/api/auth/email-confirmation?${query}`, from: newAddress() })).status).toBe(400);
    }
    const confirm = async (token: string, more: string, headers: Readonly<Record<string, string>>) => {
      await accounts.change(`UPDATE up_users SET confirmation_token = '${token}' WHERE email = '${known.unconfirmed}'`);
      return accounts.send('public', { path: `/api/auth/email-confirmation?confirmation=${token}${more}`, from: newAddress(), headers });
    };
    const evil = 'https://evil.example';
    for (const parameter of ['redirect', 'url', 'email_confirmation_redirection', 'callback']) {
      const response = await confirm('good-token', `&${parameter}=${evil}`, {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        Referer: evil,
      });
      expect(response.status).toBe(302);
      expect(response.headers.location).toBe('/');
      expect(response.text).not.toContain('evil');
    }
  });

  it('a setting with a line break does not split a response', async () => {
    const email_confirmation_redirection = 'https://www.example.org/\r\nSet-Cookie: a=b\r\n\r\n<script>';
    await accounts.setAdvanced({ email_confirmation: true, email_confirmation_redirection });
    await accounts.change(`UPDATE up_users SET confirmation_token = 'split-token' WHERE email = '${known.unconfirmed}'`);
    const response = await accounts.send('public', { path: '/api/auth/email-confirmation?confirmation=split-token', from: newAddress() });
    expect(response.status).toBe(302);
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.headers.location).toMatch(/^https:\/\/www\.example\.org\/%0D%0ASet-Cookie/);
    expect(response.text).not.toContain('<script>');
  });
});
