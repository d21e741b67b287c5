/** The database of a new project, as `lectern init --database` names it. */
import type { DialectName } from '../dialects/dialect.ts';
import { serverUrls } from '../text/server-urls.ts';

interface Server {
  /** `DATABASE_CLIENT` */
  readonly client: DialectName;
  /** A URL with the usual user and address, which `.env` then has. */
  readonly usual: string;
  /** The shell command that makes the database of a URL. */
  readonly make: (url: URL, name: string) => string;
}

export interface DatabaseServer {
  readonly client: DialectName;
  /** `DATABASE_URL` */
  readonly url: string;
  /** A shell command, without the password. */
  readonly make: string;
}

export type DatabaseChoice =
  | { readonly kind: 'file' }
  /** `url`: undefined for the usual one. */
  | { readonly kind: 'server'; readonly server: Server; readonly url: string | undefined };

const mysql = (program: string): Server => ({
  client: 'mysql',
  usual: 'mysql://root@127.0.0.1:3306',
  make: (url, name) =>
    command(
      program,
      [
        ['host', url.hostname],
        ['port', url.port],
        ['user', decoded(url.username)],
        // Without a value, the program asks for it.
        ...(url.password === '' ? [] : [['password'] as const]),
      ],
      ['create', name],
    ),
});

const postgres: Server = {
  client: 'postgres',
  usual: 'postgres://postgres@127.0.0.1:5432',
  make: (url, name) =>
    command(
      'createdb',
      [
        ['host', url.hostname === '' ? (url.searchParams.get('host') ?? '') : url.hostname],
        ['port', url.port],
        ['username', decoded(url.username)],
      ],
      [name],
    ),
};

const servers: Readonly<Record<string, Server>> = {
  postgres,
  postgresql: postgres,
  mysql: mysql('mysqladmin'),
  mariadb: mysql('mariadb-admin'),
};

const expected = 'name sqlite, postgres or mysql, or a URL such as postgres://user:password@host:5432/name';

/** Reads `postgres`, or `postgres://user:password@host:5432/name`. */
export function readDatabaseChoice(
  text: string,
): { readonly ok: true; readonly choice: DatabaseChoice } | { readonly ok: false; readonly problem: string } {
  if (text === 'sqlite') return { ok: true, choice: { kind: 'file' } };
  const [, word = '', isUrl] = /^(\w+)(:\/\/)?/.exec(text) ?? [];
  const server = Object.hasOwn(servers, word) ? servers[word] : undefined;
  if (server === undefined || (isUrl === undefined && word !== text)) {
    // A URL may have a password.
    return { ok: false, problem: `${text.includes('://') ? 'this URL' : `"${text}"`} is of no known database server: ${expected}` };
  }
  if (isUrl === undefined) return { ok: true, choice: { kind: 'server', server, url: undefined } };
  const [first] = serverUrls(text);
  if (first === undefined || /[\s'"`]/.test(text)) return { ok: false, problem: `the URL cannot be read: ${expected}` };
  if (nameIn(first) === '') return { ok: false, problem: `the URL names no database: ${expected}` };
  return { ok: true, choice: { kind: 'server', server, url: text } };
}

/** Undefined for a file. `name`: of the database, unless a URL names it. */
export function databaseServer(choice: DatabaseChoice, name: string): DatabaseServer | undefined {
  if (choice.kind === 'file') return undefined;
  const { client, usual, make } = choice.server;
  const url = choice.url ?? `${usual}/${name}`;
  const [parsed = new URL(usual)] = serverUrls(url);
  return { client, url, make: make(parsed, nameIn(parsed)) };
}

const nameIn = ({ pathname }: URL): string => decoded(pathname.replace(/^\//, ''));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function command(program: string, options: readonly (readonly [name: string, value?: string])[], last: readonly string[]): string {
  const words = options.flatMap(([name, value]) =>
    value === undefined ? [`--${name}`] : value === '' ? [] : [`--${name}=${quoted(value)}`],
  );
  return [program, ...words, ...last.map(quoted)].join(' ');
}

const quoted = (word: string): string => (/^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
