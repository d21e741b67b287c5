/** The endpoints for signing in, users and roles. */
import { userUid } from '../model/built-in-types.ts';
import type { Attribute, ContentType } from '../model/content-model.ts';
import { isVisible } from '../model/visibility.ts';
import {
  headerParameter,
  type JsonSchema,
  jsonBody,
  jsonResponse,
  list,
  object,
  type Parameter,
  pathParameter,
  queryParameter,
  type RequestBody,
  type Response,
} from './document-parts.ts';
import type { DescribedOperation, Toolbox } from './operations.ts';
import { shownValue } from './value-schemas.ts';

const signIn = { name: 'Auth', description: 'Signing in, passwords and sessions.' };
const users = { name: 'Users', description: 'The users who may sign in.' };
const roles = { name: 'Roles', description: 'Roles and their rights.' };

const text: JsonSchema = { type: 'string' };
const texts = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text]));
const password: JsonSchema = { type: 'string', format: 'password', description: 'At most 72 bytes.' };
const ok = jsonResponse('Done.', object({ ok: { const: true } }));
const redirect = (description: string): Response => ({
  description,
  headers: { Location: { description: 'Where to.', schema: text } },
});
const provider = pathParameter('provider', 'Name of a provider of the setting auth.providers.');
const rowId = (what: string): Parameter => pathParameter('id', `Id of the ${what}, a number.`, { type: 'integer' });
const deviceId: JsonSchema = { type: 'string', maxLength: 255, description: 'A name of your own for the device, to end its sessions by.' };

const cookieHeader = headerParameter(
  'X-Strapi-Refresh-Cookie',
  'With this value the refresh token comes in a cookie that scripts cannot read.',
  { type: 'string', enum: ['httpOnly'] },
);

const keepHeader = headerParameter(
  'X-Lectern-Keep-Session',
  'With this value the browser keeps that cookie when it is closed, until the session ends.',
  { type: 'string', enum: ['true'] },
);

/** What users may see of themselves after signing in; the role may show more. Attributes that a
 *  project adds are not named here: callers of these endpoints are strangers. */
const known: ReadonlySet<string> = new Set(
  'id documentId username email provider confirmed blocked createdAt updatedAt publishedAt'.split(' '),
);

function signedIn({ config, model, components }: Toolbox): Response {
  const isRefresh = config.auth.jwtManagement === 'refresh';
  const user = components.schema('SignedInUser', () => {
    const attributes = [...(model.contentTypes.get(userUid)?.attributes.values() ?? [])];
    const properties = attributes.flatMap((each) =>
      each.kind === 'scalar' && known.has(each.name) && isVisible(each) ? [[each.name, shownValue(each)] as const] : [],
    );
    return {
      ...object(Object.fromEntries(properties), ['id', 'documentId']),
      description: 'The user who signed in, with what the role of the user may read.',
    };
  });
  const refreshToken: JsonSchema = { type: 'string', description: 'Left out where it is in the cookie. Each can be used once.' };
  const jwt: JsonSchema = { type: 'string', description: 'For `Authorization: Bearer`.' };
  return jsonResponse(
    'Signed in.',
    components.schema('SignedIn', () => object({ jwt, ...(isRefresh ? { refreshToken } : {}), user }, ['jwt', 'user'])),
  );
}

const cookies = ({ config }: Toolbox): { readonly parameters?: readonly Parameter[] } =>
  config.auth.jwtManagement === 'refresh' ? { parameters: [cookieHeader, keepHeader] } : {};

interface Description extends Omit<DescribedOperation, 'operationId' | 'tag' | 'errors'> {
  readonly errors?: DescribedOperation['errors'];
}

const auth = (operationId: string, rest: Description): DescribedOperation => ({ operationId, tag: signIn, errors: 'Account', ...rest });
const newPassword = { password, passwordConfirmation: password };

