/** Authorization header → actor. Besides `execute`, the only stage that queries the database; its
 *  results are cached until data changes. */

import type { Config } from '../config/config.ts';
import type { AskVersion, DataVersion } from '../dialects/database.ts';
import { ApiError } from '../errors/api-error.ts';
import { type Figures, sumOfCaches } from '../observe/figures.ts';
import { userAttributesIn } from '../rights/restrictions.ts';
import {
  fullRights,
  fullRightsWithMcp,
  type Grants,
  mcpWrite,
  type Rights,
  readOnlyRights,
  rightsOfRole,
  rightsTo,
} from '../rights/rights.ts';
import { roleRulesTable, settingsTable } from '../tables/system-tables.ts';
import type { AccessStore, ApiToken } from './access-store.ts';
import type { Actor } from './actor.ts';
import { apiTokenHash } from './api-token-secret.ts';
import { bearerToken } from './bearer-token.ts';
import { IdentityCache } from './identity-cache.ts';
import { type VerifiedUserToken, verifyUserToken } from './json-web-token.ts';
import { passwordKey } from './password.ts';
import type { SessionStore } from './session-store.ts';
import type { User } from './user-rows-store.ts';

/** Returns the actor at once when it is cached, as for most requests. Throws `access.*` for an
 *  invalid token. `version` is that of the data when the request arrived; where it is unknown,
 *  cached actors are up to a second old, or with `isExact` not cached. */
export type Identify = (authorization: string | undefined, version: DataVersion | undefined) => Actor | Promise<Actor>;

export interface Identification {
  readonly identify: Identify;
  /** The rights of a user; undefined for a user who was deleted or has no role. */
  rightsOfUser(userId: number): Promise<Rights | undefined>;
  /** The actor of a user or an API token that no request comes from, with present rights; undefined if
   *  it is gone, blocked or expired. */
  actorOf(caller: { readonly kind: string; readonly id: number | null }): Promise<Actor | undefined>;
  /** Discards cached actors: this process has changed users, roles or sessions, and not
   *  every engine reports changes. */
  forget(): void;
}

interface Credentials {
  readonly actor: Actor;
  readonly expiresAt: number;
  readonly expired: 'access.token-expired' | 'access.credentials';
}

/** The rights of a role: the same for all its users, or made for each because conditions
 *  name attributes of the user. */
type RoleRights =
  | { readonly kind: 'shared'; readonly rights: Rights }
  | { readonly kind: 'personal'; readonly grants: Grants; readonly attributes: ReadonlySet<string> };

const cachedCharacters = 4 * 1024 * 1024;
/** Half of the promised second, since an entry may have been made from an entry of another cache
 *  (a user's rights from those of the role). */
const unversionedMilliseconds = 500;
/** Strapi's API tokens have 256 characters, and no valid JWT is longer than this. */
const maxTokenLength = 8192;

interface IdentifyParts {
  readonly config: Config;
  readonly askVersion: AskVersion;
  /** Whether a caller must be as current as the request, also where the version is unknown. */
  readonly isExact: boolean;
  readonly store: AccessStore;
  readonly sessions: SessionStore;
  /** Where nodes of the database may lack each other's writes: the same with every write. */
  readonly current: Stores | undefined;
  readonly figures: Figures;
}

type Stores = Pick<IdentifyParts, 'store' | 'sessions'>;

