/** `/api/_releases`: named sets of documents that are published together, now or at a time. */
import type { Connection, Database } from '../../../dialects/database.ts';
import { writeUnshown } from '../../../dialects/retry-conflicts.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { eventCaller } from '../../../events/document-event.ts';
import type { LocalesSource } from '../../../locales/locales.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import { answerOnce } from '../../../pipeline/answer-once.ts';
import type { BatchOutcome, OperationProblem, RefusedOperations } from '../../../pipeline/call.ts';
import { type EntryStatus, statusesOf } from '../../../schedule/entry-status-store.ts';
import {
  changeRelease,
  deleteRelease,
  findRelease,
  insertRelease,
  listReleases,
  type NewRelease,
  type Release,
  type ReleaseEntry,
  type ReleaseState,
  type ReleaseWithEntries,
  type SeesReleases,
  type StoredEntry,
} from '../../../schedule/release-store.ts';
import { Rows } from '../../../sql/rows.ts';
import { hasTable } from '../../../sql/table-exists.ts';
import { releaseEntriesTable } from '../../../tables/system-tables.ts';
import { lecternCommand } from '../../../text/lectern-command.ts';
import { unreadBody } from '../../bodies/unread-body.ts';
import type { CountFurther } from '../../rate-limits/request-rate-limit.ts';
import type { EndpointName } from '../../routes/routes.ts';
import { type Endpoint, type EndpointCall, type EndpointResponse, jsonResponse, parameter } from '../../send-response.ts';
import { publishedFreely } from '../content/published-freely.ts';
import { refuseVisitors } from '../content/refuse-visitors.ts';
import { idempotencyKey } from '../content/write-endpoint.ts';
import { createPublishEntries, type PublishParts } from './publish-entries.ts';
import { checkCount, newRelease, objectWith, refuseTwice, shape, type WantedChange, wantedChange } from './release-body.ts';

export interface ReleaseParts extends PublishParts {
  readonly database: Database;
  readonly locales: LocalesSource;
  readonly countFurther: CountFurther;
  readonly config: { readonly api: { readonly prefix: string }; readonly limits: { readonly batch: number } };
}

/** A release as the caller sees it. */
interface Shown extends ReleaseWithEntries {
  /** Whether all of its entries are shown. */
  readonly isWhole: boolean;
}

type ReleaseEndpoint = (call: EndpointCall) => Promise<EndpointResponse>;

