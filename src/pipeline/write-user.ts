/** Writes a user: runs the stages of a write, with checks of the endpoint inside the transaction.
 *  The users' endpoints have no `data` and build their own responses, so none is built here. */

import type { Connection } from '../dialects/database.ts';
import { eventCaller } from '../events/document-event.ts';
import type { ContentType } from '../model/content-model.ts';
import type { Rights } from '../rights/rights.ts';
import { Rows } from '../sql/rows.ts';
import { newDocumentId } from '../text/document-id.ts';
import type { AnswerWriteParts } from './answer-write.ts';
import { authoriseWrite } from './authorise/authorise-write.ts';
import { refusedByColumn } from './body/refused-by-column.ts';
import type { Caller, WriteUser } from './call.ts';
import { executeWrite } from './execute/write/execute-write.ts';
import { hashPasswords } from './hash-passwords.ts';
import { parseWrite } from './parse/parse-write.ts';
import { planWrite } from './plan/plan-write.ts';
import { restrictionFilters } from './restrict/restriction-filters.ts';
import { compileWriteRestrictions } from './restrict/write-restrictions.ts';
import { retryTransaction } from './run/write/retry-transaction.ts';

type WriteUserParts = Omit<AnswerWriteParts, 'writer' | 'figures'>;

/** User names and e-mails are unique among all users, so all writes of users take this lock. */
const lock = 'users-permissions accounts';

export function createWriteUser(parts: WriteUserParts, type: ContentType): WriteUser {
  const { config, model, database } = parts;
  const filterOf = restrictionFilters(model);
  return async ({ action, documentId, data, actor, restriction, caller = nobody, before, after }) => {
    const locales = await parts.locales.current();
    const call = {
      type,
      action,
      documentId,
      partial: true,
      query: '',
      body: { data },
      actor,
      restriction,
      envelope: 'bare',
      ifMatch: undefined,
      idempotencyKey: undefined,
    } as const;
    const request = parseWrite(call, { ...parts, locales });
    const rights = rightsToLink(actor.rights);
    const permitted = authoriseWrite(request, { rights, policies: config.policies, filterOf }, model);
    const restrictions = compileWriteRestrictions(permitted, { config, model, dialect: database.dialect });
    // Passwords are hashed before the transaction begins, since other writers wait for it.
    const hashes = await hashPasswords(permitted.data, { model, config, caller });
    const { dialect } = database;
    const write = async (connection: Connection) => {
      new Rows(connection, dialect).lock([lock]);
      await before?.(connection);
      // After the caller's checks, whose errors come before those of values.
      const { plan } = planWrite(permitted, {
        config,
        model,
        dialect,
        locales,
        hashes,
        newDocumentId: newDocumentId(),
        seesDrafts: true,
        now: Date.now(),
        caller: eventCaller(actor),
        keepsEvents: parts.keepsEvents,
      });
      const { id } = await executeWrite(plan, restrictions, { connection, dialect, model });
      if (id !== undefined) await after?.(connection, id);
      return id;
    };
    const body = permitted.data?.kind === 'entry' ? permitted.data.entry : undefined;
    return retryTransaction(
      database,
      config.limits,
      () => database.write(write),
      () => refusedByColumn(body, dialect, model),
    );
  };
}

const nobody: Caller = { key: 'server', hasLeft: () => false };

/** Callers who may write users may set roles; other relations need the right to find targets. */
const rightsToLink = (rights: Rights): Rights => ({
  ...rights,
  allows: (action) => action === 'plugin::users-permissions.role.find' || rights.allows(action),
});
