/** Rights that a file of the project declares, and the commands about roles and users. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { EngineName } from './engines.ts';
import { makeProject, type Project } from './project.ts';
import { schemaFiles } from './schema-files.ts';
import { changeIn, queryIn } from './served-project.ts';
import { type Environment, type Finished, type RunningServer, run, serverOfTest } from './server.ts';

const text = { type: 'string' };
export const declaredTypes = {
  note: { drafts: true, attributes: { title: text, body: text } },
  page: { attributes: { title: text } },
} as const;
const env: Environment = { API_TOKEN_SALT: 'permissions-salt', JWT_SECRET: 'permissions-secret-of-some-length', LECTERN_LOG_LEVEL: 'warn' };

export interface DeclaredRights {
  readonly project: Project;
  /** The environment of a command. */
  readonly env: Environment;
  /** Writes `permissions.json`, or removes it. */
  declare(document: unknown): void;
  lectern(...args: readonly string[]): Promise<Finished>;
  /** A server until the end of the test. */
  start(more?: Environment): Promise<RunningServer>;
  /** What a server has said until it was stopped. */
  startAndStop(more?: Environment): Promise<string>;
  /** Rights of a role as `action` or `action fields condition`, sorted. */
  rights(role: string): Promise<readonly string[]>;
  query(text: string): ReturnType<typeof queryIn>;
  change(text: string): Promise<void>;
}

/** Called in the body of a `describe`: a project, and a database that its tables have been made in. */
export function useDeclaredRights(engine: EngineName): DeclaredRights {
  let made: Project | undefined;
  const project = (): Project => {
    if (made === undefined) throw new Error('the project is there from beforeAll on');
    return made;
  };
  const declared: DeclaredRights = {
    get project() {
      return project();
    },
    get env() {
      return { ...env, ...project().env };
    },
    declare(document) {
      const file = join(project().dir, 'permissions.json');
      if (document === undefined) rmSync(file, { force: true });
      else writeFileSync(file, JSON.stringify(document));
    },
    lectern: (...args) => run([...args, '--dir', project().dir], declared.env),
    start: (more = {}) => serverOfTest(project().dir, { ...declared.env, ...more }),
    async startAndStop(more) {
      const server = await declared.start(more);
      await server.stop();
      return server.output.stderr;
    },
    async rights(role) {
      const ofRole = `JOIN up_roles r ON r.id = l.role_id WHERE r.type = '${role}'`;
      const granted = await declared.query(
        `SELECT p.action FROM up_permissions p JOIN up_permissions_role_lnk l ON l.permission_id = p.id ${ofRole}`,
      );
      const rules = await declared.query(`SELECT l.action, l.fields, l."condition" FROM lectern_role_rules l ${ofRole}`);
      return [...granted, ...rules.map((row) => row.filter((value) => value !== null))]
        .map((row) => row.join(' '))
        .filter((each) => !each.startsWith('plugin::'))
        .sort();
    },
    query: (sql) => queryIn(project(), sql),
    change: (sql) => changeIn(project(), sql),
  };
  beforeAll(async () => {
    made = await makeProject(engine, schemaFiles(declaredTypes));
    const applied = await declared.lectern('migrate', 'apply');
    if (applied.status !== 0) throw new Error(applied.stderr);
  });
  afterAll(() => made?.remove());
  return declared;
}

export const withRights = (rights: unknown) => ({ roles: { public: { rights } } });

/** The status that a public caller gets; on PostgreSQL a running server sees another process's change after a second. */
export const eventually = (server: RunningServer, path: string, status: number) =>
  vi.waitFor(async () => expect((await server.get(path)).status).toBe(status), { timeout: 3000, interval: 50 });

/** A right that is restricted to a field and a condition, as a file declares it. */
export const restricted = { fields: ['title'], where: { title: { $eq: '$user.username' } } };
