/** Settings that Strapi's panel stores in the database, given by the configuration: they count in a database of our own, and not where Strapi's
 *  panel has set another value. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Accounts, ada, useAccounts } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import { noise } from '../../support/images.ts';
import { sendFiles } from '../../support/send-files.ts';
import type { Json } from '../../support/served-project.ts';
import { type Environment, run } from '../../support/server.ts';
import { useSmtpServer } from '../../support/smtp-server.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const given: Environment = {
  LECTERN_AUTH_DEFAULT_ROLE: 'public',
  LECTERN_AUTH_EMAIL_CONFIRMATION: 'true',
  LECTERN_AUTH_EMAIL_CONFIRMATION_PAGE: 'https://www.example.org/welcome',
  LECTERN_AUTH_RESET_PASSWORD_PAGE: 'https://www.example.org/reset',
  LECTERN_MAIL_TEMPLATES: JSON.stringify({
    resetPassword: { subject: 'Neues Passwort', message: '<p>Hallo <%= USER.username %>: <%= URL %>?code=<%= TOKEN %></p>' },
    emailConfirmation: { message: '<p>Willkommen: <%= URL %>?confirmation=<%= CODE %></p>', replyTo: 'help@example.org' },
  }),
  LECTERN_UPLOAD_SIZE_OPTIMIZATION: 'false',
  LECTERN_UPLOAD_RESPONSIVE_DIMENSIONS: 'false',
};

/** As Strapi's panel saves them. */
const rowOf = (key: string, value: object) =>
  `INSERT INTO strapi_core_store_settings ("key", value, type) VALUES ('${key}', '${JSON.stringify(value)}', 'object')`;
const storedTemplates = {
  reset_password: {
    options: { object: 'Reset', message: '<p>Stored: <%= URL %>?code=<%= TOKEN %></p>', response_email: 'stored@example.org' },
  },
};
const storedImages = { sizeOptimization: true, responsiveDimensions: true, autoOrientation: false };

