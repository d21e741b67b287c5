/** The stages of a write before its transaction: `parse`, `authorise` and `plan`, with what hooks of
 *  the project have made of it. */
import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/database.ts';
import type { ApiError } from '../errors/api-error.ts';
import { refuseOtherKeys } from '../errors/invalid-key.ts';
import { eventCaller } from '../events/document-event.ts';
import type { Locales } from '../locales/locales.ts';
import type { ContentModel, ContentType } from '../model/content-model.ts';
import { fullRights, type Rights } from '../rights/rights.ts';
import { newDocumentId } from '../text/document-id.ts';
import { isObject, objectAt } from '../text/json.ts';
import { authoriseWrite, withAdded } from './authorise/authorise-write.ts';
import type { PermittedWrite } from './authorise/types.ts';
import type { AlsoWrite, Caller, HookChanges, WriteCall } from './call.ts';
import { hashPasswords } from './hash-passwords.ts';
import { alsoWithChanges } from './hooked-write.ts';
import { parseWrite } from './parse/parse-write.ts';
import { planWrite } from './plan/plan-write.ts';
import { restrictionFilters } from './restrict/restriction-filters.ts';
import { compileWriteRestrictions } from './restrict/write-restrictions.ts';
import type { PlannedAlso } from './run/write/execute-batch.ts';
import { type Timings, timed } from './timings.ts';
import type { UnlistedComponents } from './unlisted-components.ts';

export interface PrepareWriteParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  /** Whether writes leave events. */
  readonly keepsEvents: boolean;
  readonly unlisted: UnlistedComponents;
}

/** What a write is prepared with. */
export interface Meanwhile {
  readonly caller: Caller;
  readonly locales: Locales;
  readonly timings: Timings;
}

export interface ToPrepare extends Meanwhile {
  readonly call: WriteCall;
  readonly changes: HookChanges | undefined;
  /** The documentId of a new document, where it is known before. */
  readonly documentId?: string;
}

export interface Prepared extends PlannedAlso {
  readonly permitted: PermittedWrite;
  /** The error of wrong values; a missing document or target comes before it. */
  readonly refusal: ApiError | undefined;
}

export class WritePreparation {
  readonly #parts: PrepareWriteParts;
  readonly #filterOf: ReturnType<typeof restrictionFilters>;

  constructor(parts: PrepareWriteParts) {
    this.#parts = parts;
    this.#filterOf = restrictionFilters(parts.model);
  }

  permit(call: WriteCall, locales: Locales, timings: Timings): PermittedWrite {
    const { model, config, unlisted } = this.#parts;
    const request = timed(timings, 'parse', () => parseWrite(call, { model, config, locales, unlisted }));
    const { actor, increments, restriction } = call;
    const { rights } = actor;
    if (increments !== undefined && restriction?.fields !== undefined) refuseOtherKeys([...increments.keys()], restriction.fields);
    return timed(timings, 'authorise', () =>
      authoriseWrite(request, { rights, policies: config.policies, filterOf: this.#filterOf }, model),
    );
  }

  /** Plans a write as its hooks have changed it. */
  async prepare({
    call,
    changes,
    caller,
    locales,
    timings,
    documentId = call.newDocumentId ?? newDocumentId(),
  }: ToPrepare): Promise<Prepared> {
    const { config, model, database, keepsEvents } = this.#parts;
    const permitted = changes === undefined ? this.permit(call, locales, timings) : this.#permitChanged(call, changes, locales, timings);
    const { dryRun = false } = call;
    const hashes = await hashPasswords(permitted.data, { model, config, caller, dryRun });
    const { plan, refusal } = timed(timings, 'plan', () =>
      planWrite(permitted, {
        config,
        model,
        dialect: database.dialect,
        locales,
        hashes,
        newDocumentId: documentId,
        isRestored: call.newDocumentId !== undefined,
        seesDrafts: seesDrafts(call.type, call.actor.rights, config.policies),
        now: Date.now(),
        caller: call.by ?? eventCaller(call.actor),
        keepsEvents: keepsEvents && !dryRun,
        isDryRun: dryRun,
        increments: call.increments,
        seen: call.seen,
      }),
    );
    const restrictions = compileWriteRestrictions(permitted, { config, model, dialect: database.dialect });
    return { permitted, plan, refusal, restrictions };
  }

  /** Checks what hooks return with the caller's rights as a body; the rest has all rights. */
  #permitChanged(call: WriteCall, { data, asSystem }: HookChanges, locales: Locales, timings: Timings): PermittedWrite {
    const body = isObject(call.body) ? call.body : {};
    const sent = { ...objectAt(body, 'data'), ...data };
    const own = Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(asSystem, name)));
    const permitted = this.permit({ ...call, body: { ...body, data: own } }, locales, timings);
    if (Object.keys(asSystem).length === 0) return permitted;
    const actor = { ...call.actor, rights: fullRights };
    return withAdded(permitted, this.permit({ ...call, body: { data: asSystem }, actor, restriction: undefined }, locales, timings));
  }

  /** Plans the writes that hooks add. */
  async prepareAlso(also: readonly AlsoWrite[], caller: Caller, locales: Locales): Promise<readonly PlannedAlso[]> {
    const planned: PlannedAlso[] = [];
    for (const each of alsoWithChanges(also)) {
      const { plan, refusal, restrictions } = await this.prepare({ ...each, caller, locales, timings: [] });
      if (refusal !== undefined) throw refusal;
      planned.push({ plan, restrictions });
    }
    return planned;
  }
}

const seesDrafts = ({ uid }: ContentType, rights: Rights, { draftsNeedRight }: Config['policies']): boolean => {
  const action = `${uid}.${draftsNeedRight ? 'findDraft' : 'find'}`;
  return rights.allows(action) && rights.restriction(action) === undefined;
};
