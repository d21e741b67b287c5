/** Where the examples of a page run: a folder with the demo's project, a server that serves it, and a shell in the folder. */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../packed.ts';
import { command, type RunningServer, run, startServer } from '../server.ts';
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

/** The programs that examples call. A `curl` that gets an error ends with 22; `npm ci` and `npm install` find everything in place. */
const programs: Readonly<Record<string, string>> = {
  lectern: `exec ${process.execPath} ${command} "$@"`,
  npx: [
    'name=$1; shift; if [[ $name == lectern ]]; then exec lectern "$@"; fi',
    `if [[ -x ${root}node_modules/.bin/$name ]]; then exec ${root}node_modules/.bin/$name "$@"; fi`,
    'echo "npx $name is not run by tests: mark the block" >&2; exit 1',
  ].join('\n'),
  npm: [
    'case "$*" in ci|install|i) exit 0;; "run demo"*) shift 2; [[ $1 == -- ]] && shift; exec lectern demo "$@";; start*) exec lectern start;; esac',
    'echo "npm $* is not run by tests: mark the block" >&2; exit 1',
  ].join('\n'),
  curl: 'exec /usr/bin/env -S PATH=/usr/bin:/bin:/usr/local/bin curl -sS --fail-with-body "$@"',
};

/** `folders` are names under which examples speak of the project. */
export function makeWorld(template: Template, folders: readonly string[]): World {
  const outer = mkdtempSync(join(tmpdir(), 'lectern-page-'));
  const folder = join(outer, 'project');
  cpSync(template.folder, folder, { recursive: true });
  const bin = join(outer, 'bin');
  mkdirSync(bin);
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/usr/bin/env bash\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
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
    PATH: `${bin}:${process.env.PATH}`,
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
      await (await server)?.stop();
      rmSync(outer, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
