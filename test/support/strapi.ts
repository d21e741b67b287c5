/** A real Strapi: the one of the folder that `LECTERN_TEST_STRAPI` names (CONTRIBUTING.md says how it is made), with types, data and files of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { makeProject, type Project } from './project.ts';
import { schemaFiles } from './schema-files.ts';
import type { Files } from './write-files.ts';

export const strapiFolder = process.env.LECTERN_TEST_STRAPI ?? '';

export interface RunningStrapi {
  readonly project: Project;
  readonly base: string;
  /** For a Lectern on the same project. */
  readonly env: Readonly<Record<string, string>>;
  /** What it has written so far. */
  output(): string;
  stop(): Promise<void>;
}

const wait = 120_000;
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts Strapi on an empty SQLite database, with content types as `schemaFiles` takes them. */
export async function startStrapi(types: Parameters<typeof schemaFiles>[0]): Promise<RunningStrapi> {
  if (!existsSync(join(strapiFolder, 'dist/build/index.html')))
    throw new Error(`LECTERN_TEST_STRAPI: ${strapiFolder} has no built admin panel; run npx strapi build there`);
  const schemas = schemaFiles(types);
  const compiled = Object.fromEntries(Object.entries(schemas).map(([file, content]) => [`dist/${file}`, content]));
  const code = Object.keys(types).flatMap((name) => coreFiles(name));
  const project = await makeProject('sqlite', {
    ...schemas,
    ...compiled,
    ...Object.fromEntries(code),
    'public/uploads/.gitkeep': '',
  } as Files);
  const at = (file: string) => join(project.dir, file);
  for (const file of ['package.json', 'tsconfig.json', 'favicon.png']) cpSync(join(strapiFolder, file), at(file));
  cpSync(join(strapiFolder, 'dist/config'), at('dist/config'), { recursive: true });
  if (existsSync(join(strapiFolder, 'dist/src/index.js'))) cpSync(join(strapiFolder, 'dist/src/index.js'), at('dist/src/index.js'));
  mkdirSync(at('.tmp'));
  symlinkSync(join(realpathSync(strapiFolder), 'node_modules'), at('node_modules'));
  symlinkSync(join(realpathSync(strapiFolder), 'dist/build'), at('dist/build'));

  const secret = () => randomBytes(16).toString('base64');
  const secrets = Object.fromEntries(
    ['API_TOKEN_SALT', 'ADMIN_JWT_SECRET', 'JWT_SECRET', 'TRANSFER_TOKEN_SALT', 'ENCRYPTION_KEY', 'APP_KEYS'].map((name) => [
      name,
      secret(),
    ]),
  );
  const port = await freePort();
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [at('node_modules/@strapi/strapi/bin/strapi.js'), 'start'], {
    cwd: project.dir,
    env: {
      PATH,
      HOME,
      ...secrets,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_CLIENT: 'sqlite',
      DATABASE_FILENAME: '.tmp/data.db',
      STRAPI_TELEMETRY_DISABLED: 'true',
      STRAPI_HIDE_STARTUP_MESSAGE: 'true',
      FLAG_NPS: 'false',
      FLAG_PROMOTE_EE: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<void>((resolve) =>
    child.on('close', () => {
      children.delete(child);
      resolve();
    }),
  );
  const base = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(at('node_modules'));
    rmSync(at('dist/build'));
    await project.remove();
  };
  const late = performance.now() + wait;
  while (!(await isHealthy(base))) {
    if (performance.now() > late || child.exitCode !== null) {
      await stop();
      throw new Error(`Strapi did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { API_TOKEN_SALT = '', JWT_SECRET = '', ENCRYPTION_KEY = '' } = secrets;
  return {
    project,
    base,
    env: { ...project.env, DATABASE_FILENAME: '.tmp/data.db', API_TOKEN_SALT, JWT_SECRET, ENCRYPTION_KEY, LECTERN_UPSTREAM: base },
    output: () => output,
    stop,
  };
}

/** What Strapi's generator writes for a type, compiled. */
const coreFiles = (name: string): readonly (readonly [string, string])[] =>
  (['controller', 'route', 'service'] as const).map((kind) => {
    const factory = { controller: 'createCoreController', route: 'createCoreRouter', service: 'createCoreService' }[kind];
    return [
      `dist/src/api/${name}/${kind}s/${name}.js`,
      `module.exports = require('@strapi/strapi').factories.${factory}('api::${name}.${name}');\n`,
    ];
  });

const isHealthy = (base: string): Promise<boolean> =>
  fetch(`${base}/_health`).then(
    ({ status }) => status === 204,
    () => false,
  );

/** The names of the files that Strapi stores for uploads. */
export const storedFiles = ({ dir }: Project): readonly string[] =>
  readdirSync(join(dir, 'public/uploads')).filter((name) => name !== '.gitkeep');
