/** Writes with the hooks of the project, which run before the transaction: what they make of a
 *  call, and when they run again. */
import { performance } from 'node:perf_hooks';
import { ApiError } from '../errors/api-error.ts';
import type { ContentModel } from '../model/content-model.ts';
import { isObject, objectAt } from '../text/json.ts';
import type { PermittedWrite } from './authorise/types.ts';
import { dataForHooks } from './body/data-for-hooks.ts';
import type { AlsoWrite, Caller, HookChanges, RunHooks, WriteCall, WriteOutcome, WriteToCome } from './call.ts';
import { hasProblems } from './hash-passwords.ts';
import type { Timings } from './timings.ts';

/** How often hooks run for one request at most. */
export const mostAttempts = 3;

export interface HookedWrite {
  readonly call: WriteCall;
  /** The call without changes of hooks. */
  readonly sent: PermittedWrite;
  readonly model: ContentModel;
  readonly caller: Caller;
  readonly timings: Timings;
  /** Returns undefined if the document has changed since its hooks saw it. `refused`: why they
   *  refuse the write. */
  readonly write: (changes: HookChanges | undefined, refused?: ApiError) => Promise<WriteOutcome | undefined>;
}

/** Runs the hooks, and again if the document has changed before their changes were written. */
export async function writeWithHooks(run: RunHooks, hooked: HookedWrite): Promise<WriteOutcome> {
  const { sent, write } = hooked;
  // A body with wrong values is refused, with all its mistakes.
  const isRefused = !isReadable(sent);
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const outcome = isRefused ? await write(undefined) : await hookedOnce(run, hooked);
    if (outcome !== undefined) return outcome;
  }
  throw ApiError.of('hook.outdated');
}

async function hookedOnce(run: RunHooks, { call, sent, model, caller, timings, write }: HookedWrite): Promise<WriteOutcome | undefined> {
  const began = performance.now();
  let changes: HookChanges | undefined;
  try {
    changes = await run(toCome(call, sent, model), caller);
  } catch (error) {
    // Hooks may refuse a repeated request because of what the first one has written.
    if (call.idempotencyKey === undefined || !(error instanceof ApiError) || error.cause !== undefined) throw error;
    return await write(undefined, error);
  }
  timings.push(['hooks', performance.now() - began, began]);
  return await write(changes);
}

/** A write for its hooks. */
export const toCome = (call: WriteCall, sent: PermittedWrite, model: ContentModel): WriteToCome => ({
  call: asDocument(call, sent, model),
  locales: localesOf(sent),
  status: sent.status,
});

/** Whether hooks can run: they get only values of the right types. */
export const isReadable = ({ data }: PermittedWrite): boolean => data === undefined || (data.kind === 'entry' && !hasProblems(data.entry));

/** With the values of the body in the form of documents. */
function asDocument(call: WriteCall, { data }: PermittedWrite, model: ContentModel): WriteCall {
  if (data?.kind !== 'entry') return call;
  const body = isObject(call.body) ? call.body : {};
  return { ...call, body: { ...body, data: dataForHooks(objectAt(body, 'data'), data.entry, model) } };
}

const localesOf = ({ locale }: PermittedWrite): WriteToCome['locales'] =>
  locale.kind === 'all' ? 'all' : locale.kind === 'several' ? locale.codes : [locale.code];

/** Whether the document has changed since its hooks saw it. */
export const isOutdated = (code: string): boolean => code === 'hook.outdated';

/** The call for the version that its hooks saw. A publication with changes becomes an update. */
export function withChanges({ call, changes }: AlsoWrite): AlsoWrite {
  if (changes === undefined) return { call, changes };
  const { seen, data, asSystem } = changes;
  const seeing = { ...call, seen };
  const hasData = Object.keys(data).length + Object.keys(asSystem).length > 0;
  if (call.action === 'create' || call.action === 'update') return { call: seeing, changes };
  if (call.action !== 'publish' || !hasData) return { call: seeing, changes: undefined };
  const query = [...call.query.split('&').filter((part) => part !== '' && !/^status(?:=|$)/.test(part)), 'status=published'].join('&');
  return { call: { ...seeing, action: 'update', partial: true, query, body: { data: {} } }, changes };
}

/** The writes that hooks add, each for the version that its own hooks saw. */
export function alsoWithChanges(also: readonly AlsoWrite[]): readonly AlsoWrite[] {
  const written = new Set<string>();
  return also.map((each) => {
    const { call, changes } = withChanges(each);
    const locale = new URLSearchParams(call.query).get('locale');
    const version = [call.type.uid, call.documentId, locale].join('\n');
    // The first of several writes of one document checks its version, which they change.
    const isFirst = !written.has(version);
    written.add(version);
    return isFirst ? { call, changes } : { call: { ...call, seen: undefined }, changes };
  });
}
