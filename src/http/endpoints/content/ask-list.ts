/** Lists that an endpoint asks for while it makes its response, with the rights of the caller. */
import type { Config } from '../../../config/config.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { AnswerRead, Outcome } from '../../../pipeline/call.ts';
import type { Restriction } from '../../../rights/restrictions.ts';
import type { Rights } from '../../../rights/rights.ts';
import { isObject, type JsonObject, objectAt, objectsAt, parsedObject } from '../../../text/json.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import type { Endpoint, EndpointCall, EndpointResponse } from '../../send-response.ts';

export interface AskedList {
  readonly type: ContentType;
  /** The restriction of the right to the list. */
  readonly restriction: Restriction | undefined;
  /** Parts of a query string; values are encoded. */
  readonly query: readonly string[];
  /** Whether they also say the order and what is populated. */
  readonly isWhole?: boolean;
}

export type ListAnswer =
  | { readonly ok: true; readonly rows: readonly JsonObject[]; readonly total: number }
  | { readonly ok: false; readonly outcome: Outcome };

/** Without what the configuration populates. */
const fixed = ['populate=', 'sort=id'];

export async function askList(
  answer: AnswerRead,
  { type, restriction, query, isWhole = false }: AskedList,
  call: EndpointCall,
): Promise<ListAnswer> {
  const { actor, caller, dataVersion } = call;
  const text = [...query, ...(isWhole ? [] : fixed)].join('&');
  const outcome = await answer(
    { type, target: { kind: 'list' }, query: text, actor, restriction, envelope: 'flat', dataVersion, populatesPages: isWhole },
    caller,
  );
  if (outcome.status !== 200) return { ok: false, outcome };
  const body = parsedObject(textOfBody(outcome.body)) ?? {};
  const { total } = objectAt(objectAt(body, 'meta') ?? {}, 'pagination') ?? {};
  return { ok: true, rows: objectsAt(body, 'data').filter(isObject), total: typeof total === 'number' ? total : 0 };
}

/** Thrown where a list could not be read. */
export class Unread extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('a list could not be read');
    this.outcome = outcome;
  }
}

/** Responds with the outcome of a list that could not be read. */
export const respondingUnread =
  (work: (call: EndpointCall) => Promise<EndpointResponse>): Endpoint =>
  (call) =>
    work(call).catch((error: unknown) => {
      if (error instanceof Unread) return error.outcome;
      throw error;
    });

/** For a list of which only the number of entries is wanted. */
export const onlyCounted = ['fields=documentId', 'pagination[start]=0', 'pagination[limit]=1', 'pagination[withCount]=true'] as const;

/** Whether the caller may read drafts of the type at all. */
export const readsDrafts = ({ uid, draftAndPublish }: ContentType, rights: Rights, { policies }: Pick<Config, 'policies'>): boolean =>
  draftAndPublish && (!policies.draftsNeedRight || rights.allows(`${uid}.findDraft`));

/** Whether what the caller may not read is the reason why a list was refused. */
export const isRefused = ({ status }: Outcome): boolean => status === 400 || status === 403;

/** Awaits work for each item, for a few at a time: others wait for the database as well. Ends at
 *  the first item for which `work` throws. */
export async function fewAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

const atOnce = 3;
