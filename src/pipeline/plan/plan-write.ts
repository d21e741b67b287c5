/** The third stage of a write: everything that the transaction needs to know, as plain data. */
import type { Config } from '../../config/config.ts';
import type { Locales } from '../../locales/locales.ts';
import type { PermittedWrite } from '../authorise/types.ts';
import type { WritePlan } from './types.ts';

export interface PlanWriteParts {
  readonly config: Config;
  readonly locales: Locales;
  readonly hashes: ReadonlyMap<string, string>;
  readonly newDocumentId: string;
  readonly now: number;
}

export function planWrite(request: PermittedWrite, { config, locales, hashes, newDocumentId, now }: PlanWriteParts): WritePlan {
  const { type, action, documentId, locale, status, data, partial, writable, ifMatch } = request;
  return {
    uid: type.uid,
    action,
    documentId,
    newDocumentId,
    locale,
    defaultLocale: locales.byDefault,
    status,
    data,
    partial,
    writable,
    ifMatch,
    hashes,
    now,
    rules: {
      enforceSchema: config.policies.enforceSchemaRules,
      requireRelations: config.api.strictRelations,
      syncDrafts: config.policies.syncDrafts,
      components: config.limits.components,
    },
  };
}
