/** `POST /api/auth/forgot-password`, `reset-password` and `change-password`. */

import { readFields } from '../../../accounts/read-body.ts';
import { isExpired, newResetCode } from '../../../accounts/reset-code.ts';
import type { Account } from '../../../accounts/user-store.ts';
import type { Connection } from '../../../dialects/database.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { ErrorCode } from '../../../errors/catalogue/catalogue.ts';
import { passwordMatches } from '../../../identity/password.ts';
import type { User } from '../../../identity/user-rows-store.ts';
import { type Endpoint, type EndpointCall, jsonResponse } from '../../send-response.ts';
import type { Accounts } from './accounts.ts';

interface NewPassword {
  readonly password: string;
  /** Asked inside the transaction that stores the password. */
  readonly mayStill: (connection: Connection) => Promise<boolean>;
  readonly refusal: Extract<ErrorCode, 'password.code' | 'password.wrong'>;
}

export function passwordEndpoints(accounts: Accounts) {
  const { resetCodesExpire } = accounts.config.policies;
  const { store, users, mailer, mails, background, usersChanged, sessionStore, writeUser, answerSignIn, requireTokens } = accounts;

  /** Responds at once and equally for every e-mail. The user is looked up afterwards. */
  const forgotPassword: Endpoint = ({ request }) => {
    const { email } = readFields(request.body, { email: 'email' }, { strict: true });
    accounts.requireMailer();
    background('mail about a forgotten password', async () => {
      const account = await users.byEmail(email);
      if (account?.email === undefined || account.email === null || account.blocked) return;
      const token = newResetCode(resetCodesExpire);
      await users.setResetToken(account.id, token);
      await mailer.send(await mails.passwordReset({ ...account, email: account.email }, token));
    });
    return jsonResponse({ ok: true });
  };

  const resetPassword: Endpoint = async (call) => {
    const fields = { password: 'newPassword', passwordConfirmation: 'text', code: 'text' } as const;
    const { password, code } = readFields(call.request.body, fields, { strict: true, same: ['password', 'passwordConfirmation'] });
    requireTokens();
    const account = await users.byResetToken(code);
    if (account === undefined || account.blocked || isExpired(code, resetCodesExpire)) throw ApiError.of('password.code');
    // When two requests have the same code, the first one sets the password.
    const unused = async (connection: Connection) => (await users.resetTokenIn(connection, account.id)) === code;
    return replacePassword(call, account, { password, mayStill: unused, refusal: 'password.code' });
  };

  const changePassword: Endpoint = async (call) => {
    const { actor, request } = call;
    if (actor.kind !== 'user') throw ApiError.of('password.no-user');
    const fields = { currentPassword: 'text', password: 'newPassword', passwordConfirmation: 'text' } as const;
    const { currentPassword, password } = readFields(request.body, fields, { strict: true, same: ['password', 'passwordConfirmation'] });
    requireTokens();
    const account = await users.byId(actor.userId);
    if (account === undefined || !(await passwordMatches(currentPassword, account.password))) {
      throw ApiError.of('password.wrong');
    }
    if (currentPassword === password) throw ApiError.of('password.same');
    const unchanged = async (connection: Connection) => (await users.passwordIn(connection, account.id)) === account.password;
    return replacePassword(call, account, { password, mayStill: unchanged, refusal: 'password.wrong' });
  };

  /** A new password ends every session and invalidates links in earlier mails. */
  async function replacePassword(call: EndpointCall, account: Account, { password, mayStill, refusal }: NewPassword) {
    let user = undefined as User | undefined;
    await writeUser({
      action: 'update',
      documentId: account.documentId,
      data: { password, resetPasswordToken: null },
      actor: call.actor,
      restriction: undefined,
      caller: call.caller,
      async before(connection) {
        if (!(await mayStill(connection))) throw ApiError.of(refusal);
      },
      async after(connection, id) {
        await sessionStore.endAllIn(connection, id);
        // Another change may follow before this caller is signed in.
        user = await store.userIn(connection, id);
      },
    });
    usersChanged();
    if (user === undefined) throw ApiError.of(refusal);
    return answerSignIn(call, { user, deviceId: undefined, inBody: 'always', query: '' });
  }

  return { forgotPassword, resetPassword, changePassword };
}
