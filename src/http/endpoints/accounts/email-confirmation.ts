/** `GET /api/auth/email-confirmation`, the link in a mail, and `POST …/send-email-confirmation`. */
import { randomBytes } from 'node:crypto';
import { escapeHtml } from '../../../accounts/mails.ts';
import { invalidBody, readFields } from '../../../accounts/read-body.ts';
import type { Account } from '../../../accounts/user-store.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { eventCaller } from '../../../events/document-event.ts';
import { decoded } from '../../../text/url-parts.ts';
import { type Endpoint, jsonResponse } from '../../send-response.ts';
import type { Accounts } from './accounts.ts';

const tokenBytes = 20;

/** Sends the mail after the response. */
export function sendConfirmation(account: Account, { users, mailer, mails, background }: Accounts): void {
  const { email } = account;
  if (email === null) return;
  background('confirmation mail', async () => {
    const token = randomBytes(tokenBytes).toString('hex');
    await users.setConfirmationToken(account.id, token);
    await mailer.send(await mails.confirmation({ ...account, email }, token));
  });
}

export function confirmationEndpoints(accounts: Accounts) {
  const { config, store, users, usersChanged } = accounts;

  const emailConfirmation: Endpoint = async ({ query, actor }) => {
    const token = confirmationIn(query);
    if (!(await users.confirm(token, eventCaller(actor)))) throw ApiError.of('confirmation.token');
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
    accounts.requireMailer();
    const account = await users.byEmail(email);
    const { hideAccounts } = config.policies;
    const mayConfirm = account !== undefined && !account.confirmed && !account.blocked;
    if (account !== undefined && !mayConfirm && !hideAccounts) {
      throw ApiError.of(account.confirmed ? 'confirmation.done' : 'confirmation.blocked');
    }
    if (mayConfirm) sendConfirmation(account, accounts);
    return jsonResponse({ email: mayConfirm && !hideAccounts ? account.email : email, sent: true });
  };

  return { emailConfirmation, sendEmailConfirmation };
}

/** Only a text counts: `confirmation[$ne]=a` would match any user's token. */
function confirmationIn(query: string): string {
  const parameters = new URLSearchParams(query);
  const values = parameters.getAll('confirmation');
  const isNested = [...parameters.keys()].some((key) => key.startsWith('confirmation['));
  const [token] = values;
  const refuse = (message: string) => invalidBody([{ path: ['confirmation'], message }]);
  if (isNested || values.length > 1) throw refuse('confirmation must be a `string` type');
  if (token === undefined || token === '') throw refuse('confirmation is a required field');
  return token;
}