export function releaseEndpoints(parts: ReleaseParts) {
  const { model, database, locales, config, countFurther } = parts;
  const publish = createPublishEntries(parts);
  const read = <T>(work: (rows: Rows) => Promise<T>) => database.read((connection) => work(new Rows(connection, database.dialect)));
  const write = <T>(work: (rows: Rows) => Promise<T>) =>
    writeUnshown(database, (connection) => work(new Rows(connection, database.dialect)));
  const bodyParts = async ({ actor, dataVersion }: EndpointCall) => ({ model, config, actor, locales: await locales.current(dataVersion) });

  /** `isCounted`: not after a write, which a refusal would deny. */
  async function find(call: EndpointCall, isCounted = true): Promise<Shown> {
    const id = parameter(call.request, 'id');
    const release = /^\d{1,9}$/.test(id) ? await read((rows) => findRelease(Number(id), seenBy(call, model), rows)) : undefined;
    if (release === undefined) throw ApiError.of('release.not-found', { id: id.slice(0, 20) });
    return shownOf(release, call, isCounted);
  }

  /** Without entries of documents that the caller may not publish. */
  async function shownOf(release: ReleaseWithEntries, call: EndpointCall, isCounted: boolean): Promise<Shown> {
    const { actor, caller } = call;
    const free = new Set(publishedFreely(model, actor.rights));
    const others = release.entries.filter(({ uid }) => !free.has(uid));
    if (others.length === 0) return { ...release, isWhole: true };
    if (isCounted) await countFurther(others.length, call);
    const outcome = await publish({ entries: others, actor, caller, dryRun: true, ignoresContent: true });
    const hidden = new Set(others.filter((_, index) => !isPublishable(index, outcome)).map(({ id }) => id));
    const entries = release.entries.filter(({ id }) => !hidden.has(id));
    return { ...release, entries, isWhole: hidden.size === 0 };
  }

  /** Refuses entries that the caller may not publish. What is wrong with their content may be
   *  mended until they are published. */
  async function check(entries: readonly ReleaseEntry[], call: EndpointCall): Promise<EndpointResponse | undefined> {
    if (entries.length === 0) return undefined;
    await countFurther(entries.length, call);
    const { actor, caller } = call;
    const outcome = await publish({ entries, actor, caller, dryRun: true, ignoresContent: true });
    if (outcome.status === 200) return undefined;
    if (outcome.refused === undefined) return outcome;
    if (outcome.refused.count > 0) throw refused(outcome.refused);
    return undefined;
  }

  async function described(release: Shown): Promise<EndpointResponse> {
    const statuses = await read((rows) => statusesOf(release.entries, model, rows));
    return jsonResponse({ data: describedRelease(release, statuses) });
  }

  async function create(call: EndpointCall): Promise<EndpointResponse> {
    const { request, caller } = call;
    const once = { idempotencyKey: idempotencyKey(request.headers), scope: 'releases', caller, body: request.body };
    const outcome = await answerOnce<EndpointResponse>(once, database, async () => {
      const release = newRelease(request.body, await bodyParts(call));
      refuseTwice(release.entries);
      if (release.publishAt !== null) refuseEmpty(release.entries);
      const refusal = await check(release.entries, call);
      return refusal ?? ((connection) => makeRelease(release, call, connection));
    });
    return 'repeated' in outcome ? { ...outcome, headers: { 'idempotent-replayed': 'true' } } : outcome;
  }

  async function makeRelease(release: NewRelease, call: EndpointCall, connection: Connection) {
    const rows = new Rows(connection, database.dialect);
    const id = await insertRelease(release, eventCaller(call.actor), Date.now(), rows);
    const made = await findRelease(id, seenBy(call, model), rows);
    if (made === undefined) throw ApiError.of('release.not-found', { id: String(id) });
    const statuses = await statusesOf(made.entries, model, rows);
    return { status: 201, body: JSON.stringify({ data: describedRelease({ ...made, isWhole: true }, statuses) }) };
  }

  async function change(call: EndpointCall): Promise<EndpointResponse> {
    const wanted = wantedChange(call.request.body, await bodyParts(call));
    const release = await find(call);
    if (release.state === 'done') throw ApiError.of('release.done');
    const kept = keptOf(release, wanted);
    const entries = [...kept, ...wanted.add];
    refuseTwice(entries);
    checkCount(entries, config);
    const isTimed = typeof wanted.publishAt === 'number';
    if (isTimed) {
      refuseEmpty(entries);
      if (!release.isWhole) throw ApiError.of('release.forbidden');
    }
    // What others have added is published with the rights of whoever sets the time.
    const refusal = await check(isTimed ? entries : wanted.add, call);
    if (refusal !== undefined) return refusal;
    refuseUnseen(release, entries, seenBy(call, model));
    const { name = release.name, publishAt, add: added, remove: removed } = wanted;
    const time = publishAt === undefined ? undefined : { publishAt, caller: eventCaller(call.actor) };
    await write((rows) => changeRelease(release, { name, time, added, removed }, Date.now(), rows));
    return described(await find(call, false));
  }

  async function publishNow(call: EndpointCall): Promise<EndpointResponse> {
    const { body = {} } = call.request;
    const { dryRun = false } = objectWith(body ?? {}, ['dryRun']);
    if (typeof dryRun !== 'boolean') throw shape('dryRun must be true or false');
    const release = await find(call);
    if (release.state === 'done') throw ApiError.of('release.done');
    if (!release.isWhole) throw ApiError.of('release.forbidden');
    refuseEmpty(release.entries);
    checkCount(release.entries, config);
    await countFurther(release.entries.length, call);
    const { actor, caller } = call;
    const outcome = await publish({ entries: release.entries, actor, caller, dryRun, release });
    if (outcome.refused === undefined && outcome.status !== 200) return outcome;
    if (dryRun) return found(outcome, release.entries);
    if (outcome.refused !== undefined) throw refused(outcome.refused, release.entries);
    return described(await find(call, false));
  }

  const endpoint =
    (serve: ReleaseEndpoint): Endpoint =>
    async (call) => {
      refuseVisitors(call);
      const unread = unreadBody(call.request, config.api.prefix);
      if (unread !== undefined) throw shape(unread);
      if (!(await hasTable(database, releaseEntriesTable)))
        throw ApiError.of('release.no-table', { command: lecternCommand('migrate apply') });
      return serve(call);
    };

  return {
    releases: endpoint(async (call) => {
      const page = pageIn(call.query);
      const { found: all, total } = await read((rows) => listReleases(page, seenBy(call, model), rows));
      const pagination = { page: page.page, pageSize: page.pageSize, pageCount: Math.ceil(total / page.pageSize), total };
      return jsonResponse({ data: all.map((each) => describedHead(each)), meta: { pagination } });
    }),
    createRelease: endpoint(create),
    release: endpoint(async (call) => described(await find(call))),
    changeRelease: endpoint(change),
    publishRelease: endpoint(publishNow),
    deleteRelease: endpoint(async (call) => {
      const { id } = await find(call);
      await write(async (rows) => deleteRelease(id, rows));
      return { status: 204, body: null };
    }),
  } satisfies Partial<Record<EndpointName, Endpoint>>;
}

