/** Why credentials are refused, in words. Only servers in development ask: callers in production
 *  must not learn it. */
import { relative } from 'node:path';
import type { Config } from '../config/config.ts';
import { embeddedFile } from '../dialects/embedded-file.ts';
import { howToSetSecret } from '../text/how-to-set-secret.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import { serverUrls } from '../text/server-urls.ts';
import type { AccessStore } from './access-store.ts';
import { apiTokenHash } from './api-token-secret.ts';
import { bearerToken } from './bearer-token.ts';
import { userTokenProblem, verifyUserToken } from './json-web-token.ts';
import { passwordKey } from './password.ts';
import type { SessionStore } from './session-store.ts';

export interface CredentialsParts {
  readonly config: Config;
  readonly store: AccessStore;
  readonly sessionStore: SessionStore;
  /** True for `lectern demo`, whose database is temporary: hints name no command. */
  readonly isTemporary: boolean;
}

/** Undefined where nothing is wrong with the credentials. */
export async function credentialsProblem(authorization: string | undefined, parts: CredentialsParts): Promise<string | undefined> {
  const token = bearerToken(authorization);
  if (token !== undefined) return token.includes('.') ? userProblem(token, parts) : apiTokenProblem(token, parts);
  return authorization === undefined || authorization === ''
    ? undefined
    : 'The header Authorization has no effect, since it is not the word Bearer and a token: Authorization: Bearer <token>';
}

async function apiTokenProblem(token: string, { config, store, isTemporary }: CredentialsParts): Promise<string | undefined> {
  const { apiTokenSalt } = config.secrets;
  if (apiTokenSalt === undefined) return `API tokens need the secret API_TOKEN_SALT, which is not set. ${howToSetSecret('API_TOKEN_SALT')}`;
  const found = await store.apiToken(apiTokenHash(token, apiTokenSalt));
  const create = lecternCommand('token create --name <name> --type read-only', config.dir);
  const another = isTemporary ? 'use the one that the demo printed at its start' : `\`${create}\` makes a new one`;
  if (found === undefined)
    return `The token is unknown: the database ${nameOf(config)} has no API token with this secret. It belongs to another database, was revoked or rotated, or API_TOKEN_SALT has changed; ${another}`;
  return Date.now() < found.expiresAt ? undefined : `The API token has expired; ${another}`;
}

async function userProblem(token: string, { config, store, sessionStore }: CredentialsParts): Promise<string | undefined> {
  const { jwtSecret } = config.secrets;
  const { jwtManagement } = config.auth;
  if (jwtSecret === undefined) return `The tokens of users need the secret JWT_SECRET, which is not set. ${howToSetSecret('JWT_SECRET')}`;
  const problem = await userTokenProblem(token, jwtSecret);
  if (problem !== undefined) return problem;
  const verified = await verifyUserToken(token, jwtSecret, jwtManagement);
  if (verified === undefined)
    return `This token does not authenticate requests: it is a refresh token, or not of the mode auth.jwtManagement = ${jwtManagement}`;
  const { userId, sessionId } = verified;
  const user = await store.user(userId);
  if (user === undefined)
    return `The token belongs to the user with the id ${userId}, who is not in the database ${nameOf(config)}: sign in again`;
  if (user.blocked) return `The user with the id ${userId} is blocked; \`${lecternCommand('user unblock', config.dir)}\` unblocks the user`;
  if (await store.isUnconfirmed(user)) return `The user with the id ${userId} has not confirmed the e-mail address`;
  if (user.roleId === undefined)
    return `The user with the id ${userId} has no role; \`${lecternCommand('user set-role', config.dir)}\` gives one`;
  if (!config.policies.endSessionsAtOnce) return undefined;
  const isCurrent =
    sessionId === undefined
      ? verified.passwordKey === passwordKey(user.id, user.password, jwtSecret)
      : await sessionStore.stands(sessionId, user.id);
  return isCurrent ? undefined : 'The session of the token has ended (a logout, or a new password or role): sign in again';
}

/** `.tmp/data.db`, or `blog (postgres)` */
function nameOf({ database }: Config): string {
  const file = embeddedFile(database);
  if (file !== undefined) return relative('', file);
  const { url, name, client } = database;
  return `${serverUrls(url ?? '')[0]?.pathname.slice(1) ?? name} (${client})`;
}
