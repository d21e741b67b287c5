/** Where the examples of a page run: a folder with the demo's project, a server that serves it, and a shell in the folder. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../packed.ts';
import { type RunningServer, run, startServer } from '../server.ts';
import { makePrograms } from './programs.ts';
import { Shell } from './shell.ts';

const secrets = {
  JWT_SECRET: 'the-secret-of-sessions-in-examples',
  API_TOKEN_SALT: 'the-salt-of-tokens-in-examples',
  LECTERN_MANAGEMENT_TOKEN: 'the-management-token-of-the-examples',
  LECTERN_UPLOAD_KEY: 'the-key-of-signed-urls-in-the-examples',
};

/** The demo's project with its content, as `lectern demo` fills it, in a folder that pages copy. */
export interface Template {
  readonly folder: string;
  readonly token: string;
  readonly password: string;
  remove(): void;
}

export async function makeTemplate(): Promise<Template> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-examples-'));
  cpSync(join(root, 'examples/blog'), folder, { recursive: true });
  const settings = {
    ...secrets,
    HOST: '127.0.0.1',
    DATABASE_CLIENT: 'sqlite',
    DATABASE_FILENAME: '.tmp/data.db',
    LECTERN_LOG_LEVEL: 'warn',
    LECTERN_MCP_ENABLED: 'true',
  };
  writeFileSync(
    join(folder, '.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const printed = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await run([...args, '--dir', folder]);
    if (status !== 0) throw new Error(`lectern ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  await printed('migrate', 'apply');
  await printed('seed', join(folder, 'content'));
  const token = await printed('token', 'create', '--name', 'Demo', '--type', 'full-access');
  const password = await printed('user', 'create', '--username', 'reader', '--email', 'reader@leeward.example');
  return { folder, token, password, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface World {
  readonly folder: string;
  readonly shell: Shell;
  /** Started by the first example that needs it. */
  server(): Promise<RunningServer>;
  readonly token: string;
  readonly password: string;
  readonly environment: NodeJS.ProcessEnv;
  end(): Promise<void>;
}

/** `folders` are names under which examples speak of the project. */
export async function makeWorld(template: Template, folders: readonly string[]): Promise<World> {
  const outer = mkdtempSync(join(tmpdir(), 'lectern-page-'));
  const folder = join(outer, 'project');
  cpSync(template.folder, folder, { recursive: true });
  const programs = await makePrograms(outer);
  for (const name of ['bin', 'dist', 'node_modules']) symlinkSync(join(root, name), join(folder, name));
  for (const name of folders) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    symlinkSync(folder, join(folder, name));
  }
  // A project's SQLite driver, whose name the examples require, is installed with Lectern, in the version for this Node.
  const drivers = join(outer, 'drivers');
  mkdirSync(drivers);
  const driver = Number(process.versions.napi) >= 10 ? 'node_modules/better-sqlite3-napi' : 'node20/node_modules/better-sqlite3';
  symlinkSync(join(root, driver), join(drivers, 'better-sqlite3'));
  let server: Promise<RunningServer> | undefined;
  const environment = {
    PATH: programs.path,
    HOME: outer,
    NODE_PATH: drivers,
    TMPDIR: outer,
    TOKEN: template.token,
    CHECKOUT: root,
    ...secrets,
  };
  const shell = new Shell(folder, environment);
  return {
    folder,
    shell,
    server: () => (server ??= startServer(folder)),
    token: template.token,
    password: template.password,
    environment,
    async end() {
      shell.end();
      programs.end();
      await (await server)?.stop();
      rmSync(outer, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
