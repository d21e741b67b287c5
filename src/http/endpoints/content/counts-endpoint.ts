/** `GET /api/_counts`: the number of documents of each type that the caller may list. */
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { invalidKey } from '../../../errors/invalid-key.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { AnswerRead } from '../../../pipeline/call.ts';
import { digestOf } from '../../../text/digest.ts';
import { handlingOf, type Route } from '../../routes/routes.ts';
import type { Endpoint, EndpointCall } from '../../send-response.ts';
import { askList, fewAtATime, onlyCounted, readsDrafts, respondingUnread, Unread } from './ask-list.ts';
import { refuseVisitors } from './refuse-visitors.ts';

export interface CountsParts {
  readonly answer: AnswerRead;
  readonly model: ContentModel;
  readonly config: Config;
  readonly routes: readonly Route[];
}

interface Counts {
  /** Null if the database took too long to count. */
  readonly total: number | null;
  /** Those that were never published. */
  readonly drafts?: number | null;
  /** Published ones whose draft has changed since. */
  readonly modified?: number | null;
}

/** At most this many types are counted for one response. */
const maxTypes = 100;

export function countsEndpoint({ answer, model, config, routes }: CountsParts): Endpoint {
  /** Types whose lists this server serves. */
  const listed = routes.flatMap((route) =>
    route.serves.kind === 'content' && route.serves.target !== 'document' && handlingOf(route) === 'served' ? [route.serves.type] : [],
  );
  const types = [...model.contentTypes.values()].filter((type) => listed.includes(type));

  return respondingUnread(async (call) => {
    // Each request counts in up to 300 queries.
    refuseVisitors(call);
    const { locale, named } = readQuery(call.query);
    const { rights } = call.actor;
    const wanted = types.filter(({ uid }) => rights.allows(`${uid}.find`) && (named?.has(uid) ?? true)).slice(0, maxTypes);

    async function count(type: ContentType, query: readonly string[]): Promise<number | null | undefined> {
      const inLocale = type.localized && locale !== undefined ? [`locale=${encodeURIComponent(locale)}`] : [];
      const restriction = rights.restriction(`${type.uid}.find`);
      const list = await askList(answer, { type, restriction, query: [...query, ...inLocale, ...onlyCounted] }, call);
      if (list.ok) return list.total;
      // Nothing but a wrong locale is a 400.
      if (list.outcome.status === 400) throw new Unread(list.outcome);
      return list.outcome.status === 403 ? undefined : null;
    }
    async function countsOf(type: ContentType): Promise<Counts | undefined> {
      if (!readsDrafts(type, rights, config)) {
        const total = await count(type, []);
        return total === undefined ? undefined : { total };
      }
      const [total, drafts, modified] = [
        await count(type, ['status=draft']),
        await count(type, ['status=draft', 'publicationFilter=never-published']),
        await count(type, ['status=draft', 'publicationFilter=modified']),
      ];
      return total === undefined || drafts === undefined || modified === undefined ? undefined : { total, drafts, modified };
    }
    const counted = await fewAtATime(wanted, async (type) => [type.uid, await countsOf(type)] as const);
    const body = JSON.stringify({ data: Object.fromEntries(counted.filter(([, counts]) => counts !== undefined)) });
    return { status: 200, body, digest: digestOf(body), headers: { 'cache-control': 'private, no-cache' } };
  });
}

/** `locale`: as lists take it, one code. `types`: uids that are separated by commas. */
function readQuery(query: EndpointCall['query']): { readonly locale: string | undefined; readonly named: ReadonlySet<string> | undefined } {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) if (name !== 'locale' && name !== 'types') throw invalidKey(name, null, name);
  const [locale, types] = [parameters.get('locale') ?? undefined, parameters.get('types')];
  if (locale !== undefined && !/^[A-Za-z\d-]{1,35}$/.test(locale)) throw ApiError.of('locale.format', { parameter: 'locale' });
  return { locale, named: types === null ? undefined : new Set(types.split(',')) };
}