const seenBy = ({ actor }: EndpointCall, model: ContentModel): SeesReleases => ({
  maker: eventCaller(actor),
  uids: publishedFreely(model, actor.rights),
});

/** The response to the change could not show the release, nor could another request mend it. */
function refuseUnseen(release: Release, entries: readonly ReleaseEntry[], { maker, uids }: SeesReleases): void {
  const isOwn = release.maker.kind === maker.kind && release.maker.id === maker.id;
  if (!isOwn && (entries.length === 0 || entries.some(({ uid }) => !uids.includes(uid)))) throw ApiError.of('release.unseen');
}

function refuseEmpty(entries: readonly unknown[]): void {
  if (entries.length === 0) throw shape('The release has no entries');
}

/** The entries that are not removed. */
function keptOf({ entries }: Shown, { remove }: WantedChange): readonly StoredEntry[] {
  const gone = remove.find((id) => !entries.some((entry) => entry.id === id));
  if (gone !== undefined) throw shape(`remove: there is no entry ${gone} in the release`);
  return entries.filter(({ id }) => !remove.includes(id));
}

/** Whether a dry run says that the caller may publish an entry. */
function isPublishable(index: number, { status, refused: problems }: BatchOutcome): boolean {
  if (problems === undefined) return status === 200;
  const { errors, more } = problems;
  // Nothing is known of entries after the last problem that is listed.
  const known = more === 0 ? Number.POSITIVE_INFINITY : (errors.at(-1)?.operation ?? 0);
  return index < known && errors.every(({ operation }) => operation !== index);
}

/** `id`: of an entry that is stored. */
const placed =
  (entries: readonly StoredEntry[]) =>
  ({ operation, ...problem }: OperationProblem) => ({ entry: operation, id: entries[operation]?.id, ...problem });

function refused({ count, errors, more }: RefusedOperations, entries: readonly StoredEntry[] = []): ApiError {
  return ApiError.of('release.refused', { count }, { errors: errors.map(placed(entries)), ...(more === 0 ? {} : { more }) });
}

function found({ refused: problems }: BatchOutcome, entries: readonly StoredEntry[]): EndpointResponse {
  const { errors = [], more = 0 } = problems ?? {};
  const data = { valid: errors.length === 0, errors: errors.map(placed(entries)), ...(more === 0 ? {} : { more }) };
  return jsonResponse({ data });
}

const describedHead = ({ id, name, publishAt, state, maker, caller }: Release) => ({
  id,
  name,
  publishAt: publishAt === null ? null : new Date(publishAt).toISOString(),
  state,
  by: maker,
  ...(publishAt === null ? {} : { scheduledBy: caller }),
});

function describedRelease(release: Shown, statuses: ReadonlyMap<number, EntryStatus>) {
  const { state, problem, entries, isWhole } = release;
  return {
    ...describedHead(release),
    // It names entries, which the caller may not know all.
    ...(state === 'failed' && isWhole ? { problem } : {}),
    entries: entries.map(({ id, action, uid, documentId, locale }) => ({
      ...{ id, [action]: uid, documentId: documentId === '' ? null : documentId, locale },
      status: statuses.get(id),
    })),
  };
}

const usualPageSize = 25;
const maxPageSize = 100;
const states: readonly string[] = ['open', 'waiting', 'done', 'failed'] satisfies ReleaseState[];
const isState = (text: string): text is ReleaseState => states.includes(text);
const knownParameters = ['state', 'pagination[page]', 'pagination[pageSize]'];

function pageIn(query: string) {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys())
    if (!knownParameters.includes(name)) throw shape(`Unknown parameter ${name.slice(0, 100)}; there are ${knownParameters.join(', ')}`);
  const state = parameters.get('state') ?? undefined;
  if (state !== undefined && !isState(state)) throw shape(`state must be one of ${states.join(', ')}`);
  const number = (name: string, usual: number): number => {
    const value = parameters.get(`pagination[${name}]`);
    if (value === null) return usual;
    if (!/^[1-9]\d{0,5}$/.test(value)) throw shape(`pagination[${name}] must be a whole number from 1`);
    return Number(value);
  };
  return { state, page: number('page', 1), pageSize: Math.min(number('pageSize', usualPageSize), maxPageSize) };
}
