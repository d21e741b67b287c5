/** `auth.providers`: OpenID Connect providers by name. */
import { isObject } from '../text/json.ts';
import { keyReader, listOfTexts, type Rule } from './object-rules.ts';
import type { JsonShape } from './setting.ts';

/** An OpenID Connect provider with which users may sign in. */
export interface ProviderConfig {
  /** The name, which is part of paths and stored in the column `provider` of users. */
  readonly name: string;
  /** The text of a button in the front end. */
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The secret; undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** The scopes, separated by spaces. */
  readonly scope: string;
  /** URLs to which the code may be sent; they are compared exactly. */
  readonly callbacks: readonly string[];
  /** Whether an account is created for new users. */
  readonly register: boolean;
  /** The type of the role that new users get; undefined for Strapi's default role. */
  readonly role: string | undefined;
  /** Claims from which a new user's name is taken, in order of preference. */
  readonly usernameClaims: readonly string[];
  /** Whether e-mail addresses count as verified if the provider does not say so. */
  readonly trustEmail: boolean;
  /** Whether a user with a verified e-mail address gets the local account with that address. */
  readonly linkByEmail: boolean;
}

/** A provider without its secret, which comes from the environment. */
type WithoutSecret = Omit<ProviderConfig, 'clientSecret'>;
export type Providers = Readonly<Record<string, WithoutSecret>>;

/** `auth.providers.company` → `LECTERN_AUTH_PROVIDERS_COMPANY_CLIENT_SECRET`. */
export const clientSecretVariable = (name: string): string =>
  `LECTERN_AUTH_PROVIDERS_${name.replaceAll('-', '_').toUpperCase()}_CLIENT_SECRET`;

/** Names of built-in ways to sign in. */
const taken = new Set(['local', 'email']);
const isName = (name: string) => /^[a-z][a-z0-9-]{0,31}$/.test(name) && !taken.has(name);

const text: Rule<string> = {
  shape: 'a text',
  read: (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined),
};
const flag: Rule<boolean> = { shape: 'true or false', read: (value) => (typeof value === 'boolean' ? value : undefined) };
const texts = (of: string, holds: (value: string) => boolean): Rule<readonly string[]> => ({
  shape: `a list of ${of}`,
  read: listOfTexts(holds),
});

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Plain HTTP is allowed only for this machine. */
const isWebUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
  return isSafe && username === '' && password === '' && search === '' && hash === '' && !/[?#]/.test(value);
};
const webUrl = 'https URLs (http only for localhost) without a query';

/** Callback URLs are compared exactly with those of requests, which have the form of browsers. */
const callbacks = texts(`${webUrl}, as a browser shows them`, (value) => isWebUrl(value) && new URL(value).href === value);
const issuer: Rule<string> = {
  shape: 'the provider’s issuer, an https URL (http only for localhost) without a query',
  read: (value) => (typeof value === 'string' && isWebUrl(value) ? value : undefined),
};
const scope: Rule<string> = {
  shape: 'scopes separated by spaces, with openid among them',
  read: (value) => (typeof value === 'string' && value.split(' ').includes('openid') ? value : undefined),
};

const rules = {
  label: text,
  issuer,
  clientId: text,
  scope,
  callbacks,
  register: flag,
  role: text,
  usernameClaims: texts('claims', (value) => value !== ''),
  trustEmail: flag,
  linkByEmail: flag,
} satisfies { readonly [Key in keyof Omit<WithoutSecret, 'name'>]: Rule<unknown> };

const required: ReadonlySet<string> = new Set(['issuer', 'clientId', 'callbacks']);

export const providers: JsonShape<Providers> = {
  shape: 'an object of OpenID Connect providers by name (JSON in a variable)',
  fallback: {},
  read: (value, problems) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, provider(name, entry, problems)])) : undefined,
};

function provider(name: string, entry: unknown, problems: string[]): WithoutSecret {
  const object = isObject(entry) ? entry : {};
  if (!isName(name)) problems.push(`"${name}" is not a valid name: use 1 to 32 of a-z, 0-9 and -, but not local or email`);
  else if (!isObject(entry)) problems.push(`${name} must be an object`);
  const unknown = Object.keys(object).filter((key) => !Object.hasOwn(rules, key));
  for (const key of unknown)
    problems.push(
      key === 'clientSecret'
        ? `${name}.clientSecret must not be here, where others can read it; set ${clientSecretVariable(name)} in the environment or .env`
        : `${name}.${key} is an unknown key; the known ones are ${Object.keys(rules).join(', ')}`,
    );
  const read = keyReader(object, required, (problem) => problems.push(`${name}.${problem}`));
  return {
    name,
    label: read('label', rules.label, name),
    issuer: read('issuer', rules.issuer, ''),
    clientId: read('clientId', rules.clientId, ''),
    scope: read('scope', rules.scope, 'openid profile email'),
    callbacks: read('callbacks', rules.callbacks, []),
    register: read('register', rules.register, true),
    role: object.role === undefined ? undefined : read('role', rules.role, ''),
    usernameClaims: read('usernameClaims', rules.usernameClaims, ['preferred_username', 'nickname', 'name']),
    trustEmail: read('trustEmail', rules.trustEmail, false),
    linkByEmail: read('linkByEmail', rules.linkByEmail, false),
  };
}
