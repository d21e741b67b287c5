/** Runs the hooks of the project before a write: reads the document for them, and makes calls of
 *  what they return. */

import { stringify } from 'lossless-json';
import { type CodeRun, errorIn } from './answer-code.ts';
import { ApiError } from './errors/api-error.ts';
import { eventCaller } from './events/document-event.ts';
import { FairTurns } from './fair-turns.ts';
import type { LocalesSource } from './locales/locales.ts';
import type { ContentModel, ContentType, Schema } from './model/content-model.ts';
import { apiErrorOfCode, isUnavailable, unavailable } from './own-code/code-errors.ts';
import { withoutIncrements } from './own-code/increments.ts';
import { type HookManifest, hooksOf, type OwnCode, timeLimits } from './own-code/own-code.ts';
import type { AlsoMessage, Ask, BeforeOutcome, BeforeWork } from './own-code/protocol.ts';
import type { BeforeAction } from './own-code/types.ts';
import type {
  AlsoWrite,
  AnswerRead,
  BeforeWrite,
  Caller,
  HookChanges,
  Outcome,
  WriteAction,
  WriteCall,
  WriteToCome,
} from './pipeline/call.ts';
import { withoutFields } from './rights/restrictions.ts';
import { fullRights } from './rights/rights.ts';
import { isObject, objectAt, parsedObject } from './text/json.ts';
import { orMeant } from './text/nearest.ts';
import { textOfBody } from './text/text-of-body.ts';

export interface BeforeWriteParts {
  readonly model: ContentModel;
  readonly code: OwnCode;
  readonly locales: LocalesSource;
  readonly answerRead: AnswerRead;
  readonly answerFor: (run: CodeRun) => (ask: Ask) => Promise<string | null>;
}

/** How many writes hooks may add to a request, and how many times in a row they may lead to each
 *  other. */
const mostAlso = 500;
const mostInARow = 5;
/** Calls that are in the thread at once, and that wait for it: its memory and its time are those of
 *  all callers. */
const turns = { atOnce: 4, maxOfCaller: 500, max: 5000, busy: () => ApiError.of('code.busy') } as const;
/** Components are read this many levels deep. */
const componentLevels = 5;

/** Undefined if no hook runs before writes. */
export function createBeforeWrite(parts: BeforeWriteParts): BeforeWrite | undefined {
  const hooked = parts.code.manifest.hooks.filter(({ before, compute }) => before.length + compute.length > 0);
  if (hooked.length === 0) return undefined;
  const populates = new Map<string, string>();
  const queue = new FairTurns(turns);
  const uids = new Set(hooked.map(({ uid }) => uid));
  return ({ uid }) =>
    uids.has(uid) ? (write, caller) => new HookRun({ ...parts, queue }, populates, caller).changesOf(write, 0) : undefined;
}

interface HookRunParts extends BeforeWriteParts {
  readonly queue: FairTurns;
}

/** The hooks of one request. */
class HookRun {
  readonly #parts: HookRunParts;
  /** The query that reads the documents of a type, by uid. */
  readonly #populates: Map<string, string>;
  readonly #caller: Caller;
  #alsoCount = 0;

  constructor(parts: HookRunParts, populates: Map<string, string>, caller: Caller) {
    this.#parts = parts;
    this.#populates = populates;
    this.#caller = caller;
  }

