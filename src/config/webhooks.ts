/** `webhooks`: a list of receivers of events. */
import { isSecret } from '../events/webhooks/sign-webhook.ts';
import { eventNames, type Webhook } from '../events/webhooks/webhook.ts';
import { isObject } from '../text/json.ts';
import { orMeant } from '../text/nearest.ts';
import { keyReader, listOfTexts, type Rule } from './object-rules.ts';
import type { JsonShape } from './setting.ts';

export type WebhookConfig = Omit<Webhook, 'key'>;

const isText = (value: unknown): value is string => typeof value === 'string';

/** `${NAME}` stands for the variable, which is put in afterwards. */
const placeholder = /\$\{([A-Za-z_]\w*)\}/g;
export const hasPlaceholder = (text: string): boolean => text.match(placeholder) !== null;

export function isReceiverUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

const headerName = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** Set by the server itself. */
const reserved = /^(?:host|content-length|content-type|transfer-encoding|connection|webhook-.*)$/i;
export const isHeader = (entry: readonly [string, unknown]): entry is readonly [string, string] => isHeaderText(...entry);

const isHeaderText = (name: string, value: unknown) =>
  headerName.test(name) && !reserved.test(name) && isText(value) && /^[\t\x20-\x7e\x80-\xff]{0,4096}$/.test(value);

/** Parameters that the event decides, or that would hide its document. */
const ofEvents: ReadonlySet<string> = new Set([
  'filters',
  'locale',
  'status',
  'pagination',
  '_q',
  'publicationFilter',
  'hasPublishedVersion',
]);

/** The first parts of a query's names: `[populate][a]=b` has `populate`. */
const namesIn = (query: string): readonly string[] =>
  [...new URLSearchParams(query).keys()].map((name) => name.replace(/^\[/, '').split(/[[\].]/)[0] ?? '');

const webhookRules = {
  name: {
    shape: '1 to 64 letters, digits, - and _, not digits alone',
    read: (value) => (isText(value) && /^(?!\d+$)[\w-]{1,64}$/.test(value) ? value : undefined),
  },
  url: {
    shape: 'an http or https URL without user and password',
    read: (value) => (isText(value) && (hasPlaceholder(value) || isReceiverUrl(value)) ? value : undefined),
  },
  events: {
    shape: `a list of ${[...eventNames.keys()].filter((name) => !name.startsWith('entry.')).join(', ')}`,
    read(value) {
      const names = listOfTexts((name) => eventNames.has(name))(value);
      return names?.flatMap((name) => eventNames.get(name) ?? []);
    },
    hint(value) {
      const unknown = Array.isArray(value) ? value.find((name) => isText(name) && !eventNames.has(name)) : undefined;
      return isText(unknown) ? orMeant(unknown, eventNames.keys()) : '';
    },
  },
  types: { shape: 'a list of uids of content types', read: listOfTexts((uid) => uid.includes('::')) },
  headers: {
    shape:
      'an object of names and texts; Host, Connection, Transfer-Encoding, Content-Type, Content-Length and Webhook-* are set by the server',
    read: (value) => (isObject(value) && Object.entries(value).every(isHeader) ? (value as Readonly<Record<string, string>>) : undefined),
  },
  secret: {
    shape: 'whsec_ and 24 to 64 bytes in base64, or a list of two while it is replaced',
    read: (value) =>
      listOfTexts((text) => hasPlaceholder(text) || isSecret(text))(
        isText(value) ? [value] : Array.isArray(value) && value.length > 2 ? undefined : value,
      ),
  },
  payload: { shape: '"entry" or "thin"', read: (value) => (value === 'entry' || value === 'thin' ? value : undefined) },
  as: {
    shape: 'full-access, read-only, or the type of a role',
    read: (value) => (isText(value) && value.length > 0 && value.length <= 255 ? value : undefined),
  },
  query: {
    shape: `a query such as populate=cover, without ${[...ofEvents].join(', ')}`,
    read: (value) => (isText(value) && value.length <= 4096 && !namesIn(value).some((name) => ofEvents.has(name)) ? value : undefined),
  },
} satisfies Readonly<Record<string, Rule<unknown>>>;

const required: ReadonlySet<string> = new Set(['name', 'url', 'events']);

export const webhooks: JsonShape<readonly WebhookConfig[]> = {
  shape: 'a list of webhooks (JSON in a variable), each with `name`, `url` and `events`',
  fallback: [],
  read(value, problems) {
    if (!Array.isArray(value)) return undefined;
    const found = value.map((entry, index) => readWebhook(entry, `${index + 1}`, problems));
    const names = found.map(({ name }) => name);
    for (const name of new Set(names))
      if (names.indexOf(name) !== names.lastIndexOf(name)) problems.push(`there are two webhooks "${name}"`);
    return found;
  },
};

/** Reads one webhook. `place` names it in problems until its name is known. */
export function readWebhook(entry: unknown, place: string, problems: string[]): WebhookConfig {
  const object = isObject(entry) ? entry : {};
  const shown = webhookRules.name.read(object.name) ?? place;
  if (!isObject(entry)) problems.push(`webhook ${shown} must be an object`);
  for (const key of Object.keys(object).filter((each) => !Object.hasOwn(webhookRules, each)))
    problems.push(`webhook ${shown}: ${key} is an unknown key; the known ones are ${Object.keys(webhookRules).join(', ')}`);
  const read = keyReader(object, required, (problem) => problems.push(`webhook ${shown}: ${problem}`));
  return {
    name: read('name', webhookRules.name, ''),
    url: read('url', webhookRules.url, ''),
    events: read('events', webhookRules.events, []),
    types: object.types === undefined ? undefined : read('types', webhookRules.types, []),
    headers: read('headers', webhookRules.headers, {}),
    secrets: read<readonly string[]>('secret', webhookRules.secret, []),
    payload: read<'entry' | 'thin'>('payload', webhookRules.payload, 'entry'),
    as: read('as', webhookRules.as, 'read-only'),
    query: read('query', webhookRules.query, 'populate=*'),
  };
}

/** Puts variables in the place of `${NAME}` in URLs, headers and secrets. */
export function withVariables(
  list: readonly WebhookConfig[],
  variable: (name: string) => string | undefined,
  problems: string[],
): readonly WebhookConfig[] {
  return list.map((webhook) => {
    const put = (text: string) =>
      text.replace(placeholder, (_, name: string) => {
        const value = variable(name);
        if (value === undefined) problems.push(`webhook ${webhook.name}: the variable ${name} is not set`);
        return value ?? '';
      });
    const filled = {
      ...webhook,
      url: put(webhook.url),
      headers: Object.fromEntries(Object.entries(webhook.headers).map(([name, value]) => [name, put(value)])),
      secrets: webhook.secrets.map(put),
    };
    if (problems.length > 0) return filled;
    if (!isReceiverUrl(filled.url)) problems.push(`webhook ${webhook.name}: url must be ${webhookRules.url.shape}`);
    if (!filled.secrets.every(isSecret)) problems.push(`webhook ${webhook.name}: secret must be ${webhookRules.secret.shape}`);
    if (!Object.entries(filled.headers).every(isHeader))
      problems.push(`webhook ${webhook.name}: headers must be ${webhookRules.headers.shape}`);
    return filled;
  });
}
