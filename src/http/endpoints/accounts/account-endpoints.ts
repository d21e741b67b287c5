/** The endpoints of the users-permissions plugin except for reading users, composed of their parts. */

import type { FastifyInstance } from 'fastify';
import { createMailer } from '../../../accounts/mailer.ts';
import { createMails } from '../../../accounts/mails.ts';
import type { IdentityStore } from '../../../accounts/provider-identity-store.ts';
import type { UserStore } from '../../../accounts/user-store.ts';
import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../dialects/database.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { AccessStore } from '../../../identity/access-store.ts';
import type { SessionStore } from '../../../identity/session-store.ts';
import { createSessions } from '../../../identity/sessions.ts';
import { userUid } from '../../../model/built-in-types.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import type { AnswerRead, WriteUser } from '../../../pipeline/call.ts';
import type { Rights } from '../../../rights/rights.ts';
import { httpUrl } from '../../../text/http-url.ts';
import type { RateCounts } from '../../rate-limits/rate-limiter.ts';
import type { RateLimited } from '../../rate-limits/sign-in-rate-limit.ts';
import { connectEndpoints } from './connect.ts';
import { confirmationEndpoints, createSendConfirmation } from './email-confirmation.ts';
import { loginEndpoint, providerEndpoint } from './login-endpoint.ts';
import { passwordEndpoints } from './passwords.ts';
import { registerEndpoint } from './register.ts';
import { roleEndpoints } from './role-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { createSignInResponse, restrictionOfOwnBy } from './sign-in-response.ts';
import { userWriteEndpoints } from './user-endpoints.ts';

export interface AccountParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  readonly store: AccessStore;
  readonly sessionStore: SessionStore;
  readonly users: UserStore;
  readonly identities: IdentityStore;
  readonly answer: AnswerRead;
  readonly writeUser: WriteUser | undefined;
  readonly rightsOfUser: (userId: number) => Promise<Rights | undefined>;
  /** Makes the next request look up its caller again. */
  readonly usersChanged: () => void;
  readonly limited: RateLimited;
  readonly counts: RateCounts;
}

export type Accounts = NonNullable<ReturnType<typeof createAccounts>>;

/** Undefined for a project without users. Closing `app` waits for mails that are being sent. */
export function createAccounts(parts: AccountParts, app: FastifyInstance) {
  const { config, model, store, answer, writeUser } = parts;
  const userType = model.contentTypes.get(userUid);
  if (userType === undefined || writeUser === undefined) return undefined;
  const { jwtSecret } = config.secrets;
  const sessions = jwtSecret === undefined ? undefined : createSessions(parts.sessionStore, jwtSecret, config.auth);
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

  const restrictionOfOwn = restrictionOfOwnBy(parts.rightsOfUser);
  return {
    ...parts,
    userType,
    restrictionOfOwn,
    writeUser,
    sessions,
    /** Refuses before anything is written for a user who would get no tokens. */
    requireTokens() {
      if (jwtSecret === undefined) throw ApiError.of('login.no-secret');
      if (config.auth.jwtManagement === 'refresh' && !parts.sessionStore.available) throw ApiError.of('session.no-table');
    },
    mailer,
    mails: createMails(store, { base, api: `${base}${config.api.prefix}` }),
    background,
    answerSignIn: createSignInResponse({ config, sessions, userType, answer, restrictionOfOwn }),
  };
}

export function accountEndpoints(accounts: Accounts) {
  const { model, database, store, usersChanged, limited, requireTokens, answerSignIn } = accounts;
  const sendConfirmation = createSendConfirmation(accounts);
  const { emailConfirmation, sendEmailConfirmation } = confirmationEndpoints(accounts, sendConfirmation);
  const { forgotPassword, resetPassword, changePassword } = passwordEndpoints(accounts);
  const otherProvider = providerEndpoint(store);
  const { listed, begin, comeBack, exchange, tokenInUrl } = connectEndpoints({ ...accounts, otherProvider });
  return {
    ...userWriteEndpoints(accounts),
    ...roleEndpoints(database, model, accounts.config.policies, usersChanged),
    ...sessionEndpoints(accounts),
    login: limited(loginEndpoint(store, requireTokens, answerSignIn), 'by caller'),
    register: limited(registerEndpoint({ ...accounts, sendConfirmation }), 'by e-mail'),
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
