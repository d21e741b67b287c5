/** A small project of one test file, with a database of its own, served. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import bcrypt from 'bcrypt';
import { afterAll, beforeAll } from 'vitest';
import type { SeedContent, SeedUser } from '../../src/demo-content/content.ts';
import { documentIdOf } from '../../src/demo-content/stable-document-id.ts';
import { writeContent } from '../../src/demo-content/write-content.ts';
import type { Row } from '../../src/dialects/dialect.ts';
import { prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { usualRounds } from '../../src/model/attributes/password-rounds.ts';
import { loadModel } from '../../src/model/load/load-model.ts';
import { type EngineName, untilNoticed } from './engines.ts';
import type { HttpResponse, SentRequest } from './http.ts';
import { makeProject, type Project } from './project.ts';
import { seedLocales } from './seeds.ts';
import { type Environment, type Finished, type RunningServer, run, serverOfTest, startProcess, startServer } from './server.ts';
import { withDatabase } from './with-database.ts';
import { type Files, writeFiles } from './write-files.ts';

export interface ServedOptions {
  readonly files: Files;
  readonly types?: SeedContent['types'];
  readonly locales?: SeedContent['locales'];
  /** Rights of callers without credentials. */
  readonly public?: readonly string[];
  /** Rights of the users. */
  readonly authenticated?: readonly string[];
  readonly users?: readonly SeedUser[];
  /** The restrictions of rights, by role and action. */
  readonly rules?: Readonly<Partial<Record<'public' | 'authenticated', Readonly<Record<string, Rule>>>>>;
  /** Custom tokens by name: what they may do. There is always `full`, a full-access one. */
  readonly tokens?: Readonly<Record<string, readonly string[]>>;
  /** Asked for when the server is started. */
  readonly env?: Environment | (() => Environment);
  /** Done to the database that is filled, before the server is started. */
  readonly prepare?: (project: Project) => void | Promise<void>;
  /** Serves in a process of its own, for tests that look at the process. */
  readonly ownProcess?: boolean;
  /** The URL of an empty database to be used instead of one on the server of the tests. */
  readonly database?: () => string;
}

export interface Rule {
  readonly fields?: readonly string[];
  /** An object, or the text that stands in the table. */
  readonly where?: Json | string;
}

/** A document, or anything else in a JSON response. */
export type Json = Readonly<Record<string, unknown>>;

export interface Served {
  readonly project: Project;
  readonly server: RunningServer;
  /** All that the server is started with, for a second one of the same project. */
  readonly environment: Environment;
  /** `who` is `public`, `full` or the name of a token. */
  ask(who: string, method: string, path: string, data?: unknown, headers?: Readonly<Record<string, string>>): Promise<HttpResponse>;
  authorization(who: string): Readonly<Record<string, string>>;
  /** The same with any body. */
  send(who: string, request: SentRequest): Promise<HttpResponse>;
  /** As `full`: `data` of the response, which must be a success. */
  write(method: string, path: string, data?: unknown): Promise<Json>;
  read(path: string): Promise<Json>;
  /** As `full`: makes a document, and returns its path without the query. */
  make(path: string, data: unknown): Promise<string>;
  /** Straight from the database. */
  query(text: string): Promise<readonly Row[]>;
  /** Behind the server's back, in one transaction. */
  change(...texts: readonly string[]): Promise<void>;
  /** Stops the server, runs a command of the project's, such as `migrate apply`. */
  command(...args: readonly string[]): Promise<Finished>;
  /** Stops the server, changes files of the project, and starts it again; null where the start refuses. */
  restart(files: Files): Promise<RunningServer | null>;
  /** Another server of the project, until the end of the test. */
  beside(env?: Environment): Promise<RunningServer>;
}

export const apiTokenSalt = 'small-api-token-salt';
const tokenOf = (name: string) => Buffer.from(`small-${name}-`.repeat(8)).toString('hex').slice(0, 128);

