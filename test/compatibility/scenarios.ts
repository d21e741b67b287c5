/** Writes recorded from a Strapi 5.54.0: scenarios, each a list of steps on the same database without content. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import bcrypt from 'bcrypt';
import type { EngineName } from '../support/engines.ts';
import { copyProject, type Project } from '../support/project.ts';
import { changeIn } from '../support/served-project.ts';
import { writeFiles } from '../support/write-files.ts';
import type { RecordedRequest, RecordedResponse } from './compare.ts';
import type { Rows } from './rows.ts';
import type { Users } from './sign-ins.ts';

const folder = fileURLToPath(new URL('./recordings/writes', import.meta.url));
const readJson = <T>(...path: readonly string[]): T => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
const jsonFiles = (subfolder: string) => readdirSync(join(folder, subfolder)).filter((name) => name.endsWith('.json'));

export interface Step {
  readonly name: string;
  /** `public`, the name of a token, or `user:` and the name of a user. */
  readonly as: string;
  /** At most one kind of body; a part of `multipart` is a file or a value. */
  readonly request: RecordedRequest & {
    readonly rawBody?: string;
    readonly rawBodyRepeat?: { readonly prefix: string; readonly repeat: string; readonly count: number; readonly suffix: string };
    readonly multipart?: readonly SentPart[];
  };
  /** Lists in the response, by path, for which the recorded server has no fixed order; empty for the response itself. */
  readonly unordered?: readonly string[];
  /** Values of the response that later steps need: name → path in the body, or `cookie:` and the name of a cookie. */
  readonly save?: Readonly<Record<string, string>>;
  readonly response: RecordedResponse;
}

/** A text, or a file of `fixtures`. */
export type SentPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly file: string; readonly type: string; readonly filename?: string };

export interface Scenario {
  readonly file: string;
  readonly scenario: string;
  /** Settings of the recorded server that differ. */
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export const scenarios: readonly Scenario[] = jsonFiles('scenarios')
  .sort()
  .flatMap((file) => readJson<Omit<Scenario, 'file'>[]>('scenarios', file).map((scenario) => ({ file, ...scenario })));

/** Scenarios that ask for a link to a row that is not there, and leave one. */
export const linksToNothing: ReadonlySet<string> = new Set(['upload with a reference']);

/** The rows of a scenario's tables at its end; scenarios about other things have none. */
export const recordedRows: ReadonlyMap<string, Rows> = new Map(
  jsonFiles('rows').map((file) => {
    const { scenario, rows } = readJson<{ scenario: string; rows: Rows }>('rows', file);
    return [scenario, rows];
  }),
);

/** A step whose response differs on purpose, and the reason. */
export interface StepDifference {
  readonly scenario: string;
  /** As the test is called: its place and its name, `7 disconnect`; `rows` for the rows at the end. */
  readonly step: string;
  /** Left out: on every engine. */
  readonly engine?: EngineName;
  /** The step cannot be sent, as it needs what an earlier one made: the error that says so. */
  readonly fails?: string;
  readonly why: string;
}

export const stepDifferences: readonly StepDifference[] = readJson('differences.json');

interface Credentials {
  readonly tokens: Readonly<Record<string, string>>;
  readonly users: Users;
  /** Broken JSON Web Tokens; steps name them `{{jwt-name}}`. */
  readonly jwt: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}
export const credentials: Credentials = readJson('credentials.json');

/** A file that scenarios send. */
export const fixture = (name: string): Uint8Array<ArrayBuffer> => readFileSync(join(folder, 'fixtures', name));

/** E-mail address of a user → a hash of the recorded password with few rounds: users sign in some hundred times. New passwords get the usual rounds. */
const quickHashes: ReadonlyMap<string, string> = new Map(
  Object.values(credentials.users).map(({ identifier = '', password }) => [identifier, bcrypt.hashSync(password, 4)]),
);

/** Recorded rows with these hashes. */
export function withQuickHashes(rows: Rows): Rows {
  const { up_users: users } = rows;
  if (users === undefined) return rows;
  return { ...rows, up_users: users.map((row) => ({ ...row, password: quickHashes.get(String(row.email)) ?? row.password })) };
}

/** The database without content that each scenario begins with. */
export const startDatabase = join(folder, 'start.db');

export const schemaFiles: readonly string[] = readdirSync(join(folder, 'project/src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .map((path) => join(folder, 'project/src', path));

const settings: Readonly<Record<string, string>> = {
  REST_STRICT_PARAMS: 'LECTERN_API_STRICT_PARAMS',
  STRICT_RELATIONS: 'LECTERN_API_STRICT_RELATIONS',
  JWT_MANAGEMENT: 'LECTERN_AUTH_JWT_MANAGEMENT',
  SESSIONS_HTTP_ONLY: 'LECTERN_AUTH_HTTP_ONLY',
  DOCUMENTS_STRICT_PARAMS: 'LECTERN_API_STRICT_DOCUMENT_PARAMS',
};

/** A scenario's settings, as variables of ours. */
export function environmentOf({ env = {} }: Scenario): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => {
      const setting = settings[name];
      if (setting === undefined) throw new Error(`no setting for ${name}`);
      return [setting, value];
    }),
  );
}

/** `upload` of the recorded project's `config/plugins.ts`. */
const uploadSettings = {
  sizeLimit: 200_000,
  allowedTypes: [
    'image/*',
    'video/*',
    'audio/*',
    'application/pdf',
    'application/msword',
    'application/vnd.openxmlformats-officedocument.*',
    'text/plain',
    'text/csv',
  ],
  deniedTypes: [
    'image/svg+xml',
    'application/vnd.microsoft.portable-executable',
    'application/x-msdownload',
    'application/x-msdos-program',
    'application/x-executable',
    'application/x-dosexec',
    'application/x-sh',
    'text/x-shellscript',
    'application/x-mach-binary',
  ],
};

export async function emptyProject(engine: EngineName): Promise<Project> {
  const mariadbTables = join(folder, '../mariadb/writes-tables.sql');
  const project = await copyProject(engine, { project: join(folder, 'project'), database: startDatabase, mariadbTables });
  await changeIn(project, ...[...quickHashes].map(([email, hash]) => `UPDATE up_users SET password = '${hash}' WHERE email = '${email}'`));
  writeFiles(project.dir, { 'lectern.config.json': { upload: uploadSettings } });
  return project;
}
