/** The users of the project: lists and entries without an envelope. */

import { bodyObject } from '../../../accounts/read-body.ts';
import { changedUserData, newUserData } from '../../../accounts/user-body.ts';
import type { Account } from '../../../accounts/user-store.ts';
import type { Connection } from '../../../dialects/database.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { refuseOtherKeys } from '../../../errors/invalid-key.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { AnswerRead, Outcome } from '../../../pipeline/call.ts';
import { type Restriction, together, withoutFields } from '../../../rights/restrictions.ts';
import { managementAccess, restrictionOfFirst } from '../../../rights/rights.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import { type Endpoint, type EndpointCall, type EndpointResponse, parameter } from '../../send-response.ts';
import { answerRow, orNoBody, rowIdParameter } from '../rows.ts';
import type { Accounts } from './accounts.ts';

export function userEndpoints(type: ContentType, answer: AnswerRead) {
  const users: Endpoint = ({ query, actor, restriction, caller }) =>
    answer({ type, target: { kind: 'list' }, query, actor, restriction, envelope: 'bare' }, caller);

  const user: Endpoint = async (call) => orNoBody(await answerRow(answer, type, parameter(call.request, 'id'), call));

  const usersMe: Endpoint = async (call) => {
    if (call.actor.kind !== 'user') throw ApiError.of('access.unauthorized');
    return orNoBody(await answerRow(answer, type, call.actor.userId, call));
  };

  /** Counts by a list of length one. A caller who may list only some users counts only these,
   *  whatever the restriction of the right to count is. */
  const usersCount: Endpoint = async ({ query, actor, restriction, caller }) => {
    const within = together([restriction, actor.rights.restriction(action('find'))]);
    const outcome = await answer(
      { type, target: { kind: 'list' }, query: countQuery(query), actor, restriction: within, envelope: 'flat' },
      caller,
    );
    return outcome.status === 200 ? { ...outcome, body: String(total(outcome.body)), digest: undefined } : outcome;
  };

  return { users, user, usersMe, usersCount };
}

