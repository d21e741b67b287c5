/** Finds or creates the user for an identity of a provider. */
import { randomInt } from 'node:crypto';
import type { ProviderConfig } from '../../../config/providers.ts';
import { writeRetried } from '../../../dialects/retry-conflicts.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { Actor } from '../../../identity/actor.ts';
import type { ProviderIdentity, ProviderProfile } from '../../../identity/identity-provider.ts';
import { isEmail } from '../../../model/attributes/email.ts';
import type { Accounts } from './accounts.ts';

/** The value of `error` in the URL of the front end. */
export type ConnectError =
  | 'access_denied'
  | 'provider_error'
  | 'provider_unavailable'
  | 'email_missing'
  | 'email_unverified'
  | 'account_exists'
  | 'registration_closed'
  | 'registration_failed'
  | 'blocked'
  | 'unconfirmed';

export class ConnectRefusal extends Error {
  readonly error: ConnectError;

  /** `reason` is for the log. */
  constructor(error: ConnectError, reason: string) {
    super(reason);
    this.name = 'ConnectRefusal';
    this.error = error;
  }
}

/** OpenID Connect limits identifiers to this length. */
const maxSubjectLength = 255;
const maxUsernameLength = 60;
const minUsernameLength = 3;
const attempts = 5;

export function createProviderAccount({ database, store, users, identities, writeUser }: Accounts) {
  /** Returns the row id of a user who may sign in. Throws `ConnectRefusal` or `ProviderFailure`. */
  return async function accountOf(provider: ProviderConfig, identity: ProviderIdentity, actor: Actor): Promise<number> {
    const { subject } = identity;
    if (subject === '' || subject.length > maxSubjectLength || subject.includes('\0')) {
      throw new ConnectRefusal('provider_error', 'the subject is empty or too long');
    }
    const id = (await identities.user(identity)) ?? (await newcomer(provider, identity, actor));
    const user = await store.user(id);
    if (user === undefined || user.blocked) throw new ConnectRefusal('blocked', `user ${id} is blocked`);
    if (await store.isUnconfirmed(user)) {
      throw new ConnectRefusal('unconfirmed', `user ${id} has not confirmed the e-mail address`);
    }
    return id;
  };

  async function newcomer(provider: ProviderConfig, identity: ProviderIdentity, actor: Actor): Promise<number> {
    const profile = await identity.profile();
    const email = verifiedEmail(provider, profile);
    const { unique_email, email_confirmation } = await store.settings('advanced');
    // Where several users may share an e-mail, an e-mail does not identify one.
    const holder = unique_email === false ? undefined : await users.byEmail(email);
    if (holder === undefined) return create(provider, identity, { profile, email, actor });
    // The same person was faster in another tab: the account and its identity are written together.
    const meanwhile = await identities.user(identity);
    if (meanwhile !== undefined) return meanwhile;
    if (!provider.linkByEmail)
      throw new ConnectRefusal('account_exists', `user ${holder.id} has this address (auth.providers: linkByEmail)`);
    // Otherwise somebody who registered with another person's e-mail would share the account.
    if (!holder.confirmed || email_confirmation !== true) {
      throw new ConnectRefusal('account_exists', `user ${holder.id} has this address and has not proved it (email_confirmation)`);
    }
    if (holder.blocked) throw new ConnectRefusal('blocked', `user ${holder.id} is blocked`);
    await writeRetried(database, (connection) => identities.addIn(connection, identity, holder.id));
    return (await identities.user(identity)) ?? holder.id;
  }

  interface Newcomer {
    readonly profile: ProviderProfile;
    readonly email: string;
    readonly actor: Actor;
  }

  async function create(provider: ProviderConfig, identity: ProviderIdentity, { profile, email, actor }: Newcomer): Promise<number> {
    const { allow_register, unique_email } = await store.settings('advanced');
    if (!provider.register || allow_register === false) throw new ConnectRefusal('registration_closed', 'new users are not allowed');
    const roleType = provider.role ?? (await store.defaultRoleType());
    const role = await users.roleOfType(roleType);
    if (role === undefined) throw new ConnectRefusal('registration_failed', `there is no role of the type ${roleType}`);
    const sameProvider = unique_email === false ? provider.name : undefined;
    for (const username of usernames(provider, profile, email)) {
      const written = await writeUser({
        action: 'create',
        documentId: undefined,
        data: { username, email, provider: provider.name, confirmed: true, blocked: false, role },
        actor,
        restriction: undefined,
        async before(connection) {
          if (await users.isForAdministrators(connection, role)) {
            throw new ConnectRefusal('registration_failed', `the role ${roleType} is for administrators: nobody gets it by signing in`);
          }
          const found = await identities.userIn(connection, identity);
          if (found !== undefined) throw new Obstacle({ kind: 'known', id: found });
          if (await users.isIdentityTaken(connection, { email, username: undefined }, sameProvider)) throw new Obstacle({ kind: 'email' });
          if (await users.isIdentityTaken(connection, { email: undefined, username }, undefined)) throw new Obstacle({ kind: 'username' });
        },
        after: (connection, id) => identities.addIn(connection, identity, id),
      }).catch(obstacleOf);
      if (typeof written === 'number') return written;
      if (written?.kind === 'known') return written.id;
      if (written?.kind === 'email') throw new ConnectRefusal('account_exists', 'somebody has this address');
    }
    throw new ConnectRefusal('registration_failed', 'no user name was free');
  }
}

type Found = { readonly kind: 'known'; readonly id: number } | { readonly kind: 'email' } | { readonly kind: 'username' };

/** Aborts the transaction when the user cannot be written this way. */
class Obstacle extends Error {
  readonly found: Found;
  constructor(found: Found) {
    super(found.kind);
    this.found = found;
  }
}

function obstacleOf(error: unknown): Found {
  if (error instanceof Obstacle) return error.found;
  // The project's schema of users may require more than a provider gives.
  if (error instanceof ApiError && error.status === 400) throw new ConnectRefusal('registration_failed', error.message);
  throw error;
}

/** An attacker could register at the provider with the e-mail of a user here. */
function verifiedEmail({ trustEmail }: ProviderConfig, { email, emailVerified }: ProviderProfile): string {
  if (email === undefined || !isEmail(email)) throw new ConnectRefusal('email_missing', 'the provider gives no e-mail address');
  if (!(emailVerified ?? trustEmail)) throw new ConnectRefusal('email_unverified', 'the provider has not verified the e-mail address');
  return email.toLowerCase();
}

/** The provider's name for the user, or the local part of the e-mail, alone and with a number.
 *  Never a full e-mail address: it could belong to another user. */
function* usernames({ usernameClaims }: ProviderConfig, profile: ProviderProfile, email: string): Generator<string> {
  const named = [...usernameClaims.map((name) => profile.claim(name)), email].map(cleaned).find((each) => each !== '') ?? 'user';
  if (named.length >= minUsernameLength) yield named;
  for (let attempt = 0; attempt < attempts; attempt++) yield `${named}-${randomInt(1000, 10_000 ** (attempt < 3 ? 1 : 2))}`;
}

const cleaned = (name: string | undefined): string =>
  [
    ...(name ?? '')
      .normalize('NFC')
      .replaceAll(/[\p{C}]/gu, '')
      .replace(/@.*$/s, '')
      .trim(),
  ]
    .slice(0, maxUsernameLength)
    .join('');
