import { describe, expect, it } from 'vitest';
import { mailSettings } from './settings/account-settings.ts';

const { fromJson } = mailSettings.templates;

describe('mail.templates', () => {
  it.each([
    [{}],
    [{ resetPassword: { subject: 'Hello <%= USER.username %>' } }],
    [{ resetPassword: { message: '<%= URL %>?code=<%=TOKEN%>', replyTo: 'desk@example.org' } }],
    [{ emailConfirmation: { message: '<%- URL %>?confirmation=<%= CODE %> <%= SERVER_URL %> <%= USER.email %>' } }],
  ])('accepts %j', (value) => {
    expect(fromJson(value)).toEqual({ ok: true, value });
  });

  it.each([
    [[], 'an object (JSON in a variable)'],
    ['text', 'an object (JSON in a variable)'],
    [{ resetPasword: {} }, 'resetPasword is an unknown key; did you mean resetPassword?'],
    [{ resetPassword: 'text' }, 'resetPassword must be an object'],
    [{ resetPassword: { mesage: 'x' } }, 'resetPassword.mesage is an unknown key; did you mean message?'],
    [{ resetPassword: { message: '<%= URL %>' } }, 'resetPassword.message lacks <%= TOKEN %>, which its link needs'],
    [{ emailConfirmation: { message: '<%= URL %>?confirmation=<%= TOKEN %>' } }, 'emailConfirmation.message lacks <%= CODE %>'],
    [{ emailConfirmation: { subject: '<%= USER.usernme %>' } }, 'placeholder USER.usernme; did you mean USER.username?'],
    [{ resetPassword: { subject: '<%= process.env.JWT_SECRET %>' } }, 'placeholder process.env.JWT_SECRET'],
    [{ resetPassword: { subject: '<%= USER.constructor %>' } }, 'placeholder USER.constructor'],
    [{ resetPassword: { subject: '' } }, 'resetPassword.subject must be text'],
    [{ resetPassword: { subject: 7 } }, 'resetPassword.subject must be text'],
    [{ resetPassword: { replyTo: 'nobody' } }, 'resetPassword.replyTo must be an e-mail address'],
  ])('refuses %j: %s', (value, says) => {
    expect(fromJson(value)).toEqual({ ok: false, expected: expect.stringContaining(says) });
  });
});