export function userWriteEndpoints({ config, store, users, sessionStore, userType, answer, writeUser, usersChanged }: Accounts) {
  const linksByEmail = Object.values(config.auth.providers).some(({ linkByEmail }) => linkByEmail);
  const read = (id: number, call: EndpointCall, restriction: Restriction | undefined, query: string): Promise<Outcome> =>
    answerRow(answer, userType, id, { ...call, restriction, query }, { isAfterWrite: true });

  /** The fields of the user that the caller may read, or otherwise may write. */
  const shown = async (id: number, call: EndpointCall, query: string): Promise<EndpointResponse> => {
    return orNoBody(await read(id, call, restrictionOfFirst(['findOne', 'find'].map(action), call.actor.rights, call.restriction), query));
  };

  /** Undefined for missing users and for those outside of the restriction: callers cannot tell. */
  const accountFor = async (call: EndpointCall): Promise<Account | undefined> => {
    const id = rowIdParameter(call.request, 'id');
    const account = id === undefined ? undefined : await users.byId(id);
    if (account === undefined || call.restriction?.condition === undefined) return account;
    return (await read(account.id, call, call.restriction, 'fields[0]=id')).status === 200 ? account : undefined;
  };

  const refuseUnwritable = ({ request, restriction }: EndpointCall): void => {
    if (restriction?.fields !== undefined && isObject(request.body)) refuseOtherKeys(Object.keys(request.body), restriction.fields);
  };
  /** Without fields: the sent keys were checked, and the server adds attributes of its own. */
  const rowsOf = ({ restriction }: EndpointCall) => withoutFields(restriction);
  const emailsAreUnique = async () => (await store.settings('advanced')).unique_email !== false;

  /** A link that was sent before the password or the e-mail changed must not change the password. A
   *  new e-mail is unproven: its owner could get into this account through a provider. */
  const followingFrom = ({ email, password, confirmed }: JsonObject, account: Account): JsonObject => {
    const moves = typeof email === 'string' && email !== account.email?.toLowerCase();
    return {
      ...(password === undefined && !moves ? {} : { resetPasswordToken: null }),
      ...(moves && linksByEmail ? { confirmed: confirmed === true, confirmationToken: null } : {}),
    };
  };

  /** With the password of an administrator, or with its role, a caller would have every right. */
  const refuseAdministrator = async (connection: Connection, id: number, { actor }: EndpointCall): Promise<void> => {
    if (actor.rights.allows(managementAccess) || !userType.attributes.has('role')) return;
    if (await users.isAdministratorIn(connection, id)) throw ApiError.of('user.administrator');
  };

  const createUser: Endpoint = async (call) => {
    refuseUnwritable(call);
    const data = newUserData(call.request.body, userType);
    const unique = await emailsAreUnique();
    const id = await writeUser({
      action: 'create',
      documentId: undefined,
      data,
      actor: call.actor,
      restriction: rowsOf(call),
      caller: call.caller,
      async before(connection) {
        if (unique && (await users.isEmailTaken(connection, String(data.email)))) throw ApiError.of('user.email-taken');
      },
      after: (connection, newId) => refuseAdministrator(connection, newId, call),
    }).catch((error: unknown) => {
      throw asRefusal(error);
    });
    if (id === undefined) throw new Error('a user who was just written is gone');
    const outcome = await shown(id, call, 'populate=role');
    return outcome.status === 200 ? { ...outcome, status: 201 } : outcome;
  };

  const updateUser: Endpoint = async (call) => {
    const account = await accountFor(call);
    if (account === undefined) throw ApiError.of('user.not-found');
    const { id } = account;
    refuseUnwritable(call);
    await change(account, changedUserData(call.request.body, userType, account.provider), call, rowsOf(call));
    return shown(id, call, 'populate=role');
  };

  /** Undefined where the configuration lists no fields. */
  const updateMe: Endpoint | undefined =
    config.auth.ownFields.length === 0
      ? undefined
      : async (call) => {
          const { actor, request, restriction, query } = call;
          if (actor.kind !== 'user') throw ApiError.of('access.unauthorized');
          const account = await users.byId(actor.userId);
          if (account === undefined) throw ApiError.of('user.not-found');
          const keys = Object.keys(bodyObject(request.body));
          refuseOtherKeys(keys, new Set(config.auth.ownFields));
          // A wrong query is refused before anything is written.
          const before = await read(account.id, call, restriction, query);
          if (before.status >= 400 || keys.length === 0) return orNoBody(before);
          // The user's own row, whatever the right to others is.
          await change(account, changedUserData(request.body, userType, account.provider), call, undefined);
          return orNoBody(await read(account.id, call, restriction, query));
        };

  async function change(account: Account, data: JsonObject, call: EndpointCall, restriction: Restriction | undefined): Promise<void> {
    const { id } = account;
    const unique = await emailsAreUnique();
    let role: number | undefined;
    await writeUser({
      action: 'update',
      documentId: account.documentId,
      data: { ...data, ...followingFrom(data, account) },
      actor: call.actor,
      restriction,
      caller: call.caller,
      async before(connection) {
        await refuseAdministrator(connection, id, call);
        const { email, username } = data;
        if (typeof username === 'string' && (await users.isUsernameTaken(connection, username, id))) {
          throw ApiError.of('user.username-taken');
        }
        if (unique && typeof email === 'string' && (await users.isEmailTaken(connection, email, id))) {
          throw ApiError.of('user.email-taken');
        }
        role = await users.roleIn(connection, id);
      },
      async after(connection) {
        await refuseAdministrator(connection, id, call);
        if (!config.policies.endSessionsAtOnce) return;
        const endsSessions = data.blocked === true || data.password !== undefined || (await users.roleIn(connection, id)) !== role;
        if (endsSessions) await sessionStore.endAllIn(connection, id);
      },
    });
    usersChanged();
  }

  const deleteUser: Endpoint = async (call) => {
    const account = await accountFor(call);
    if (account === undefined) return { status: 204, body: null };
    const { id } = account;
    const outcome = await shown(id, call, '');
    await writeUser({
      action: 'delete',
      documentId: account.documentId,
      data: {},
      actor: call.actor,
      restriction: rowsOf(call),
      async before(connection) {
        await refuseAdministrator(connection, id, call);
        await sessionStore.endAllIn(connection, id);
      },
    });
    usersChanged();
    return outcome;
  };

  return { createUser, updateUser, ...(updateMe && { updateMe }), deleteUser };
}

const action = (name: string) => `plugin::users-permissions.user.${name}`;

/** As recorded: all problems of a new user are reported in one sentence, without paths. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 400 || error.errorName !== 'ValidationError') return error;
  const several = Array.isArray(error.details?.errors) ? error.details.errors.map(({ message }: { message: string }) => message) : [];
  const more = typeof error.details?.more === 'number' ? [`and ${error.details.more.toLocaleString('en')} more`] : [];
  return ApiError.of('user.refused', { problem: several.length > 1 ? [...several, ...more].join('; ') : error.message });
}

const ofPages = /^(?:pagination|page|pageSize|start|limit|populate|sort)(?:\[|%5B|=|$)/i;

function countQuery(query: string): string {
  const conditions = query.split('&').filter((part) => part !== '' && !ofPages.test(part));
  return [...conditions, 'pagination[pageSize]=1', 'pagination[withCount]=true'].join('&');
}

function total(body: string | Uint8Array): number {
  const list: { meta: { pagination: { total: number } } } = JSON.parse(textOfBody(body));
  return list.meta.pagination.total;
}
