/** `…/:documentId/schedule`: publishing and unpublishing at a time. */
import type { Database } from '../../../dialects/database.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { eventCaller } from '../../../events/document-event.ts';
import type { LocalesSource } from '../../../locales/locales.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { AnswerWrite } from '../../../pipeline/call.ts';
import {
  cancel,
  type Scheduled,
  type ScheduledAction,
  type ScheduleState,
  schedule,
  scheduledFor,
  scheduledName,
  scheduledOfTypes,
} from '../../../schedule/schedule-store.ts';
import { Rows } from '../../../sql/rows.ts';
import { hasTable } from '../../../sql/table-exists.ts';
import { scheduleTable } from '../../../tables/system-tables.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { lecternCommand } from '../../../text/lectern-command.ts';
import { unreadBody } from '../../bodies/unread-body.ts';
import type { ScheduleRoute } from '../../routes/routes.ts';
import { type Endpoint, type EndpointCall, type EndpointResponse, jsonResponse, parameter } from '../../send-response.ts';
import { publishedFreely } from './published-freely.ts';
import { refuseVisitors } from './refuse-visitors.ts';
import { scheduledLocale, scheduledTime } from './schedule-time.ts';

export interface ScheduleParts {
  readonly model: ContentModel;
  readonly config: { readonly api: { readonly prefix: string } };
  readonly database: Database;
  readonly answerWrite: AnswerWrite;
  readonly locales: LocalesSource;
}

const mostListed = 100;

export function scheduleEndpoint(route: ScheduleRoute, type: ContentType, parts: ScheduleParts): Endpoint {
  const { database } = parts;
  const rows = <T>(work: (rows: Rows) => Promise<T>) => database.write((connection) => work(new Rows(connection, database.dialect)));
  return async (call) => {
    refuseVisitors(call);
    await checkTable(database);
    const locales = await parts.locales.current(call.dataVersion);
    const wanted = route === 'schedule' ? wantedTimes(call, type, parts) : undefined;
    const locale = scheduledLocale(wanted?.locale ?? new URLSearchParams(call.query).get('locale') ?? undefined, type, locales, shape);
    const documentId = documentIdOf(call, type);
    // What waits for a document that is gone can be seen and cancelled, by whoever may publish all of them.
    const isTried = route === 'schedule' || call.restriction?.condition !== undefined;
    const refusal = isTried ? await refusalOf(call, { type, documentId, locale }, parts) : undefined;
    if (refusal !== undefined) return refusal;
    const document = { uid: type.uid, documentId: scheduledName(type, documentId ?? ''), locale };
    if (route === 'unschedule') {
      await rows((each) => cancel(document, ['publish', 'unpublish'], each));
      return { status: 204, body: null };
    }
    if (wanted !== undefined) {
      const caller = eventCaller(call.actor);
      await rows(async (each) => {
        for (const [action, dueAt] of wanted.times) {
          if (dueAt === null) await cancel(document, [action], each);
          else await schedule({ ...document, action, dueAt, caller }, Date.now(), each);
        }
      });
    }
    return list(await database.read((connection) => scheduledFor(document, new Rows(connection, database.dialect))));
  };
}

/** `GET /api/_schedule`: what waits, is done or has failed, of the types that the caller may publish. */
export function schedulesEndpoint({ model, database }: ScheduleParts): Endpoint {
  return async (call) => {
    refuseVisitors(call);
    await checkTable(database);
    const query = new URLSearchParams(call.query);
    const state = query.get('state') ?? 'waiting';
    if (!isState(state)) throw ApiError.of('schedule.shape', { message: 'state must be waiting, done or failed' });
    const uids = publishedFreely(model, call.actor.rights);
    const found = await database.read((connection) => scheduledOfTypes(uids, state, mostListed, new Rows(connection, database.dialect)));
    return list(found);
  };
}

const states: readonly string[] = ['waiting', 'done', 'failed'] satisfies ScheduleState[];
const isState = (text: string): text is ScheduleState => states.includes(text);

async function checkTable(database: Database): Promise<void> {
  if (!(await hasTable(database, scheduleTable))) throw ApiError.of('schedule.no-table', { command: lecternCommand('migrate apply') });
}

interface Wanted {
  readonly times: readonly (readonly [ScheduledAction, number | null])[];
  readonly locale: string | undefined;
}

const shape = (message: string) => ApiError.of('schedule.shape', { message });

function wantedTimes({ request }: EndpointCall, type: ContentType, { config }: ScheduleParts): Wanted {
  const unread = unreadBody(request, config.api.prefix);
  if (unread !== undefined) throw shape(unread);
  const { data, ...others } = isObject(request.body) ? request.body : {};
  if (!isObject(data) || Object.keys(others).length > 0)
    throw shape('The body must be {"data": {"publishAt": …, "unpublishAt": …, "locale": …}}');
  const { locale, ...named } = data;
  if (locale !== undefined && (typeof locale !== 'string' || !type.localized)) throw shape(`locale must be a locale of ${type.uid}`);
  const unknown = Object.keys(named).find((key) => key !== 'publishAt' && key !== 'unpublishAt');
  if (unknown !== undefined) throw shape(`Unknown key ${unknown}; the keys are publishAt, unpublishAt and locale`);
  const times = [...timeIn(named, 'publish'), ...timeIn(named, 'unpublish')];
  if (times.length === 0) throw shape('data must have publishAt or unpublishAt');
  const [publishAt, unpublishAt] = (['publish', 'unpublish'] as const).map((action) => times.find(([each]) => each === action)?.[1]);
  if (typeof publishAt === 'number' && typeof unpublishAt === 'number' && unpublishAt <= publishAt)
    throw shape('unpublishAt must be after publishAt');
  return { times, locale };
}

function timeIn(data: JsonObject, action: ScheduledAction): [ScheduledAction, number | null][] {
  const name = `${action}At`;
  const value = data[name];
  if (value === undefined) return [];
  if (value === null) return [[action, null]];
  return [[action, scheduledTime(name, value, shape)]];
}

function documentIdOf({ request }: EndpointCall, { kind }: ContentType): string | undefined {
  if (kind === 'singleType') return undefined;
  const documentId = parameter(request, 'documentId');
  if (documentId.includes('\0')) throw ApiError.of('path.malicious');
  return documentId;
}

interface Named {
  readonly type: ContentType;
  readonly documentId: string | undefined;
  readonly locale: string | null;
}

/** The response if the caller may not publish the document: publishing it is tried, and taken back.
 *  What is wrong with its content may be mended until then. */
async function refusalOf(
  { actor, restriction, caller, dataVersion }: EndpointCall,
  { type, documentId, locale }: Named,
  { answerWrite }: ScheduleParts,
): Promise<EndpointResponse | undefined> {
  const outcome = await answerWrite(
    {
      ...{ type, action: 'publish', documentId, partial: true, body: undefined, actor, restriction, envelope: 'flat', dataVersion },
      query: locale === null ? '' : `locale=${encodeURIComponent(locale)}`,
      ifMatch: undefined,
      idempotencyKey: undefined,
      dryRun: true,
    },
    caller,
  );
  return outcome.problems === undefined ? outcome : undefined;
}

const list = (all: readonly Scheduled[]): EndpointResponse =>
  jsonResponse({
    data: all.map(({ id, uid, documentId, locale, action, dueAt, caller, state, problem }) => ({
      id,
      uid,
      documentId: documentId === '' ? null : documentId,
      locale,
      action,
      at: new Date(dueAt).toISOString(),
      by: caller,
      state,
      ...(state === 'failed' ? { problem } : {}),
    })),
  });
