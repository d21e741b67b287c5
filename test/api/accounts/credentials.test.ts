/** Credentials that no person types: with NUL, of any length, of broken text, to every endpoint that takes some. None is a failure of the server,
 *  none signs anybody in, and no text that differs from the right one in anything counts as it. */
import { afterAll, describe, expect, it } from 'vitest';
import { ada, newAddress, signedInBy, useAccounts } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';

const odd: readonly (readonly [what: string, text: string])[] = [
  ['a NUL', '\0'],
  ['a NUL inside', 'a\0b'],
  ['half a surrogate pair', '\ud800'],
  ['a noncharacter', '\uffff'],
  ['white space', ' \t\n'],
  ['a quote', "' OR '1'='1"],
  ['a pattern', '%'],
  ['100,000 characters', 'x'.repeat(100_000)],
  ['a long address', `${'x'.repeat(100_000)}@example.org`],
  ['an address with a NUL', 'a\0b@example.org'],
  ['an address with a line break', 'a@example.org\r\nBcc: b@example.org'],
  ['a bcrypt hash', '$2b$10$EUTL577bOO1sxYZAvUwUQ.0D1Y0IFtl95mLLDp9GBIH9e3CFykbgO'],
  ['a name of an object', '__proto__'],
];

/** As a URL can carry it. */
const inUrl = (text: string) => encodeURIComponent(Buffer.from(text).toString().slice(0, 2000));

describe.each(engines)('%s: odd credentials', (engine) => {
  const accounts = useAccounts(engine);
  afterAll(() => expect(accounts.server.output.stderr).not.toContain('unexpected error'));

  it.each(odd)('%s does not sign in', async (_, text) => {
    const { jwt } = await accounts.signIn(ada);
    const password = 'Odd-Pass-1';
    const bodies: readonly (readonly [path: string, body: object])[] = [
      ['local', { identifier: text, password: ada.password }],
      ['local', { identifier: ada.username, password: text }],
      ['local', { identifier: ada.username, password: ada.password + text }],
      ['local', { identifier: `${ada.username}${text}`, password: ada.password }],
      ['forgot-password', { email: text }],
      ['reset-password', { code: text, password, passwordConfirmation: password }],
      ['send-email-confirmation', { email: text }],
      ['change-password', { currentPassword: text, password, passwordConfirmation: password }],
      ['refresh', { refreshToken: text }],
      ['refresh', { refreshToken: `${jwt}${text}` }],
    ];
    for (const [path, body] of bodies) {
      const response = await accounts.post(`/api/auth/${path}`, body, path === 'change-password' ? { jwt } : {});
      expect(response.status, path).toBeLessThan(500);
      expect(response.text, path).not.toContain('"jwt"');
    }
    const path = `/api/auth/email-confirmation?confirmation=${inUrl(text)}`;
    expect((await accounts.send('public', { path, from: newAddress() })).status).toBe(400);
  });

  it.each(odd)('%s as a name, an e-mail address or a device is stored unchanged, or refused', async (_, text) => {
    for (const body of [
      { username: text, email: 'odd-name@example.org', password: 'Odd-Pass-1' },
      { username: 'odd-address', email: text, password: 'Odd-Pass-1' },
    ]) {
      const { status } = await accounts.post('/api/auth/local/register', body);
      expect([200, 400]).toContain(status);
      if (status === 200) await accounts.change("DELETE FROM up_users WHERE email = 'odd-name@example.org' OR username = 'odd-address'");
    }
    const { jwt } = signedInBy(
      await accounts.post('/api/auth/local', { identifier: ada.username, password: ada.password, deviceId: text }),
    );
    expect((await accounts.as(jwt, 'DELETE', `/api/auth/sessions/${inUrl(text)}`)).status).toBeLessThan(500);
    expect((await accounts.post('/api/auth/logout', { deviceId: text, scope: text }, { jwt })).status).toBe(200);
  });

  it.runIf(anyEngine.includes(engine)).each(['password', 'email', 'username', 'role', 'id', 'confirmed'])(
    '%s beside what an endpoint asks for changes nobody',
    async (key) => {
      const { jwt } = await accounts.signIn(ada);
      const row = () => accounts.query("SELECT password, email, username, confirmed, blocked FROM up_users WHERE username = 'ada'");
      const before = await row();
      const more = { [key]: key === 'confirmed' ? false : key === 'role' || key === 'id' ? 1 : 'ben' };
      const change = { currentPassword: 'wrong', password: 'Ada-Pass-2', passwordConfirmation: 'Ada-Pass-2', ...more };
      for (const [method, path, body] of [
        ['PUT', '/api/users/me', more],
        ['POST', '/api/users/me', more],
        ['PATCH', '/api/users/me', more],
        ['POST', '/api/auth/change-password', change],
        ['POST', '/api/auth/refresh', more],
      ] as const) {
        expect((await accounts.as(jwt, method, path, body)).status).toBeGreaterThanOrEqual(400);
      }
      expect(await row()).toEqual(before);
    },
  );
});
