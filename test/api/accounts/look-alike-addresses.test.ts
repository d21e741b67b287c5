/** E-mail addresses that a collation takes for another one, such as MariaDB's for accents: nobody gets the mails of somebody else by them. */
import { describe, expect, it } from 'vitest';
import { ada, ben, useAccounts } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { useSmtpServer } from '../../support/smtp-server.ts';

const lookAlikes = ['bén@example.org', 'ben@exämple.org', 'ｂen@example.org', 'ben@example.org\u00a0', 'ben@example\u00ad.org'];

describe.each(engines)('%s: an address that looks like the one of a user', (engine) => {
  const smtp = useSmtpServer();
  const accounts = useAccounts(engine, () => smtp.env());
  const forgot = (email: string) => accounts.post('/api/auth/forgot-password', { email });

  it('gets no mail about a forgotten password', async () => {
    const before = smtp.mails.length;
    for (const email of lookAlikes) expect([200, 400]).toContain((await forgot(email)).status);
    // Mails are sent after the response: those of later requests say that earlier ones sent none.
    for (const [count, { email }] of [ada, ben].entries()) {
      expect((await forgot(email)).status).toBe(200);
      await smtp.last(before + count + 1);
    }
    expect(smtp.mails.slice(before).map(({ to }) => to)).toEqual([ada, ben].map(({ email }) => `<${email}>`));
  });

  it.each(lookAlikes)('%j does not sign in', async (identifier) => {
    expect((await accounts.post('/api/auth/local', { identifier, password: ben.password })).status).toBe(400);
  });
});