  async changesOf(write: WriteToCome, depth: number): Promise<HookChanges | undefined> {
    if (depth > mostInARow) throw ApiError.of('hook.depth', { limit: mostInARow });
    const { call } = write;
    const locales = new Set(write.locales === 'all' ? await this.#localesOf(call) : write.locales);
    const found: Changes[] = [];
    const seen: string[] = [];
    for (const locale of locales) {
      const inLocale = await this.#inLocale({ ...write, call: withData(call, found) }, locale, depth);
      found.push(...inLocale.found);
      if (inLocale.stored !== undefined) seen.push(inLocale.stored.version);
    }
    if (found.length === 0) return undefined;
    const all: HookChanges = {
      ...merged(found),
      also: found.flatMap(({ also }) => also),
      seen: call.action === 'create' ? undefined : seen,
    };
    const hasData = Object.keys(all.data).length + Object.keys(all.asSystem).length > 0;
    if (hasData && locales.size > 1)
      throw new Error(
        `hooks of ${call.type.uid} returned data for a ${call.action} of several locales: they may return data only if one locale is written`,
      );
    return all;
  }

  async #inLocale(write: WriteToCome, locale: string | null, depth: number): Promise<InLocale> {
    const { call, status } = write;
    const hooks = hooksOf(this.#parts.code, call.type.uid);
    const isAnyNeeded = [true, false].some((isThere) =>
      actionsOf(call, status, isThere).some((action) => hooks.some((each) => isNeeded(each, action))),
    );
    if (!isAnyNeeded) return { found: [], stored: undefined };
    const stored = call.action === 'create' ? undefined : await this.#document(hooks, call, locale);
    const actions = actionsOf(call, status, stored !== undefined);
    // Should there be a document by the time of the write, it has not passed its hooks.
    const found: Changes[] = call.action !== 'create' && stored === undefined ? [none] : [];
    for (const each of hooks) {
      const needed = actions.filter((action) => isNeeded(each, action));
      if (needed.length > 0)
        found.push(await this.#run(each, needed, { ...write, call: withData(call, found) }, { locale, stored, depth }));
    }
    return { found, stored };
  }

  async #run(
    hooks: HookManifest,
    actions: readonly BeforeAction[],
    { call, status }: WriteToCome,
    { locale, stored, depth }: { readonly locale: string | null; readonly stored: StoredDocument | undefined; readonly depth: number },
  ): Promise<Changes> {
    const { code, answerFor, queue } = this.#parts;
    const rights = hooks.asSystem ? fullRights : call.actor.rights;
    const caller = call.by ?? eventCaller(call.actor);
    const work: BeforeWork = {
      ...{ kind: 'before', file: hooks.file, actions },
      context: {
        ...{ uid: call.type.uid, documentId: stored?.documentId ?? call.documentId, locale, status, caller },
        isSystem: call.isSystem === true,
        // Numbers that JavaScript would round are objects here; unless a hook changes them, they
        // stay as they were sent.
        data: stringify(objectAt(isObject(call.body) ? call.body : {}, 'data')) ?? '{}',
        document: stored?.text,
      },
    };
    const answer = answerFor({ actor: { ...call.actor, rights }, caller: this.#caller, readsOnly: true });
    const run = () => {
      if (this.#caller.hasLeft()) throw ApiError.of('request.left');
      return code.before.call(work, { timeLimit: hooks.timeLimit ?? timeLimits.before, answer });
    };
    const result = await queue
      .run(this.#caller.key, async () => run())
      .catch((error: unknown) => {
        throw apiErrorOfCode(error, `${hooks.file} (${actions.join(', ')})`, 'hook.refused');
      });
    const { data, computed, also }: BeforeOutcome = JSON.parse(result.text);
    const { attributes, uid } = call.type;
    const unknown = Object.keys(data).find((name) => !attributes.has(name));
    if (unknown !== undefined)
      throw new Error(`${hooks.file}: data: ${uid} has no attribute ${JSON.stringify(unknown)}${orMeant(unknown, attributes.keys())}`);
    const hasAllRights = (name: string) => hooks.asSystem || computed.includes(name);
    const part = (system: boolean) => Object.fromEntries(Object.entries(data).filter(([name]) => hasAllRights(name) === system));
    const writes: AlsoWrite[] = [];
    for (const each of also) writes.push(...(await this.#also(each, { ...call, by: caller }, hooks, depth)));
    return { data: part(false), asSystem: part(true), also: writes };
  }

  /** The draft, or the only version. Undefined if there is none in this locale, or if the right to
   *  the write does not include it: a hook could tell the caller that it exists. */
  async #document(hooks: readonly HookManifest[], call: WriteCall, locale: string | null): Promise<StoredDocument | undefined> {
    const { type } = call;
    const populate = this.#populates.get(type.uid) ?? populateOf(hooks, type, this.#parts.model);
    this.#populates.set(type.uid, populate);
    const read = (status: string | undefined) => {
      const query = [
        populate,
        ...(status === undefined ? [] : [`status=${status}`]),
        ...(locale === null ? [] : [`locale=${encodeURIComponent(locale)}`]),
      ];
      return this.#version(call, query.filter((part) => part !== '').join('&'));
    };
    if (!type.draftAndPublish) return read(undefined);
    // What a script has written may have no draft.
    return (await read('draft')) ?? read('published');
  }

  async #version({ type, actor, documentId, restriction }: WriteCall, query: string): Promise<StoredDocument | undefined> {
    const outcome = await this.#parts.answerRead(
      {
        type,
        target: type.kind === 'singleType' ? { kind: 'single' } : { kind: 'one', by: 'documentId', key: documentId ?? '' },
        query,
        actor: { ...actor, rights: { ...fullRights, user: actor.rights.user } },
        restriction: withoutFields(restriction),
        envelope: 'flat',
        isAfterWrite: true,
      },
      { ...this.#caller, isCurrent: true },
    );
    if (outcome.status === 404) return undefined;
    const document = parsedObject(textOfBody(outcome.body))?.data;
    if (outcome.status !== 200 || !isObject(document) || outcome.version === undefined)
      throw unread(`the document for hooks of ${type.uid}`, outcome);
    return { text: JSON.stringify(document), version: outcome.version, documentId: String(document.documentId) };
  }

  async #localesOf({ type, documentId, actor }: WriteCall): Promise<readonly (string | null)[]> {
    const id = encodeURIComponent(documentId ?? '');
    const outcome = await this.#parts.answerRead(
      {
        type,
        target: { kind: 'list' },
        query: [
          'locale=*&fields=locale&pagination[limit]=1000',
          ...(type.kind === 'singleType' ? [] : [`filters[documentId]=${id}`]),
          ...(type.draftAndPublish ? ['status=draft'] : []),
        ].join('&'),
        actor: { ...actor, rights: fullRights },
        restriction: undefined,
        envelope: 'flat',
        isAfterWrite: true,
      },
      { ...this.#caller, isCurrent: true },
    );
    const rows = parsedObject(textOfBody(outcome.body))?.data;
    if (!Array.isArray(rows)) throw unread(`the locales for hooks of ${type.uid}`, outcome);
    return rows.filter(isObject).map(({ locale }) => String(locale));
  }

  async #localesIn(locale: unknown, { localized }: ContentType): Promise<WriteToCome['locales']> {
    if (!localized) return [null];
    if (locale === '*') return 'all';
    return [typeof locale === 'string' && locale !== '' ? locale : (await this.#parts.locales.current()).byDefault];
  }

  /** The write, and those that its own hooks add. */
  async #also(message: AlsoMessage, from: WriteCall, hooks: HookManifest, depth: number): Promise<readonly AlsoWrite[]> {
    this.#alsoCount++;
    if (this.#alsoCount > mostAlso) throw new Error(`hooks added more than ${mostAlso} writes to one request`);
    const { model } = this.#parts;
    const type = model.contentTypes.get(message.uid);
    if (type?.routed !== true)
      throw new Error(
        `${hooks.file}: also: there is no content type ${message.uid} that can be written${orMeant(message.uid, [...model.contentTypes.keys()])}`,
      );
    const action: WriteAction = message.write;
    const isSystem = hooks.asSystem || message.asSystem === true;
    const rights = isSystem ? fullRights : from.actor.rights;
    const right = `${type.uid}.${action === 'unpublish' ? 'publish' : action}`;
    if (!rights.allows(right))
      throw new Error(`${hooks.file}: also: the caller lacks the right ${right}; hooks with asSystem: true need none`);
    if (type.kind === 'singleType' && action === 'create')
      throw new Error(`${hooks.file}: also: ${type.uid} is a single type: use update, which also makes its document`);
    const { problem, data, increments } = withoutIncrements(message.data ?? {}, type);
    if (problem !== undefined) throw new Error(`${hooks.file}: also: ${problem}`);
    const { status, locale, ...others } = message.params ?? {};
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new Error(`${hooks.file}: also: unknown parameter ${unknown}; the parameters are status and locale`);
    const query = Object.entries({ status, locale }).flatMap(([name, value]) =>
      value === undefined ? [] : `${name}=${encodeURIComponent(String(value))}`,
    );
    const call: WriteCall = {
      type,
      action,
      documentId: type.kind === 'singleType' || action === 'create' ? undefined : message.documentId,
      partial: true,
      query: query.join('&'),
      body: action === 'create' || action === 'update' ? { data } : undefined,
      actor: { ...from.actor, rights },
      restriction: rights.restriction(right),
      envelope: 'flat',
      ifMatch: undefined,
      idempotencyKey: undefined,
      by: from.by,
      isSystem,
      increments,
    };
    const isHooked = hooksOf(this.#parts.code, type.uid).length > 0;
    const locales = isHooked ? await this.#localesIn(locale, type) : [];
    const changes = isHooked
      ? await this.changesOf({ call, locales, status: status === 'draft' ? 'draft' : 'published' }, depth + 1)
      : undefined;
    return [{ call, changes }, ...(changes?.also ?? [])];
  }
}

type Changes = Omit<HookChanges, 'seen'>;

interface InLocale {
  readonly found: readonly Changes[];
  readonly stored: StoredDocument | undefined;
}

const none: Changes = { data: {}, asSystem: {}, also: [] };

/** If several hooks change an attribute, the last one counts, with the rights of its file. */
function merged(found: readonly Changes[]): Pick<Changes, 'data' | 'asSystem'> {
  const data: Record<string, unknown> = {};
  const asSystem: Record<string, unknown> = {};
  for (const each of found) {
    for (const name of Object.keys(each.data)) delete asSystem[name];
    for (const name of Object.keys(each.asSystem)) delete data[name];
    Object.assign(data, each.data);
    Object.assign(asSystem, each.asSystem);
  }
  return { data, asSystem };
}

interface StoredDocument {
  /** JSON. */
  readonly text: string;
  readonly version: string;
  readonly documentId: string;
}

function unread(what: string, outcome: Outcome): Error {
  const error = errorIn(outcome);
  return isUnavailable(error) ? unavailable(error) : new Error(`${what} cannot be read: ${error.message} (${error.code})`);
}

/** What the write does, in the order in which the functions run. A new locale is created. */
function actionsOf({ action, type }: WriteCall, status: WriteToCome['status'], isThere: boolean): readonly BeforeAction[] {
  if (action === 'update' && !isThere && !type.localized && type.kind === 'collectionType') return [];
  const publishes = type.draftAndPublish && status === 'published';
  switch (action) {
    case 'create':
      return publishes ? ['create', 'publish'] : ['create'];
    case 'update':
      return [isThere ? 'update' : 'create', ...(publishes ? (['publish'] as const) : [])];
    case 'discardDraft':
      return isThere ? ['discard'] : [];
    default:
      return isThere ? [action] : [];
  }
}

const isNeeded = ({ before, compute }: HookManifest, action: BeforeAction): boolean =>
  before.includes(action) || ((action === 'create' || action === 'update') && compute.length > 0);

/** The body as earlier hooks have changed it. */
function withData(call: WriteCall, found: readonly Changes[]): WriteCall {
  if (found.length === 0) return call;
  const body = isObject(call.body) ? call.body : {};
  const changed = found.flatMap(({ data, asSystem }) => [data, asSystem]);
  return { ...call, body: { ...body, data: Object.assign({}, objectAt(body, 'data'), ...changed) } };
}

/** `populate` of the hooks, and all components. */
function populateOf(hooks: readonly HookManifest[], type: ContentType, model: ContentModel): string {
  const named = new Set(hooks.flatMap(({ populate }) => populate));
  const parts = [...componentParts(type, 'populate', model, componentLevels), ...[...named].map((name) => `populate[${name}]=true`)];
  return parts.join('&');
}

function componentParts({ attributes }: Schema, prefix: string, model: ContentModel, levels: number): string[] {
  if (levels === 0) return [];
  return [...attributes.values()].flatMap((attribute) => {
    const at = `${prefix}[${attribute.name}]`;
    if (attribute.kind === 'component') return below(attribute.component, at, model, levels);
    if (attribute.kind !== 'dynamiczone') return [];
    return attribute.components.flatMap((uid) => below(uid, `${at}[on][${uid}]`, model, levels));
  });
}

function below(uid: string, at: string, model: ContentModel, levels: number): string[] {
  const component = model.components.get(uid);
  const parts = component === undefined ? [] : componentParts(component, `${at}[populate]`, model, levels - 1);
  return parts.length === 0 ? [`${at}=true`] : parts;
}
