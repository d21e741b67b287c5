/** Opens what the server knows of callers: stores, their look-up, counts of requests, and editors. */
import type { FastifyBaseLogger } from 'fastify';
import { createIdentityStore } from './accounts/provider-identity-store.ts';
import { createUserStore } from './accounts/user-store.ts';
import type { Config } from './config/config.ts';
import type { ConfiguredSettings } from './config/stored-settings.ts';
import { withCurrentReads } from './dialects/current-reads.ts';
import type { AskVersion, Database } from './dialects/database.ts';
import { keepsEvents } from './events/event-store.ts';
import { openPresence } from './http/presence/open-presence.ts';
import { openRateCounts, openSharedRedis } from './http/rate-limits/open-rate-counts.ts';
import { createAccessStore } from './identity/access-store.ts';
import { createIdentify } from './identity/identify.ts';
import { createSessionStore } from './identity/session-store.ts';
import { createTokenUse } from './identity/token-use.ts';
import { userUid } from './model/built-in-types.ts';
import type { ContentModel } from './model/content-model.ts';
import type { Figures } from './observe/figures.ts';

interface IdentityParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  /** Tables of the database, with their columns. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  readonly askVersion: AskVersion;
  readonly isExact: boolean;
  readonly configured: ConfiguredSettings;
  readonly figures: Figures;
}

/** Opens what identifies callers and limits their requests. */
export async function openIdentity(
  { config, model, database, tables, askVersion, isExact, configured, figures }: IdentityParts,
  log: FastifyBaseLogger,
) {
  const openStores = (each: Database) => ({
    store: createAccessStore(each, tables, { userType: model.contentTypes.get(userUid), configured }),
    sessions: createSessionStore(each, tables),
  });
  const current = withCurrentReads(database);
  const { store, sessions } = openStores(database);
  const redis = await openSharedRedis(config, {
    lost: (error) => log.warn({ err: error }, 'Redis does not respond (rateLimit.redis); calls are counted in this process'),
    found: () => log.info('Redis responds again (rateLimit.redis)'),
  });
  return {
    store,
    sessionStore: sessions,
    users: createUserStore(current, keepsEvents(config, tables)),
    identities: createIdentityStore(current),
    identification: createIdentify({
      ...{ config, askVersion, isExact, store, sessions, figures },
      current: database.hasWritingNodes ? openStores(current) : undefined,
    }),
    tokenUse: createTokenUse(database, (error) => log.warn({ err: error }, 'the last use of API tokens cannot be recorded')),
    counts: await openRateCounts(redis),
    presence: await openPresence(redis),
  };
}
