/** The library, served. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
import { documentIdOf } from '../../../src/demo-content/stable-document-id.ts';
import { atEnd } from '../at-end.ts';
import type { EngineName } from '../engines.ts';
import type { HttpResponse, SentRequest } from '../http.ts';
import type { Project } from '../project.ts';
import { type Environment, type RunningServer, startServer } from '../server.ts';
import { apiTokenSalt, jwtSecret, reader, tokens } from './content.ts';
import { libraryProject } from './library-project.ts';

/** A caller: the public, the user with the role Authenticated, or the holder of a token. */
export type Who = 'public' | 'reader' | keyof typeof tokens;

/** A request as a sentence, and the expected response. */
export interface ApiCase {
  readonly it: string;
  readonly as?: Who;
  /** Default: what the file is about. */
  readonly path?: string;
  readonly query?: string;
  /** The entries of a list by their title, name, label, …, in order. */
  readonly finds?: readonly unknown[];
  /** `data`, without the `id` and `documentId` of any level. */
  readonly data?: unknown;
  readonly meta?: unknown;
  /** The status, and a text that the message contains: the name of the parameter, of the attribute, of the limit. */
  readonly error?: readonly [status: number, message: string];
}

export interface Library {
  readonly project: Project;
  readonly server: RunningServer;
  ask(who: Who, request: SentRequest | string): Promise<HttpResponse>;
  /** Sends the request, and compares the response with the case. */
  check(apiCase: ApiCase, path?: string): Promise<void>;
}

const secrets: Environment = { API_TOKEN_SALT: apiTokenSalt, JWT_SECRET: jwtSecret };

interface Opened {
  readonly project: Project;
  readonly server: RunningServer;
  signIn: { readonly at: number; readonly jwt: Promise<string> } | undefined;
}

const serve = async (project: Project, env: Environment): Promise<Opened> => ({
  project,
  server: await startServer(project.dir, { ...project.env, ...secrets, ...env }),
  signIn: undefined,
});

const shared = new Map<EngineName, Promise<Opened>>();

/** For tests that change nothing: all of a process have one database and one server for each engine, until the process ends. With settings, a server of their
 *  own on that database. Called in the body of a `describe`. */
export function useLibrary(engine: EngineName, env?: Environment): Library {
  let opened: Opened | undefined;
  beforeAll(async () => {
    let opening = shared.get(engine);
    if (opening === undefined) {
      opening = libraryProject(engine).then((project) => serve(project, {}));
      shared.set(engine, opening);
      // The databases on servers are dropped at the end of the run.
      const { dir } = (await opening).project;
      atEnd(() => rmSync(dir, { recursive: true, force: true }));
    }
    opened = env === undefined ? await opening : await serve((await opening).project, env);
  });
  afterAll(async () => {
    if (env !== undefined) await opened?.server.stop();
  });
  return libraryOf(() => opened);
}

/** For tests that write: a database and a server of their own. Called in the body of a `describe`. */
export function useOwnLibrary(engine: EngineName, env: Environment | ((project: Project) => Environment) = {}): Library {
  let opened: Opened | undefined;
  beforeAll(async () => {
    const project = await libraryProject(engine);
    opened = await serve(project, typeof env === 'function' ? env(project) : env);
  });
  afterAll(async () => {
    await opened?.server.stop();
    await opened?.project.remove();
  });
  return libraryOf(() => opened);
}

function libraryOf(opened: () => Opened | undefined): Library {
  const present = (): Opened => {
    const found = opened();
    if (found === undefined) throw new Error('the library is open from beforeAll on');
    return found;
  };

  async function authorization(who: Who): Promise<Readonly<Record<string, string>>> {
    if (who === 'public') return {};
    if (who !== 'reader') return { Authorization: `Bearer ${tokens[who].token}` };
    const library = present();
    // The files that share a server run for longer than the token of a user is valid.
    if (library.signIn === undefined || Date.now() - library.signIn.at > 60_000)
      library.signIn = { at: Date.now(), jwt: login(library.server) };
    return { Authorization: `Bearer ${await library.signIn.jwt}` };
  }

  const library: Library = {
    get project() {
      return present().project;
    },
    get server() {
      return present().server;
    },
    async ask(who, request) {
      const sent = typeof request === 'string' ? { path: request } : request;
      return present().server.send({ ...sent, headers: { ...(await authorization(who)), ...sent.headers } });
    },
    async check(apiCase, path = '') {
      const target = `${apiCase.path ?? path}${apiCase.query === undefined ? '' : `?${apiCase.query}`}`;
      const response = await library.ask(apiCase.as ?? 'public', target);
      checkResponse(response, apiCase);
    },
  };
  return library;
}

async function login(server: RunningServer): Promise<string> {
  const response = await server.send({
    method: 'POST',
    path: '/api/auth/local',
    body: { identifier: reader.username, password: reader.password },
  });
  const body = response.json();
  if (isObject(body) && typeof body.jwt === 'string') return body.jwt;
  throw new Error(`login: status ${response.status}: ${response.text.slice(0, 200)}`);
}

function checkResponse(response: HttpResponse, { finds, data, meta, error }: ApiCase): void {
  const body = bodyOf(response);
  if (error !== undefined) {
    const [status, message] = error;
    expect(body).toMatchObject({ data: null, error: { status, message: expect.stringContaining(message) } });
    expect(response.status).toBe(status);
    return;
  }
  expect({ status: response.status, error: body.error }).toEqual({ status: 200, error: undefined });
  if (finds !== undefined) expect(namesIn(body.data)).toEqual(finds);
  if (data !== undefined) expect(withoutIds(body.data)).toEqual(data);
  if (meta !== undefined) expect(body.meta).toEqual(meta);
}

type Body = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);

export function bodyOf(response: HttpResponse): Body {
  const body = response.json();
  if (!isObject(body)) throw new Error(`expected an object: ${response.text.slice(0, 200)}`);
  return body;
}

const names = ['title', 'name', 'label', 'code', 'number', 'borrower', 'text', 'heading'];

function namesIn(data: unknown): unknown[] {
  if (!Array.isArray(data)) throw new Error(`expected a list: ${JSON.stringify(data).slice(0, 200)}`);
  return data.map((entry: unknown) => (isObject(entry) ? entry[names.find((name) => name in entry) ?? ''] : entry));
}

/** Row ids depend on the order in which a database was filled, and documentIds are hashes: neither says anything in an expectation. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'id' && key !== 'documentId')
      .map(([key, inner]) => [key, withoutIds(inner)]),
  );
}

/** The documentId of an entry of the library's content. */
export const idOf = (type: string, key: string) => documentIdOf(`api::${type}.${type}`, key);

export const bookPath = (key: string) => `/api/books/${idOf('book', key)}`;
