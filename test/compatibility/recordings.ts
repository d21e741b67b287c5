/** Recordings from a Strapi 5.54.0, and the project that serves them. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { type EngineName, speaksMysql } from '../support/engines.ts';
import type { HttpResponse } from '../support/http.ts';
import type { MysqlEngine } from '../support/mariadb-server.ts';
import { copyProject, type Project } from '../support/project.ts';
import { type Environment, type RunningServer, startServer } from '../support/server.ts';
import { type Files, writeFiles } from '../support/write-files.ts';
import type { RecordedRequest, RecordedResponse } from './compare.ts';
import { signIns, type Users } from './sign-ins.ts';

const folder = fileURLToPath(new URL('./recordings/reads', import.meta.url));
const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8'));

export interface RecordedCase {
  readonly name: string;
  /** `public`, the name of a token, or the name of a user. */
  readonly as: string;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

export interface RecordedFile {
  readonly file: string;
  readonly cases: readonly RecordedCase[];
}

export function recordedFiles(subfolder: 'reads' | 'reads-lenient'): RecordedFile[] {
  const names = readdirSync(join(folder, subfolder)).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => ({ file: basename(name), cases: readJson<RecordedCase[]>(join(folder, subfolder, name)) }));
}

/** A recorded case with another response, and the reason. */
export interface Exception {
  readonly file: string;
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly why: string;
}

/** Answers that are better than the recorded ones on purpose. */
export const improvements: readonly Exception[] = readJson(join(folder, 'improvements.json'));

/** Answers that differ because the engines do. On MariaDB and MySQL they are compared with those of a Strapi 5.54.0 there: the ids of the
 *  entries in their order, and how many there are on all pages. */
export const mysqlDifferences: Readonly<
  Record<MysqlEngine, readonly (Exception & { readonly ids: readonly number[]; readonly total?: number })[]>
> = {
  mariadb: readJson(join(folder, '../mariadb/differences.json')),
  mysql: readJson(join(folder, '../mysql/differences.json')),
};
export const mysqlDifferencesOn = (engine: EngineName) => (speaksMysql(engine) ? mysqlDifferences[engine] : []);
export const postgresDifferences: readonly Exception[] = readJson(fileURLToPath(new URL('./postgres-differences.json', import.meta.url)));

export function exceptionIn(list: readonly Exception[], file: string, { as, request }: RecordedCase): Exception | undefined {
  return list.find((entry) => entry.file === file && entry.as === as && entry.method === request.method && entry.path === request.path);
}

interface Credentials {
  readonly secrets: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<string, string>>;
  readonly users: Users;
}
export const credentials: Credentials = readJson(join(folder, 'credentials.json'));

/** The Strapi that was recorded ran on SQLite, which sorts by code point and puts nulls first. `postgres-order.test.ts` and `mariadb-order.test.ts` have
 *  the order of other engines. */
export const orderOfRecordings = { LECTERN_POLICIES_DATABASE_ORDER: 'false' };

/** The secrets that the recorded tokens and sessions were made with, for the server's environment. */
export const secrets = credentials.secrets;

/** A recorded API token. */
export const credentialsOf = (token: string): string => credentials.tokens[token] ?? '';

export const recordedDatabase = join(folder, 'content.db');
const recordedTables = { database: recordedDatabase, mariadbTables: join(folder, '../mariadb/reads-tables.sql') };

export function recordedProject(engine: EngineName): Promise<Project> {
  return copyProject(engine, { project: join(folder, 'project'), ...recordedTables, uploads: join(folder, 'uploads') });
}

/** The recorded project with these files, served in profile `strapi`. Called in the body of a `describe`. */
export function useRecordedProject(engine: EngineName, env: Environment = {}, files: Files = {}) {
  let project: Project;
  let server: RunningServer;
  beforeAll(async () => {
    project = await recordedProject(engine);
    writeFiles(project.dir, files);
    server = await startServer(project.dir, { ...project.env, ...secrets, ...orderOfRecordings, LECTERN_PROFILE: 'strapi', ...env });
  });
  afterAll(async () => {
    await server?.stop();
    await project?.remove();
  });
  return {
    get server() {
      return server;
    },
  };
}

/** Sends recorded requests with the credentials that they name. */
export function replayer(server: RunningServer): (recorded: RecordedCase) => Promise<HttpResponse> {
  const login = signIns(server, credentials.users);
  const secretOf = async (who: string): Promise<string> => credentials.tokens[who] ?? login(who);
  return async ({ as, request }) => {
    const headers: Record<string, string> = as === 'public' ? {} : { Authorization: `Bearer ${await secretOf(as)}` };
    for (const [name, template] of Object.entries(request.headers ?? {})) {
      let value = template;
      for (const [placeholder, who] of template.matchAll(/\{\{(\w+)\}\}/g)) value = value.replace(placeholder, await secretOf(who ?? ''));
      headers[name] = value;
    }
    return server.send({ ...request, headers });
  };
}