export const accountDescriptions = {
  login: (tools: Toolbox) =>
    auth('login', {
      summary: 'Sign in with a password',
      description: 'The response has a token for the header `Authorization`.',
      ...cookies(tools),
      body: jsonBody(
        object({ identifier: { ...text, description: 'User name or e-mail address.' }, password: text, deviceId }, [
          'identifier',
          'password',
        ]),
      ),
      success: { 200: signedIn(tools) },
      open: true,
    }),
  register: (tools: Toolbox) =>
    auth('register', {
      summary: 'Register a new user',
      ...cookies(tools),
      body: jsonBody({
        ...object({ username: text, email: text, password }),
        additionalProperties: tools.config.auth.registerFields.length > 0,
      }),
      success: {
        200: {
          ...signedIn(tools),
          description: 'Registered and signed in. Where e-mail addresses must be confirmed first, the response has no token.',
        },
      },
      open: true,
    }),
  providers: () =>
    auth('listProviders', {
      summary: 'List the providers that users may sign in with',
      success: { 200: jsonResponse('The providers.', object({ data: list(object({ name: text, label: text })) })) },
      open: true,
    }),
  connect: () =>
    auth('beginSignIn', {
      summary: 'Sign in with another provider: redirects to it',
      parameters: [
        provider,
        queryParameter('callback', 'Page to come back to; one of the setting auth.providers.', text),
        {
          name: 'code_challenge',
          in: 'query',
          required: true,
          description: 'SHA-256 of a code verifier, in base64url.',
          schema: { ...text, pattern: '^[\\w-]{43}$' },
        },
        { name: 'code_challenge_method', in: 'query', schema: { type: 'string', enum: ['S256'] } },
      ],
      success: { 302: redirect('To the provider.') },
      open: true,
    }),
  connected: () =>
    auth('finishSignIn', {
      summary: 'The way back from a provider',
      description: 'Browsers come here from the provider; programs do not call it.',
      parameters: [
        provider,
        { name: 'state', in: 'query', schema: text },
        { name: 'code', in: 'query', schema: text },
        { name: 'error', in: 'query', schema: text },
      ],
      success: { 302: redirect('To the page of the front end, with `?code=` or `?error=`.') },
      open: true,
    }),
  exchangeCode: (tools: Toolbox) =>
    auth('exchangeCode', {
      summary: 'Exchange the code of a sign-in for tokens',
      parameters: [provider, ...(cookies(tools).parameters ?? [])],
      body: jsonBody(object({ code: text, code_verifier: text, deviceId }, ['code', 'code_verifier'])),
      success: { 200: signedIn(tools) },
      open: true,
    }),
  /** Responds with an error whatever the provider. */
  provider: () => undefined,
  forgotPassword: () =>
    auth('forgotPassword', {
      summary: 'Send a mail with a code to a user who forgot the password',
      description: 'The response is the same whether there is such a user or not.',
      body: jsonBody(object(texts('email'))),
      success: { 200: ok },
      open: true,
    }),
  resetPassword: (tools: Toolbox) =>
    auth('resetPassword', {
      summary: 'Set a new password with the code of a mail',
      body: jsonBody(object({ code: text, ...newPassword })),
      success: { 200: signedIn(tools) },
      open: true,
    }),
  changePassword: (tools: Toolbox) =>
    auth('changePassword', {
      summary: 'Change the own password; every session ends',
      body: jsonBody(object({ currentPassword: text, ...newPassword })),
      success: { 200: signedIn(tools) },
    }),
  emailConfirmation: () =>
    auth('confirmEmail', {
      summary: 'Confirm an e-mail address: the link in a mail',
      parameters: [{ name: 'confirmation', in: 'query', required: true, description: 'The code of the link.', schema: text }],
      success: { 302: redirect('To the page of the setting auth.emailConfirmationPage.') },
      open: true,
    }),
  sendEmailConfirmation: () =>
    auth('sendEmailConfirmation', {
      summary: 'Send the mail that confirms an e-mail address again',
      body: jsonBody(object(texts('email'))),
      success: { 200: jsonResponse('Sent, if there is a user to send it to.', object({ email: text, sent: { const: true } })) },
      open: true,
    }),
  refresh: (tools: Toolbox) =>
    auth('refreshToken', {
      summary: 'Get a new pair of tokens',
      ...cookies(tools),
      body: jsonBody(object({ refreshToken: { ...text, description: 'Left out where it is in the cookie.' } }, []), false),
      success: { 200: jsonResponse('The new tokens.', object({ jwt: text, refreshToken: text }, ['jwt'])) },
      open: true,
    }),
  logout: (tools: Toolbox) =>
    auth('logout', {
      summary: 'End the session',
      ...cookies(tools),
      body: jsonBody(
        object(
          { scope: { type: 'string', enum: ['all'], description: 'Ends every session of the user.' }, deviceId, refreshToken: text },
          [],
        ),
        false,
      ),
      success: { 200: ok },
    }),
  getSessions: () =>
    auth('listSessions', {
      summary: 'List the own sessions',
      success: {
        200: jsonResponse(
          'The sessions; the current one first.',
          object({
            data: {
              type: 'array',
              items: object(
                {
                  id: text,
                  deviceId: { type: ['string', 'null'] },
                  deviceName: text,
                  current: { type: 'boolean' },
                  loginAt: text,
                  lastActiveAt: { type: 'string', format: 'date-time' },
                },
                ['id', 'current', 'lastActiveAt'],
              ),
            },
          }),
        ),
      },
    }),
  revokeSession: () =>
    auth('endSession', {
      summary: 'End one of the own sessions',
      parameters: [pathParameter('sessionId', 'Id of the session.')],
      success: { 200: jsonResponse('The session has ended.', object({ data: { type: 'object' } })) },
    }),

  users: (tools: Toolbox) =>
    ofUsers('listUsers', tools, (type) => ({
      summary: 'List users',
      parameters: tools.queries.ofBareList(type),
      success: { 200: jsonResponse('The users, without an envelope.', list(tools.types.shown(type))) },
    })),
  usersCount: (tools: Toolbox) =>
    ofUsers('countUsers', tools, (type) => ({
      summary: 'Count users',
      parameters: [tools.queries.filters(type)],
      success: { 200: jsonResponse('The number of users.', { type: 'integer' }) },
    })),
  usersMe: (tools: Toolbox) =>
    ofUsers('getOwnUser', tools, (type) => ({
      summary: 'Read the user who is signed in',
      parameters: tools.queries.ofBareDocument(type),
      success: { 200: jsonResponse('The user.', tools.types.shown(type)), 204: nobody },
    })),
  user: (tools: Toolbox) =>
    ofUsers('getUser', tools, (type) => ({
      summary: 'Read a user',
      parameters: [rowId('user'), ...tools.queries.ofBareDocument(type)],
      success: { 200: jsonResponse('The user.', tools.types.shown(type)), 204: nobody },
    })),
  createUser: (tools: Toolbox) =>
    ofUsers('createUser', tools, (type) => ({
      summary: 'Create a user',
      body: userBody('create', type, tools),
      success: { 201: jsonResponse('The user, with the role.', tools.types.shown(type)), 204: nobody },
    })),
  updateUser: (tools: Toolbox) =>
    ofUsers('updateUser', tools, (type) => ({
      summary: 'Change a user; attributes that the body leaves out stay',
      parameters: [rowId('user')],
      body: userBody('update', type, tools),
      success: { 200: jsonResponse('The user, with the role.', tools.types.shown(type)), 204: nobody },
    })),
  updateMe: (tools: Toolbox) =>
    ofUsers('updateOwnUser', tools, (type) => ({
      summary: 'Change attributes of the user who is signed in',
      parameters: tools.queries.ofBareDocument(type),
      body: jsonBody({ type: 'object', description: `May have ${tools.config.auth.ownFields.join(', ')}.` }),
      success: { 200: jsonResponse('The user.', tools.types.shown(type)), 204: nobody },
    })),
  deleteUser: (tools: Toolbox) =>
    ofUsers('deleteUser', tools, (type) => ({
      summary: 'Delete a user',
      parameters: [rowId('user')],
      success: { 200: jsonResponse('The user that was deleted.', tools.types.shown(type)), 204: nobody },
    })),

  roles: () =>
    ofRoles('listRoles', {
      summary: 'List roles',
      success: { 200: jsonResponse('The roles.', object({ roles: { type: 'array', items: role({ nb_users: { type: 'integer' } }) } })) },
    }),
  role: () =>
    ofRoles('getRole', {
      summary: 'Read a role with its rights',
      parameters: [rowId('role')],
      success: { 200: jsonResponse('The role.', object({ role: role({ permissions: rightsTree }) })) },
    }),
  createRole: () => ofRoles('createRole', { summary: 'Create a role', body: jsonBody(roleBody), success: { 200: ok } }),
  updateRole: () =>
    ofRoles('updateRole', {
      summary: 'Change a role and its rights',
      parameters: [rowId('role')],
      body: jsonBody(roleBody),
      success: { 200: ok },
    }),
  deleteRole: () =>
    ofRoles('deleteRole', {
      summary: 'Delete a role; its users get the role of the public',
      parameters: [rowId('role')],
      success: { 200: ok },
    }),
  permissions: () =>
    ofRoles('listRights', {
      summary: 'List the rights that roles may have',
      success: { 200: jsonResponse('The rights, all switched off.', object({ permissions: rightsTree })) },
    }),
} as const;

