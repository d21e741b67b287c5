/** Signing in with a password: `POST /api/auth/local` without its HTTP. */

import { ApiError } from '../errors/api-error.ts';
import type { AccessStore } from '../identity/access-store.ts';
import { passwordMatches } from '../identity/password.ts';
import type { User } from '../identity/user-rows-store.ts';
import { isObject } from '../text/json.ts';
import { readFields } from './read-body.ts';

export interface LoginBody {
  /** User name or e-mail. */
  readonly identifier: string;
  readonly password: string;
}

export const parseLoginBody = (body: unknown): LoginBody => readFields(body, { identifier: 'text', password: 'text' });

/** The user whom the body identifies, if the password matches. Only a caller with the right
 *  password learns that the user is blocked or unconfirmed. */
export async function login(body: LoginBody, store: AccessStore): Promise<User> {
  if (!(await isProviderEnabled('email', store, true))) throw ApiError.of('login.disabled');
  const user = await store.userByIdentifier(body.identifier);
  const matches = await passwordMatches(body.password, user?.password, store.passwordRounds);
  if (user === undefined || !matches) throw ApiError.of('login.failed');
  if (await store.isUnconfirmed(user)) throw ApiError.of('login.unconfirmed');
  if (user.blocked) throw ApiError.of('login.blocked');
  return user;
}

/** Strapi's switch for a way to sign in; `unset` applies to databases without the setting. */
export async function isProviderEnabled(name: string, store: AccessStore, unset: boolean): Promise<boolean> {
  const providers = await store.settings('grant');
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  return isObject(provider) ? provider.enabled === true : unset;
}
