/** What the endpoints of the users-permissions plugin are made of. */
import type { Mailer } from '../../../accounts/mailer.ts';
import type { Mails } from '../../../accounts/mails.ts';
import type { IdentityStore } from '../../../accounts/provider-identity-store.ts';
import type { UserStore } from '../../../accounts/user-store.ts';
import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../dialects/database.ts';
import type { AccessStore } from '../../../identity/access-store.ts';
import type { SessionStore, SigningIn } from '../../../identity/session-store.ts';
import type { Sessions } from '../../../identity/sessions.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { AnswerRead, WriteUser } from '../../../pipeline/call.ts';
import type { Restriction } from '../../../rights/restrictions.ts';
import type { Rights } from '../../../rights/rights.ts';
import type { RateCounts } from '../../rate-limits/rate-limiter.ts';
import type { RateLimited } from '../../rate-limits/sign-in-rate-limit.ts';
import type { EndpointCall, EndpointResponse } from '../../send-response.ts';

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

export interface Accounts extends AccountParts {
  readonly writeUser: WriteUser;
  readonly userType: ContentType;
  /** Undefined without JWT_SECRET. */
  readonly sessions: Sessions | undefined;
  /** Refuses before anything is written for a user who would get no tokens. */
  readonly requireTokens: () => void;
  readonly mailer: Mailer;
  /** Throws when no mail can be sent. */
  readonly requireMailer: () => void;
  readonly mails: Mails;
  /** Runs on after the response; a failure goes to the log. */
  readonly background: (what: string, work: () => Promise<void>) => void;
  readonly answerSignIn: SignInResponse;
  /** The restriction on users' reading of themselves after they have signed in. */
  readonly restrictionOfOwn: (userId: number) => Promise<Restriction | undefined>;
}

export interface SignIn {
  readonly user: SigningIn;
  readonly deviceId: string | undefined;
  /** As recorded: a login with cookies keeps the refresh token out of the body; setting or
   *  changing a password does not, unless `policies.hideRefreshTokens` is on. */
  readonly inBody: 'always' | 'unless in a cookie';
  /** The query that selects the user's fields. */
  readonly query: string;
}

export type SignInResponse = (call: EndpointCall, signIn: SignIn) => Promise<EndpointResponse>;