export function createIdentify({ config, askVersion, isExact, store, sessions, current, figures }: IdentifyParts): Identification {
  const cacheOptions = { maxCharacters: cachedCharacters, unversionedMilliseconds: isExact ? 0 : unversionedMilliseconds };
  const roleCache = new IdentityCache<RoleRights>(cacheOptions);
  const publicCache = new IdentityCache<Actor>(cacheOptions);
  const tokenCache = new IdentityCache<Credentials>(cacheOptions);
  const { caches } = figures;
  caches.set('rights', () => sumOfCaches([roleCache, publicCache, tokenCache].map((cache) => cache.figures())));
  const { apiTokenSalt, jwtSecret } = config.secrets;

  const nobody = new Map<string, string>();
  const loadPublic = async (): Promise<Actor> => ({ kind: 'public', rights: rightsOfRole(await store.publicGrants(), nobody) });

  async function loadRole(roleId: number): Promise<RoleRights> {
    const grants = await store.roleGrants(roleId);
    const attributes = userAttributesIn(grants.rules);
    return attributes.size === 0 ? { kind: 'shared', rights: rightsOfRole(grants, nobody) } : { kind: 'personal', grants, attributes };
  }

  async function rightsIn(roleId: number, userId: number, version: string | undefined): Promise<Rights | undefined> {
    const role = await roleCache.get(`role ${roleId}`, version, () => loadRole(roleId));
    if (role?.kind !== 'personal') return role?.rights;
    return rightsOfRole(role.grants, await store.userValues(userId, role.attributes));
  }

  async function apiTokenCredentials(token: string, from: Stores): Promise<Credentials | undefined> {
    if (apiTokenSalt === undefined) return undefined;
    const found = await from.store.apiToken(apiTokenHash(token, apiTokenSalt));
    if (found === undefined) return undefined;
    const actor: Actor = { kind: 'token', tokenId: found.id, rights: tokenRights(found) };
    return { actor, expiresAt: found.expiresAt, expired: 'access.token-expired' };
  }

  async function userCredentials(token: string, from: Stores, version: string | undefined): Promise<Credentials | undefined> {
    if (jwtSecret === undefined) return undefined;
    const verified = await verifyUserToken(token, jwtSecret, config.auth.jwtManagement);
    if (verified === undefined) return undefined;
    const user = await from.store.user(verified.userId);
    if (user === undefined) return undefined;
    if (user.blocked) throw ApiError.of('access.invalid-credentials');
    if (await from.store.isUnconfirmed(user)) {
      throw ApiError.of('access.invalid-credentials');
    }
    // As in Strapi: a user without a role has no rights, and is refused.
    const { roleId } = user;
    if (roleId === undefined) return undefined;
    if (config.policies.endSessionsAtOnce && !(await loginStands(verified, { user, secret: jwtSecret, sessions: from.sessions })))
      return undefined;
    const rights = await rightsIn(roleId, user.id, version);
    if (rights === undefined) return undefined;
    return {
      actor: { kind: 'user', userId: user.id, sessionId: verified.sessionId, rights },
      expiresAt: verified.expiresAt,
      expired: 'access.credentials',
    };
  }

  /** Without sessions (`legacy-support`) a token is valid as long as the
   *  password that it was issued for. */
  async function loginStands(
    { sessionId, passwordKey: tokenKey }: VerifiedUserToken,
    { user, secret, sessions }: { readonly user: User; readonly secret: string; readonly sessions: SessionStore },
  ): Promise<boolean> {
    return sessionId === undefined ? tokenKey === passwordKey(user.id, user.password, secret) : sessions.stands(sessionId, user.id);
  }

  async function identifyToken(loading: Promise<Credentials | undefined>): Promise<Actor> {
    const credentials = await loading;
    if (credentials === undefined) throw ApiError.of('access.credentials');
    return actorOf(credentials);
  }

  async function identifyPublic(loading: Promise<Actor | undefined>): Promise<Actor> {
    return (await loading) ?? loadPublic();
  }

  const identify: Identify = (authorization, asked) => {
    const version = asked?.of(identityTables);
    const token = bearerToken(authorization);
    if (token === undefined) {
      const actor = publicCache.get('public', version, loadPublic);
      return actor instanceof Promise ? identifyPublic(actor) : actor;
    }
    if (token.length > maxTokenLength) throw ApiError.of('access.credentials');
    // A JWT has dots and an API token is hexadecimal, so each needs only one look-up.
    const load = token.includes('.') ? userCredentials : apiTokenCredentials;
    const credentials = tokenCache.get(token, version, async () => {
      const found = await load(token, { store, sessions }, version);
      // Another node may just have made it.
      return found ?? (current && load(token, current, version));
    });
    return credentials instanceof Promise ? identifyToken(credentials) : actorOf(credentials);
  };
  return {
    identify,
    async rightsOfUser(userId) {
      const version = (await askVersion())?.of(identityTables);
      const user = await store.user(userId);
      return user?.roleId === undefined ? undefined : rightsIn(user.roleId, userId, version);
    },
    async actorOf({ kind, id }) {
      if (id === null) return undefined;
      if (kind === 'token') {
        const token = await store.apiTokenById(id);
        if (token === undefined || Date.now() >= token.expiresAt) return undefined;
        return { kind: 'token', tokenId: id, rights: tokenRights(token) };
      }
      const user = kind === 'user' ? await store.user(id) : undefined;
      if (user?.roleId === undefined || user.blocked || (await store.isUnconfirmed(user))) return undefined;
      const rights = await rightsIn(user.roleId, id, (await askVersion())?.of(identityTables));
      return rights && { kind: 'user', userId: id, sessionId: undefined, rights };
    },
    forget() {
      for (const cache of [roleCache, publicCache, tokenCache]) cache.forget();
    },
  };
}

function actorOf(credentials: Credentials): Actor {
  if (Date.now() >= credentials.expiresAt) throw ApiError.of(credentials.expired);
  return credentials.actor;
}

function tokenRights(token: ApiToken): Rights {
  switch (token.type) {
    case 'full-access':
      return token.actions.includes(mcpWrite) ? fullRightsWithMcp : fullRights;
    case 'read-only':
      return readOnlyRights;
    default:
      return rightsTo(token.actions);
  }
}

/** The tables that decide who a caller is, and what the caller may do. */
const identityTables: readonly string[] = [
  'strapi_api_tokens',
  'strapi_api_token_permissions',
  'strapi_api_token_permissions_token_lnk',
  'strapi_sessions',
  'up_users',
  'up_users_role_lnk',
  'up_roles',
  'up_permissions',
  'up_permissions_role_lnk',
  roleRulesTable,
  settingsTable,
];
