/** `GET /api/auth/email-confirmation`, the link in a mail, and `POST /api/auth/send-email-confirmation`. */
import { randomBytes } from 'node:crypto';
import type { Mailer } from '../../../accounts/mailer.ts';
import { escapeHtml, type Mails } from '../../../accounts/mails.ts';
import { invalidBody, readFields } from '../../../accounts/read-body.ts';
import type { Account, UserStore } from '../../../accounts/user-store.ts';
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { AccessStore } from '../../../identity/access-store.ts';
import { decoded } from '../../../text/url-parts.ts';
import { type Endpoint, jsonResponse } from '../../send-response.ts';

export interface SendConfirmation {
  /** Throws when no mail can be sent. */
  require(): void;
  /** Sends the mail after the response. */
  to(account: Account): void;
}

export interface ConfirmationParts {
  readonly config: Config;
  readonly store: AccessStore;
  readonly users: UserStore;
  readonly mailer: Mailer;
  readonly mails: Mails;
  /** Runs on after the response; a failure goes to the log. */
  readonly background: (what: string, work: () => Promise<void>) => void;
  readonly usersChanged: () => void;
}

const tokenBytes = 20;

export function createSendConfirmation({ users, mailer, mails, background }: ConfirmationParts): SendConfirmation {
  return {
    require() {
      if (!mailer.available) throw ApiError.of('mail.no-server');
    },
    to(account) {
      const { email } = account;
      if (email === null) return;
      background('confirmation mail', async () => {
        const token = randomBytes(tokenBytes).toString('hex');
        await users.setConfirmationToken(account.id, token);
        await mailer.send(await mails.confirmation({ ...account, email }, token));
      });
    },
  };
}

export function confirmationEndpoints(parts: ConfirmationParts, sendConfirmation: SendConfirmation) {
  const { config, store, users, usersChanged } = parts;

  const emailConfirmation: Endpoint = async ({ query }) => {
    const token = confirmationIn(query);
    if (!(await users.confirm(token))) throw ApiError.of('confirmation.token');
    usersChanged();
    const { email_confirmation_redirection: page } = await store.settings('advanced');
    const location = typeof page === 'string' && page !== '' ? page : '/';
    return {
      status: 302,
      body: `Redirecting to ${escapeHtml(location)}.`,
      contentType: 'text/html; charset=utf-8',
      // The setting may or may not be encoded already.
      headers: { location: encodeURI(decoded(location, decodeURI) ?? location) },
    };
  };

  const sendEmailConfirmation: Endpoint = async ({ request }) => {
    const { email } = readFields(request.body, { email: 'email' });
    sendConfirmation.require();
    const account = await users.byEmail(email);
    const { hideAccounts } = config.policies;
    const mayConfirm = account !== undefined && !account.confirmed && !account.blocked;
    if (account !== undefined && !mayConfirm && !hideAccounts) {
      throw ApiError.of(account.confirmed ? 'confirmation.done' : 'confirmation.blocked');
    }
    if (mayConfirm) sendConfirmation.to(account);
    return jsonResponse({ email: mayConfirm && !hideAccounts ? account.email : email, sent: true });
  };

  return { emailConfirmation, sendEmailConfirmation };
}

/** Only a text counts: `confirmation[$ne]=a` would match any user's token. */
function confirmationIn(query: string): string {
  const given = new URLSearchParams(query);
  const values = given.getAll('confirmation');
  const isNested = [...given.keys()].some((key) => key.startsWith('confirmation['));
  const [token] = values;
  const refuse = (message: string) => invalidBody([{ path: ['confirmation'], message }]);
  if (isNested || values.length > 1) throw refuse('confirmation must be a `string` type');
  if (token === undefined || token === '') throw refuse('confirmation is a required field');
  return token;
}