/** Called in the body of a `describe`. */
export function useProject(engine: EngineName, options: ServedOptions): Served {
  let project: Project | undefined;
  let server: RunningServer | undefined;
  const environment = (of: Project): Environment => {
    const env = typeof options.env === 'function' ? options.env() : options.env;
    return { ...of.env, API_TOKEN_SALT: apiTokenSalt, LECTERN_LOG_LEVEL: 'warn', ...env };
  };
  const serve = options.ownProcess === true ? startProcess : startServer;
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  beforeAll(async () => {
    project = await makeProject(engine, options.files, options.database?.());
    await fill(project, options);
    await options.prepare?.(project);
    server = await serve(project.dir, environment(project));
  });
  afterAll(async () => {
    await server?.stop();
    await project?.remove();
  });
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the project is served from beforeAll on');
    return value;
  };
  const served: Served = {
    get project() {
      return present(project);
    },
    get server() {
      return present(server);
    },
    get environment() {
      return environment(present(project));
    },
    authorization: (who): Readonly<Record<string, string>> => (who === 'public' ? {} : { Authorization: `Bearer ${tokenOf(who)}` }),
    send: (who, request) => present(server).send({ ...request, headers: { ...served.authorization(who), ...request.headers } }),
    ask: (who, method, path, data, headers = {}) =>
      served.send(who, { method, path, headers, ...(data === undefined ? {} : { body: { data } }) }),
    async write(method, path, data) {
      const response = await served.ask('full', method, path, data);
      if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text.slice(0, 1000)}`);
      return response.text === '' ? {} : dataOf(response);
    },
    read: (path) => served.write('GET', path),
    async make(path, data) {
      const { documentId } = await served.write('POST', path, data);
      return `${path.split('?')[0]}/${String(documentId)}`;
    },
    async change(...texts) {
      await changeIn(present(project), ...texts);
      await untilNoticed(engine, environment(present(project)), texts);
    },
    query: (text) => queryIn(present(project), text),
    async command(...args) {
      await stop();
      return run([...args, '--dir', present(project).dir], environment(present(project)));
    },
    async restart(files) {
      await stop();
      writeFiles(present(project).dir, files);
      server = await serve(present(project).dir, environment(present(project))).catch(() => undefined);
      return server ?? null;
    },
    beside: (env = {}) => serverOfTest(present(project).dir, { ...environment(present(project)), ...env }),
  };
  return served;
}

export const changeIn = (project: Project, ...texts: readonly string[]): Promise<void> =>
  withDatabase(project, (database) =>
    database.write(async (connection) => {
      for (const text of texts) await connection.query(text, []);
    }),
  );

export const queryIn = (project: Project, text: string): Promise<readonly Row[]> =>
  withDatabase(project, (database) => database.read((connection) => connection.query(text, [])));

/** Makes the tables of the project's types, and writes content into them. */
export async function fillProject(project: Project, content: SeedContent, asStrapi = false): Promise<void> {
  const loaded = loadModel(project.dir, { customFields: {}, asStrapi });
  if (!loaded.ok) throw new Error(loaded.errors.map(({ file, path, problem }) => `${file}: ${path}: ${problem}`).join('\n'));
  mkdirSync(dirname(project.file), { recursive: true });
  await withDatabase(project, async (database) => {
    const prepared = await prepareDatabase(database, loaded.model, { migrate: 'auto' });
    if (!prepared.ok) throw new Error(prepared.problems.join('\n'));
    await withQuickHashes(() => writeContent(database, loaded.model, content));
  });
}

async function fill(
  project: Project,
  { types = [], locales, tokens = {}, public: open = [], authenticated = [], users = [], rules = {}, env }: ServedOptions,
): Promise<void> {
  const custom = Object.entries(tokens).map(([name, permissions]) => ({
    name,
    type: 'custom' as const,
    token: tokenOf(name),
    permissions,
  }));
  const access = {
    public: [...open],
    authenticated: [...authenticated],
    users,
    apiTokenSalt,
    tokens: [{ name: 'full', type: 'full-access' as const, token: tokenOf('full') }, ...custom],
  };
  const asStrapi = typeof env === 'object' && env.LECTERN_PROFILE === 'strapi';
  await fillProject(project, { locales: locales ?? seedLocales('en'), types, access }, asStrapi);
  const statements = Object.entries(rules).flatMap(([role, actions]) =>
    Object.entries(actions).flatMap(([action, rule]) => ruleStatements(role, action, rule)),
  );
  if (statements.length > 0) await changeIn(project, ...statements);
}

const { hashSync } = bcrypt;
/** Where a type does not set the number of rounds, passwords get four in place of ten: a hash takes a millisecond, not some fifty. */
async function withQuickHashes(work: () => Promise<void>): Promise<void> {
  bcrypt.hashSync = (password, rounds) => hashSync(password, rounds === usualRounds ? 4 : rounds);
  await work().finally(() => {
    bcrypt.hashSync = hashSync;
  });
}

/** Puts a rule into the table, instead of the one that is there. */
export function ruleStatements(role: string, action: string, { fields, where }: Rule): readonly string[] {
  const text = (value: unknown) =>
    value === undefined ? 'NULL' : `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
  const ofRole = `FROM up_roles WHERE type = '${role}'`;
  return [
    `DELETE FROM lectern_role_rules WHERE action = '${action}' AND role_id IN (SELECT id ${ofRole})`,
    `INSERT INTO lectern_role_rules (role_id, action, fields, "condition") SELECT id, '${action}', ${text(fields)}, ${text(where)} ${ofRole}`,
  ];
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `data` of a response; throws if there is no document. */
export function dataOf(response: HttpResponse): Json {
  const body = response.json();
  if (isJson(body) && isJson(body.data)) return body.data;
  throw new Error(`no document (status ${response.status}): ${response.text.slice(0, 1000)}`);
}

export interface SentError {
  readonly status: number;
  readonly name: string;
  /** Only in profile `specification`. */
  readonly code?: string;
  readonly message: string;
  readonly details: {
    readonly errors?: readonly { readonly path: readonly string[]; readonly message: string; readonly value?: unknown }[];
  };
}

export function errorOf(response: HttpResponse): SentError {
  const body = response.json();
  if (isJson(body) && isJson(body.error)) return body.error as unknown as SentError;
  throw new Error(`no error (status ${response.status}): ${response.text.slice(0, 1000)}`);
}

/** The positions of the errors of a response: `['parts.1.label']`. */
export const errorPaths = (response: HttpResponse) => errorOf(response).details.errors?.map(({ path }) => path.join('.'));

/** The documentId of a seeded document. */
export const idOf = (type: string, key: string) => documentIdOf(`api::${type}.${type}`, key);
