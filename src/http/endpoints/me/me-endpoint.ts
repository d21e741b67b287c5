/** `GET /api/_me`: who the caller is, and what it may do; a console draws its forms from it. */
import { LRUCache } from 'lru-cache';
import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../dialects/database.ts';
import type { AccessStore } from '../../../identity/access-store.ts';
import type { Actor } from '../../../identity/actor.ts';
import { readLocales } from '../../../locales/locales-store.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import type { SearchIndexes } from '../../../search/search-index.ts';
import { digestOf } from '../../../text/digest.ts';
import type { Route } from '../../routes/routes.ts';
import type { Endpoint } from '../../send-response.ts';
import { describeRights } from './describe-rights.ts';
import type { DescribedCaller, DescribedLocale } from './described-me.ts';

export interface MeParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly routes: readonly Route[];
  readonly searchIndexes?: SearchIndexes | undefined;
  readonly database: Database;
  readonly store: AccessStore;
}

interface OfRights {
  /** A JSON object. */
  readonly text: string;
  readonly digest: string;
  readonly hasLocales: boolean;
}

/** Characters of the cached descriptions. That of 300 large types has 3 million. */
const cachedCharacters = 32 * 1024 * 1024;

/** The description of rights is made once for equal ones, as the OpenAPI document is. */
export function meEndpoint({ config, model, routes, searchIndexes, database, store }: MeParts): Endpoint {
  const descriptions = new LRUCache<string, OfRights>({ maxSize: cachedCharacters, sizeCalculation: ({ text }) => text.length });

  function ofRights({ rights }: Actor): OfRights {
    const known = descriptions.get(rights.planKey);
    if (known !== undefined) return known;
    const described = describeRights({ config, model, routes, searchIndexes }, rights);
    const text = JSON.stringify(described);
    const made = { text, digest: digestOf(text), hasLocales: described.types.some(({ localized }) => localized) };
    descriptions.set(rights.planKey, made);
    return made;
  }

  async function callerOf(actor: Actor): Promise<DescribedCaller> {
    if (actor.kind === 'token') return { kind: 'api-token' };
    if (actor.kind === 'user') return { kind: 'user', ...(await store.profile(actor.userId)) };
    return { kind: 'public', role: await store.publicRole() };
  }

  return async ({ actor }) => {
    const { text, digest, hasLocales } = ofRights(actor);
    const own = JSON.stringify({ ...(await callerOf(actor)), locales: hasLocales ? await describeLocales(database) : [] });
    return {
      status: 200,
      body: `${own.slice(0, -1)},${text.slice(1)}`,
      digest: digestOf(`${own}${digest}`),
      // As for the OpenAPI document: caches of browsers ask each time.
      headers: { 'cache-control': 'private, no-cache' },
    };
  };
}

/** The default locale comes first. */
export async function describeLocales(database: Database): Promise<readonly DescribedLocale[]> {
  const { byDefault, rows } = await database.readAtOnce(readLocales);
  const described = rows.map(({ code, name }) => ({ code, name: String(name ?? code), isDefault: code === byDefault }));
  return described.sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
}
