/** The endpoints of the users-permissions plugin, except for reading users. */

import type { FastifyInstance } from 'fastify';
import { createMailer } from '../../../accounts/mailer.ts';
import { createMails } from '../../../accounts/mails.ts';
import { consolePasswordPage } from '../../../config/console-pages.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { createSessions } from '../../../identity/sessions.ts';
import { userUid } from '../../../model/built-in-types.ts';
import { withoutCondition } from '../../../rights/restrictions.ts';
import { httpUrl } from '../../../text/http-url.ts';
import type { AccountParts, Accounts } from './accounts.ts';
import { connectEndpoints } from './connect.ts';
import { confirmationEndpoints } from './email-confirmation.ts';
import { loginEndpoint, providerEndpoint } from './login-endpoint.ts';
import { passwordEndpoints } from './passwords.ts';
import { registerEndpoint } from './register.ts';
import { roleEndpoints } from './role-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { createSignInResponse } from './sign-in-response.ts';
import { userWriteEndpoints } from './user-endpoints.ts';

/** Undefined for a project without users. Closing `app` waits for mails that are being sent. */
export function createAccounts(parts: AccountParts, app: FastifyInstance): Accounts | undefined {
  const { config, model, store, answer, writeUser } = parts;
  const userType = model.contentTypes.get(userUid);
  if (userType === undefined || writeUser === undefined) return undefined;
  const { jwtSecret } = config.secrets;
  const sessions =
    jwtSecret === undefined
      ? undefined
      : createSessions(parts.sessionStore, jwtSecret, { ...config.auth, endSessionsAtOnce: config.policies.endSessionsAtOnce });
  const base = config.url ?? httpUrl(config.host, config.port);
  const mailer = createMailer(config.mail, (mail) => app.log.warn({ mail }, 'a mail was not sent: there is no mail server (mail.host)'));

  const running = new Set<Promise<void>>();
  const background = (what: string, work: () => Promise<void>) => {
    const run: Promise<void> = work()
      .catch((error: unknown) => app.log.error({ err: error }, `${what} failed`))
      .finally(() => running.delete(run));
    running.add(run);
  };
  app.addHook('onClose', async () => {
    await Promise.all(running);
    mailer.close();
  });

  // Whatever the condition is, users may see themselves after signing in.
  const restrictionOfOwn: Accounts['restrictionOfOwn'] = async (userId) =>
    withoutCondition((await parts.rightsOfUser(userId))?.restriction('plugin::users-permissions.user.me'));
  return {
    ...parts,
    userType,
    restrictionOfOwn,
    writeUser,
    sessions,
    requireTokens() {
      if (jwtSecret === undefined) throw ApiError.of('login.no-secret');
      if (config.auth.jwtManagement === 'refresh' && !parts.sessionStore.available) throw ApiError.of('session.no-table');
    },
    mailer,
    requireMailer() {
      if (!mailer.available) throw ApiError.of('mail.no-server');
    },
    mails: createMails(store, { base, api: `${base}${config.api.prefix}`, passwordPage: consolePasswordPage(config, base) }),
    background,
    answerSignIn: createSignInResponse({ config, sessions, userType, answer, restrictionOfOwn }),
  };
}

export function accountEndpoints(accounts: Accounts) {
  const { limited } = accounts;
  const { emailConfirmation, sendEmailConfirmation } = confirmationEndpoints(accounts);
  const { forgotPassword, resetPassword, changePassword } = passwordEndpoints(accounts);
  const { listed, begin, comeBack, exchange, tokenInUrl } = connectEndpoints(accounts, providerEndpoint(accounts));
  return {
    ...userWriteEndpoints(accounts),
    ...roleEndpoints(accounts),
    ...sessionEndpoints(accounts),
    login: limited(loginEndpoint(accounts), 'by caller'),
    register: limited(registerEndpoint(accounts), 'by e-mail'),
    forgotPassword: limited(forgotPassword, 'by e-mail'),
    resetPassword: limited(resetPassword, 'by caller'),
    changePassword: limited(changePassword, 'by caller'),
    emailConfirmation,
    sendEmailConfirmation: limited(sendEmailConfirmation, 'by e-mail'),
    providers: listed,
    connect: limited(begin, 'by caller'),
    connected: limited(comeBack, 'by caller'),
    exchangeCode: limited(exchange, 'by caller'),
    provider: tokenInUrl,
  };
}