describe.each(anyEngine)('%s: settings of the configuration', (engine) => {
  const smtp = useSmtpServer();
  let environment: Environment = given;
  let bytes: Uint8Array = new Uint8Array();
  beforeAll(async () => {
    bytes = await noise(1001, 20).jpeg({ quality: 100 }).toBuffer();
  });
  const accounts: Accounts = useAccounts(engine, () => ({
    ...smtp.env(),
    ...environment,
  }));
  const newMail = async (cause: () => Promise<unknown>) => {
    const before = smtp.mails.length;
    await cause();
    return (await smtp.last(before + 1)).text;
  };
  const register = (name: string) =>
    accounts.post('/api/auth/local/register', { username: name, email: `${name}@example.org`, password: 'Some-Pass-1' });
  const roleOf = async (username: string) => {
    const link = 'FROM up_roles r JOIN up_users_role_lnk l ON l.role_id = r.id JOIN up_users u ON u.id = l.user_id';
    return (await accounts.query(`SELECT r.type ${link} WHERE u.username = '${username}'`))[0]?.[0];
  };
  const newRole = async (name: string) => {
    expect((await register(name)).status).toBe(200);
    return roleOf(name);
  };
  const forgot = () => newMail(() => accounts.post('/api/auth/forgot-password', { email: ada.email }));
  const uploaded = async () => (await sendFiles(accounts, [{ name: 'wide.jpg', type: 'image/jpeg', bytes }])).files[0];
  const formatsOf = (file: Json | undefined) => Object.keys(Object(file?.formats)).sort();
  const check = () => run(['check', '--dir', accounts.project.dir], accounts.environment);

  it('count in a database of our own, also where a row says something else', async () => {
    await accounts.change(rowOf('plugin_upload_settings', storedImages));
    await accounts.change(rowOf('plugin_users-permissions_email', storedTemplates));
    const mail = await newMail(() => register('cleo'));
    expect(await roleOf('cleo')).toBe('public');
    expect(mail).toContain('<p>Willkommen: https://api.example.org/api/auth/email-confirmation?confirmation=');
    expect(mail).toContain('Reply-To: help@example.org');
    const token = /confirmation=([0-9a-f]+)/.exec(mail)?.[1];
    const confirmed = await accounts.server.get(`/api/auth/email-confirmation?confirmation=${token}`);
    expect([confirmed.status, confirmed.headers.location]).toEqual([302, 'https://www.example.org/welcome']);

    const reset = await forgot();
    expect(reset).toContain('Subject: Neues Passwort');
    expect(reset).toMatch(/<p>Hallo ada: https:\/\/www\.example\.org\/reset\?code=[0-9a-f]{128}/);
    // What the configuration does not give comes from the database.
    expect(reset).toContain('Reply-To: stored@example.org');

    const file = await uploaded();
    expect(formatsOf(file)).toEqual(['thumbnail']);
    // As it was sent, in kilobytes.
    expect(file?.size).toBe(Math.round(bytes.length / 10) / 100);
    const checked = await check();
    expect([checked.status, checked.stderr]).toEqual([0, expect.not.stringContaining('has no effect')]);
  });

  it('count for commands', async () => {
    const args = ['--username', 'dora', '--email', 'dora@example.org', '--dir', accounts.project.dir];
    const made = await run(['user', 'create', ...args], accounts.environment);
    expect(made.stderr).toContain('with the role public');
    const media = await run(['media', 'check', '--json', '--dir', accounts.project.dir], accounts.environment);
    // With the breakpoints of the database, the upload would lack variants.
    expect(JSON.parse(media.stdout)).toMatchObject({ rows: 1, imagesWithoutVariants: [] });
  });

  it('leave the database alone where they are not given', async () => {
    environment = {};
    expect(await accounts.restart({})).not.toBeNull();
    expect(await newRole('emil')).toBe('authenticated');
    expect(await forgot()).toContain('<p>Stored: https://api.example.org/console/set-password?code=');
    const file = await uploaded();
    expect(formatsOf(file)).toEqual(['large', 'medium', 'small', 'thumbnail']);
    expect(file?.size).toBeLessThan(Math.round(bytes.length / 10) / 100);
  });

  it('count in a database of Strapi only where its panel has set nothing', async () => {
    await accounts.change('CREATE TABLE strapi_database_schema (id integer, schema text, time integer, hash text)');
    environment = given;
    const server = await accounts.restart({});
    const lines = [
      'auth.defaultRole has no effect: Strapi made this database, and its panel has set "authenticated"',
      'auth.emailConfirmation has no effect: Strapi made this database, and its panel has set false',
      'mail.templates.resetPassword.subject has no effect: Strapi made this database, and its panel has set "Reset"',
      'mail.templates.resetPassword.message has no effect: Strapi made this database, and its panel has set "<p>Stored: <%= URL %>?code=<%= TOKEN %></p>"',
      'upload.sizeOptimization has no effect: Strapi made this database, and its panel has set true',
      'upload.responsiveDimensions has no effect: Strapi made this database, and its panel has set true',
    ];
    const warned = (text: string) => text.split('\n').filter((line) => line.includes('has no effect'));
    expect(warned(server?.output.stderr ?? '')).toEqual(lines.map((line) => `Warning: ${line}`));
    const checked = await check();
    expect([checked.status, warned(checked.stderr)]).toEqual([0, lines.map((line) => `Warning: ${line}`)]);

    expect(await newRole('fred')).toBe('authenticated');
    // The panel has no page: that of the configuration fills the gap.
    expect(await forgot()).toContain('<p>Stored: https://www.example.org/reset?code=');
    expect(formatsOf(await uploaded())).toEqual(['large', 'medium', 'small', 'thumbnail']);
    await accounts.change('DROP TABLE strapi_database_schema');
  });

  it('prevent the start with mistakes, which `check` reports', async () => {
    const roleProblem = 'auth.defaultRole is "publc", but there is no such role; there are authenticated, public. Did you mean public?';
    const templateProblem = 'resetPassword.message lacks <%= TOKEN %>';
    for (const [wrong, says] of [
      [{ LECTERN_AUTH_DEFAULT_ROLE: 'publc' }, roleProblem],
      [{ LECTERN_MAIL_TEMPLATES: '{"resetPassword":{"message":"<%= URL %>"}}' }, templateProblem],
      [{ LECTERN_AUTH_RESET_PASSWORD_PAGE: '/reset' }, 'must be the URL of a page'],
    ] as const) {
      environment = wrong;
      for (const command of ['check', 'start'] as const) {
        const refused = await run([command, '--dir', accounts.project.dir], { ...accounts.environment, PORT: '0' });
        expect([command, refused.status, refused.stderr]).toEqual([command, 1, expect.stringContaining(says)]);
      }
    }
    // A role that the project declares will be there.
    environment = { LECTERN_AUTH_DEFAULT_ROLE: 'member' };
    const boss = { name: 'Boss', rights: { 'lectern::management': ['access'] } };
    const declared = { 'permissions.json': { roles: { member: { name: 'Member', rights: {} }, boss } } };
    expect(await accounts.restart(declared)).not.toBeNull();
    expect(await newRole('gina')).toBe('member');
    environment = { LECTERN_AUTH_DEFAULT_ROLE: 'boss' };
    const { status, stderr } = await check();
    const warning = 'The role of newly registered users, boss, has the right lectern::management.access, so nobody can register';
    expect([status, stderr]).toEqual([0, expect.stringContaining(warning)]);
  });
});
