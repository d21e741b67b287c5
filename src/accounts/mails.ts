/** The two mails about accounts. Their templates come from the configuration or the database. */

import type { AccessStore } from '../identity/access-store.ts';
import { objectAt, stringAt } from '../text/json.ts';
import { fillPlaceholders } from '../text/placeholders.ts';
import type { Mail } from './mailer.ts';
import type { Account } from './user-store.ts';

type Template = 'reset_password' | 'email_confirmation';

/** For a database without templates. */
const defaults: Readonly<Record<Template, { readonly object: string; readonly message: string }>> = {
  reset_password: {
    object: 'Reset password',
    message: '<p>Use the following link to choose another password:</p>\n<p><%= URL %>?code=<%= TOKEN %></p>',
  },
  email_confirmation: {
    object: 'Account confirmation',
    message: '<p>Use the following link to confirm your e-mail address:</p>\n<p><%= URL %>?confirmation=<%= CODE %></p>',
  },
};

export type Mails = ReturnType<typeof createMails>;

export interface MailUrls {
  /** The URL of this server, and that of its API. Both are configured: with `Host`, a caller could
   *  send other people links to another server. */
  readonly base: string;
  readonly api: string;
  /** Where users set a password, unless the settings name a page. */
  readonly passwordPage: string | undefined;
}

export function createMails(store: AccessStore, { base, api, passwordPage = '' }: MailUrls) {
  async function mail(name: Template, user: Account & { readonly email: string }, values: Readonly<Record<string, string>>): Promise<Mail> {
    const options = objectAt(objectAt(await store.settings('email'), name), 'options');
    const from = objectAt(options, 'from');
    const all = { ...values, SERVER_URL: base, ...userValues(user) };
    return {
      to: user.email,
      from: stringAt(from, 'email') === undefined ? undefined : `${stringAt(from, 'name') ?? ''} <${stringAt(from, 'email')}>`.trim(),
      replyTo: stringAt(options, 'response_email'),
      subject: fillPlaceholders(stringAt(options, 'object') ?? defaults[name].object, all, (value) => value),
      html: fillPlaceholders(stringAt(options, 'message') ?? defaults[name].message, all, escapeHtml),
    };
  }

  return {
    async passwordReset(user: Account & { readonly email: string }, token: string): Promise<Mail> {
      const page = stringAt(await store.settings('advanced'), 'email_reset_password') ?? passwordPage;
      return mail('reset_password', user, { URL: page, TOKEN: token });
    },
    confirmation: (user: Account & { readonly email: string }, token: string): Promise<Mail> =>
      mail('email_confirmation', user, { URL: `${api}/auth/email-confirmation`, CODE: token }),
  };
}

const userValues = ({ id, documentId, username, email }: Account): Readonly<Record<string, string>> => ({
  'USER.id': String(id),
  'USER.documentId': documentId,
  'USER.username': username ?? '',
  'USER.email': email ?? '',
});

/** Who registers with another person's e-mail chooses a user name that this person will read. */
const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (value: string) => value.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);
