/** `POST /api/auth/local/register`. */

import { bodyObject, deviceIdOf, readFields } from '../../../accounts/read-body.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { User } from '../../../identity/user-rows-store.ts';
import type { Endpoint } from '../../send-response.ts';
import { answerRow } from '../rows.ts';
import type { Accounts } from './accounts.ts';
import { sendConfirmation } from './email-confirmation.ts';
import { withUser } from './sign-in-response.ts';

const fields = { email: 'email', username: 'text', password: 'newPassword' } as const;

export function registerEndpoint(accounts: Accounts): Endpoint {
  const { config, store, users, userType, answer, writeUser, answerSignIn, restrictionOfOwn } = accounts;
  return async (call) => {
    const { request, actor } = call;
    const settings = await store.settings('advanced');
    // Without the setting in the database, registration is open.
    if (settings.allow_register === false) throw ApiError.of('register.closed');
    // As in Strapi, a list counts as an object with numbers for keys.
    const body = bodyObject(Array.isArray(request.body) ? { ...request.body } : request.body);
    const { registerFields } = config.auth;
    const others = Object.keys(body).filter((key) => !Object.hasOwn(fields, key) && !registerFields.includes(key));
    if (others.length > 0) throw ApiError.of('register.parameters', { keys: others.join(', ').slice(0, 1000) });
    const { email: writtenEmail, username, password } = readFields(body, fields);
    const email = writtenEmail.toLowerCase();
    const mustConfirm = settings.email_confirmation === true;
    if (mustConfirm) accounts.requireMailer();
    else accounts.requireTokens();
    const roleType = await store.defaultRoleType();
    const role = await users.roleOfType(roleType);
    if (role === undefined) throw ApiError.of('register.no-role');

    const provider = settings.unique_email === false ? 'local' : undefined;
    let written = undefined as User | undefined;
    const id = await writeUser({
      action: 'create',
      documentId: undefined,
      data: {
        ...Object.fromEntries(Object.entries(body).filter(([key]) => registerFields.includes(key))),
        username,
        email,
        password,
        provider: 'local',
        confirmed: !mustConfirm,
        blocked: false,
        role,
      },
      actor,
      restriction: undefined,
      caller: call.caller,
      async before(connection) {
        if (await users.isForAdministrators(connection, role)) {
          request.log.warn({ role: roleType }, 'nobody can register: new users would be administrators (auth.defaultRole)');
          throw ApiError.of('register.administrators');
        }
        if (await users.isIdentityTaken(connection, { email, username }, provider)) throw ApiError.of('register.taken');
      },
      async after(connection, newId) {
        written = await store.userIn(connection, newId);
      },
    });
    const account = id === undefined ? undefined : await users.byId(id);
    if (account === undefined || written === undefined) throw new Error('a user who was just written is gone');
    const query = 'populate=role';
    if (!mustConfirm) return answerSignIn(call, { user: written, deviceId: deviceIdOf(body), inBody: 'always', query });
    sendConfirmation(account, accounts);
    const ofUser = { ...call, query, restriction: await restrictionOfOwn(account.id) };
    const user = await answerRow(answer, userType, account.id, ofUser, { isAfterWrite: true });
    return user.status === 200 ? { ...user, body: withUser({}, user.body) } : user;
  };
}
