/** Third stage of a write: refuses wrong values, returns plain data for the transaction. */
import type { Config } from '../../config/config.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { EventCaller } from '../../events/document-event.ts';
import { keptVersions } from '../../history/kept-versions.ts';
import type { Locales } from '../../locales/locales.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { PermittedWrite } from '../authorise/types.ts';
import { refuseUnstorable } from './refuse-unstorable.ts';
import { refuseWrongValues } from './refuse-wrong-values.ts';
import type { PlannedWrite, WritePlan, WriteRules } from './types.ts';

export interface PlanWriteParts {
  readonly model: ContentModel;
  readonly dialect: Dialect;
  readonly config: Config;
  readonly locales: Locales;
  readonly hashes: ReadonlyMap<string, string>;
  readonly newDocumentId: string;
  readonly isRestored?: boolean | undefined;
  /** Whether the caller may read every draft of the type. */
  readonly seesDrafts: boolean;
  readonly now: number;
  /** Who writes. */
  readonly caller: EventCaller;
  readonly keepsEvents: boolean;
  readonly isDryRun?: boolean;
  readonly increments?: ReadonlyMap<string, number> | undefined;
  readonly seen?: readonly string[] | undefined;
}

/** Returns the plan of a write. Throws if values are wrong whatever is stored.
 *
 *  PATCH of `{ "data": { "title": "b" } }` → `{ uid: 'api::article.article', action: 'update',
 *  documentId, body: { scalars: { title: 'b' } }, … }` */
export function planWrite(request: PermittedWrite, parts: PlanWriteParts): PlannedWrite {
  const {
    config,
    model,
    dialect,
    locales,
    hashes,
    newDocumentId,
    isRestored = false,
    seesDrafts,
    now,
    caller,
    keepsEvents,
    isDryRun = false,
    increments = new Map(),
    seen,
  } = parts;
  const { type, action, documentId, locale, localeIfMade, status, data, own, partial, writable, ifMatch } = request;
  const rules: WriteRules = {
    enforceSchema: config.policies.enforceSchemaRules,
    requireRelations: config.api.strictRelations,
    syncDrafts: config.policies.syncDrafts,
    fillUids: config.policies.fillUids ? (seesDrafts ? 'all' : 'published') : 'no',
    components: config.limits.components,
  };
  const writes = action === 'create' ? action : 'update';
  const refusal =
    data === undefined
      ? undefined
      : refuseWrongValues(data, { type, action: writes, own, partial, writable, status, rules, hashes }, model);
  const body = data?.kind === 'entry' ? data.entry : undefined;
  const versions = keptVersions(type, config);
  if (refusal === undefined && body !== undefined) refuseUnstorable(body, dialect, model);
  const plan: WritePlan = {
    uid: type.uid,
    action,
    documentId,
    newDocumentId,
    isRestored,
    locale,
    localeIfMade,
    defaultLocale: locales.byDefault,
    status,
    body,
    own,
    partial,
    writable,
    ifMatch,
    seen,
    hashes,
    now,
    events: keepsEvents ? caller : undefined,
    history: versions === 0 || isDryRun ? undefined : { versions, caller },
    increments,
    rules,
  };
  return { plan, refusal };
}
