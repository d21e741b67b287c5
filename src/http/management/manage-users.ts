/** Users: the endpoints of the Content API with an envelope, and with every right. */

import { ApiError } from '../../errors/api-error.ts';
import { refuseOtherKeys } from '../../errors/invalid-key.ts';
import type { ReadTarget } from '../../pipeline/call.ts';
import { isObject } from '../../text/json.ts';
import { textOfBody } from '../../text/text-of-body.ts';
import type { Accounts } from '../endpoints/accounts/accounts.ts';
import { userWriteEndpoints } from '../endpoints/accounts/user-endpoints.ts';
import type { Endpoint, EndpointCall, EndpointResponse } from '../send-response.ts';
import { parameter } from '../send-response.ts';
import type { ManagementRoute } from './management-route.ts';

export function managedUsers(accounts: Accounts): readonly ManagementRoute[] {
  const { userType: type, answer, usersChanged } = accounts;
  const { createUser, updateUser, deleteUser } = userWriteEndpoints(accounts);

  const read = ({ query, actor, caller }: EndpointCall, target: ReadTarget) =>
    answer({ type, target, query: query === '' ? 'populate=role' : query, actor, restriction: undefined, envelope: 'flat' }, caller);

  /** Unlike in the Content API, a misspelled `blocked` must not look like a blocked user. */
  const refuseUnknown = (body: unknown): void => {
    if (isObject(body)) refuseOtherKeys(Object.keys(body), new Set(type.attributes.keys()));
  };

  /** A user who is created here need not confirm an e-mail. */
  const create: Endpoint = async (call) => {
    const { request } = call;
    refuseUnknown(request.body);
    if (isObject(request.body)) request.body = { confirmed: true, blocked: false, ...request.body };
    const made = withEnvelope(await createUser(call));
    usersChanged();
    return made;
  };

  const update: Endpoint = async (call) => {
    refuseUnknown(call.request.body);
    return withEnvelope(await updateUser(call));
  };

  const remove: Endpoint = async (call) => {
    const deleted = await deleteUser(call);
    if (deleted.status === 204) throw ApiError.of('user.not-found');
    return { status: 204, body: null };
  };

  return [
    ['GET', '/users', (call) => read(call, { kind: 'list' })],
    ['POST', '/users', create],
    ['GET', '/users/:id', (call) => read(call, { kind: 'one', by: 'id', key: parameter(call.request, 'id') })],
    ['PATCH', '/users/:id', update],
    ['DELETE', '/users/:id', remove],
  ];
}

function withEnvelope(response: EndpointResponse): EndpointResponse {
  if (response.status >= 300 || response.body === null) return response;
  const { body, version: _version, digest: _digest, ...rest } = response;
  return { ...rest, body: `{"data":${textOfBody(body)}}` };
}
