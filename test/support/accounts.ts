/** A project with users who sign in, and what tests of accounts need. */
import { createHmac } from 'node:crypto';
import { anyEngine, type EngineName } from './engines.ts';
import type { HttpResponse } from './http.ts';
import { type Attributes, relation, schemaFiles } from './schema-files.ts';
import { type Json, type Served, useProject } from './served-project.ts';
import type { Environment } from './server.ts';

export const jwtSecret = 'accounts-jwt-secret-of-some-length';
export const profiles = ['specification', 'strapi'] as const;
/** Both profiles ask a database alike: the second one is tested on one engine. */
export const profilesOn = (engine: EngineName) => profiles.slice(0, anyEngine.includes(engine) ? 2 : 1);

export const ada = { username: 'ada', email: 'ada@example.org', password: 'Ada-Pass-1' };
export const ben = { username: 'ben', email: 'ben@example.org', password: 'Ben-Pass-1' };

/** A hash takes a millisecond. */
const quickRounds = 4;

/** As Strapi writes them into a project that extends its users. */
const ownAttributes = {
  username: { type: 'string', minLength: 3, unique: true, configurable: false, required: true },
  email: { type: 'email', minLength: 6, configurable: false, required: true },
  provider: { type: 'string', configurable: false },
  password: { type: 'password', minLength: 6, configurable: false, private: true, searchable: false },
  resetPasswordToken: { type: 'string', configurable: false, private: true, searchable: false },
  confirmationToken: { type: 'string', configurable: false, private: true, searchable: false },
  confirmed: { type: 'boolean', default: false, configurable: false },
  blocked: { type: 'boolean', default: false, configurable: false },
  role: {
    type: 'relation',
    relation: 'manyToOne',
    target: 'plugin::users-permissions.role',
    inversedBy: 'users',
    configurable: false,
  },
};

export const userSchema = (attributes: Attributes) => ({
  kind: 'collectionType',
  collectionName: 'up_users',
  info: { name: 'user', singularName: 'user', pluralName: 'users', displayName: 'User' },
  options: { draftAndPublish: false },
  attributes: { ...ownAttributes, ...attributes },
});

const own = (...actions: string[]) => actions.map((action) => `plugin::users-permissions.${action}`);

export interface Accounts extends Served {
  post(path: string, body: unknown, options?: PostOptions): Promise<HttpResponse>;
  /** Signs in and returns the tokens. */
  signIn(user: { readonly username: string; readonly password: string }): Promise<SignedIn>;
  /** As a user. */
  as(jwt: string, method: string, path: string, body?: unknown): Promise<HttpResponse>;
  userId(username: string): Promise<number>;
  roleId(type: string): Promise<number>;
  /** Strapi's advanced settings of users, in the place of those that there are. */
  setAdvanced(settings: Json): Promise<void>;
  /** Does work while some of them are changed. */
  withAdvanced(change: Json, work: () => Promise<void>): Promise<void>;
}

export interface SignedIn {
  readonly jwt: string;
  readonly refreshToken: string;
}

interface PostOptions {
  readonly jwt?: string;
  readonly who?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
}

const isAdvanced = "strapi_core_store_settings.key = 'plugin_users-permissions_advanced'";

let addresses = 0;
/** One that no request came from before: attempts are counted by address. */
export function newAddress(): string {
  addresses++;
  return `127.1.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

/** Called in the body of a `describe`. Tests of how long a password takes need the usual ten rounds. */
export function useAccounts(
  engine: EngineName,
  env: Environment | (() => Environment) = {},
  { rounds = quickRounds, ownProcess = false }: { readonly rounds?: number; readonly ownProcess?: boolean } = {},
): Accounts {
  const served = useProject(engine, {
    ownProcess,
    files: {
      ...schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
      'src/extensions/users-permissions/content-types/user/schema.json': userSchema({
        password: { ...ownAttributes.password, encryption: { rounds } },
        motto: { type: 'string' },
        notes: relation('oneToMany', 'note'),
      }),
    },
    public: own(
      ...[
        'callback',
        'connect',
        'register',
        'forgotPassword',
        'resetPassword',
        'emailConfirmation',
        'sendEmailConfirmation',
        'refresh',
      ].map((action) => `auth.${action}`),
    ),
    authenticated: own('user.me', 'auth.changePassword', 'auth.logout', 'auth.getSessions', 'auth.revokeSession'),
    tokens: {
      manager: own('user.create', 'user.update', 'user.destroy', 'user.find', 'role.find'),
      creator: own('user.create', 'user.update'),
    },
    users: [ada, ben],
    env: () => ({ JWT_SECRET: jwtSecret, ...(typeof env === 'function' ? env() : env) }),
  });
  const firstNumber = async (text: string) => Number((await served.query(text))[0]?.[0]);
  // Getters of `served` must stay getters: the project is there from beforeAll on.
  const accounts: Accounts = Object.assign(Object.create(served, {}) as Served, {
    post: (path: string, body: unknown, { jwt, who = 'public', headers = {}, from = newAddress() }: PostOptions = {}) =>
      served.send(who, {
        method: 'POST',
        path,
        body,
        from,
        headers: { ...(jwt === undefined ? {} : { Authorization: `Bearer ${jwt}` }), ...headers },
      }),
    async signIn({ username, password }: { readonly username: string; readonly password: string }) {
      const response = await accounts.post('/api/auth/local', { identifier: username, password });
      return signedInBy(response);
    },
    as: (jwt: string, method: string, path: string, body?: unknown) =>
      served.send('public', {
        method,
        path,
        headers: { Authorization: `Bearer ${jwt}` },
        from: newAddress(),
        ...(body === undefined ? {} : { body }),
      }),
    userId: (username: string) => firstNumber(`SELECT id FROM up_users WHERE username = '${username}'`),
    roleId: (type: string) => firstNumber(`SELECT id FROM up_roles WHERE type = '${type}'`),
    setAdvanced: (settings: Json) =>
      served.change(`UPDATE strapi_core_store_settings SET value = '${JSON.stringify(settings)}' WHERE ${isAdvanced}`),
    async withAdvanced(change: Json, work: () => Promise<void>) {
      const [[text] = []] = await served.query(`SELECT value FROM strapi_core_store_settings WHERE ${isAdvanced}`);
      const before = JSON.parse(String(text)) as Json;
      await accounts.setAdvanced({ ...before, ...change });
      await work().finally(() => accounts.setAdvanced(before));
    },
  });
  return accounts;
}

/** The tokens of a response, from its body or its cookie. */
export function signedInBy(response: HttpResponse): SignedIn {
  const { jwt, refreshToken } = response.json() as Json;
  const cookie = response.headers['set-cookie']?.find((each) => each.startsWith('strapi_up_refresh='));
  const refresh = refreshToken ?? cookie?.slice('strapi_up_refresh='.length).split(';')[0];
  if (typeof jwt !== 'string') throw new Error(`not signed in: ${response.status} ${response.text.slice(0, 500)}`);
  return { jwt, refreshToken: typeof refresh === 'string' ? refresh : '' };
}

/** A part of a JSON Web Token. */
export const tokenPart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
export function signedToken(header: object, payload: object, secret = jwtSecret, algorithm = 'sha256'): string {
  const text = `${tokenPart(header)}.${tokenPart(payload)}`;
  return `${text}.${createHmac(algorithm, secret).update(text).digest('base64url')}`;
}