const nobody: Response = { description: 'There is no such user, or none that the caller may read.' };

function ofUsers(operationId: string, { model }: Toolbox, describe: (type: ContentType) => Description): DescribedOperation | undefined {
  const type = model.contentTypes.get(userUid);
  return type === undefined ? undefined : { operationId, tag: users, errors: 'Account', ...describe(type) };
}

const ofRoles = (operationId: string, rest: Description): DescribedOperation => ({ operationId, tag: roles, errors: 'Role', ...rest });

/** Attributes of the user, without an envelope. */
function userBody(action: 'create' | 'update', type: ContentType, { visible, types, components }: Toolbox): RequestBody {
  const isNew = action === 'create';
  const name = isNew ? 'UsersPermissionsUserCreate' : 'UsersPermissionsUserUpdate';
  const schema = components.schema(name, () => {
    const properties = visible.writableOfUsers(type, action).map((each: Attribute) => [each.name, types.sentProperty(each, true)] as const);
    const roleKey: JsonSchema = { type: ['integer', 'string'], description: 'Id of the role.' };
    const connected = object({ connect: list({}), disconnect: list({}) }, ['connect']);
    return {
      ...object(
        { ...Object.fromEntries(properties), role: { anyOf: [roleKey, connected] } },
        isNew ? ['username', 'email', 'password', 'role'] : [],
      ),
      description: isNew ? 'A new user.' : 'Changes of a user.',
    };
  });
  return jsonBody(schema);
}

const nullableText: JsonSchema = { type: ['string', 'null'] };

const role = (more: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  object({
    id: { type: 'integer' },
    documentId: nullableText,
    name: nullableText,
    description: nullableText,
    type: nullableText,
    createdAt: nullableText,
    updatedAt: nullableText,
    publishedAt: nullableText,
    ...more,
  });

const rightsTree: JsonSchema = {
  type: 'object',
  description: 'API or plugin → `controllers` → controller → action → `{"enabled": true}`.',
  additionalProperties: { type: 'object' },
};

const roleBody: JsonSchema = object({ name: nullableText, description: nullableText, type: nullableText, permissions: rightsTree }, []);
