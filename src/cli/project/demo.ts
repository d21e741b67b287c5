/** `lectern demo`: serves the example from a temporary folder, which is deleted at the end. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Config } from '../../config/config.ts';
import { isConsoleOn } from '../../config/console-pages.ts';
import { loadConfig } from '../../config/load-config.ts';
import { readContent } from '../../demo-content/read-content.ts';
import { documentIdOf } from '../../demo-content/stable-document-id.ts';
import { writeContent } from '../../demo-content/write-content.ts';
import { withDatabase } from '../../dialects/open-database.ts';
import { StartError } from '../../errors/start-error.ts';
import { offeredNames, prepareDatabase } from '../../migrations/prepare-database.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { findDeclaration } from '../../permissions/find-declaration.ts';
import { settlePermissions } from '../../permissions/settle-permissions.ts';
import { packageFile } from '../../text/package-file.ts';
import { stopSignal } from '../stop-signal.ts';
import { serve } from './serve.ts';

const project = packageFile('examples/blog');

/** Runs until Ctrl-C or SIGTERM; resolves after everything is closed and removed. */
export async function demo(options: { readonly port?: number }): Promise<number> {
  // Before there is a folder: a signal without a listener would end the process and leave it.
  const stop = stopSignal();
  const folder = await mkdtemp(join(tmpdir(), 'lectern-demo-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // The folder is also removed when a second Ctrl-C ends the process immediately.
  process.once('exit', remove);
  try {
    const config = demoConfig(folder, options.port);
    await cp(join(project, 'public'), config.publicDir, { recursive: true });
    const secrets = { token: randomBytes(24).toString('hex'), password: randomPassword(), editorPassword: randomPassword() };
    await fill(config, secrets);
    const announce = (origin: string) => {
      const address = origin.replace(/\/$/, '');
      return welcome({ address, api: `${address}${config.api.prefix}`, hasConsole: isConsoleOn(config) }, secrets);
    };
    return await serve(config, announce, { purpose: 'demo', stop });
  } finally {
    remove();
    process.off('exit', remove);
  }
}

/** New ones in each run. */
interface DemoSecrets {
  readonly token: string;
  /** Of the user `reader`. */
  readonly password: string;
  readonly editorPassword: string;
}

const randomPassword = () => randomBytes(6).toString('hex');

function demoConfig(folder: string, port: number | undefined): Config {
  // Only the server's own variables: the demo must not use the shell's database or bucket.
  const serverVariables = Object.entries(process.env).filter(
    ([name]) => name === 'PORT' || (name.startsWith('LECTERN_') && !name.startsWith('LECTERN_DATABASE_')),
  );
  const loaded = loadConfig({
    dir: project,
    environment: {
      // Only this machine can reach the demo.
      LECTERN_HOST: '127.0.0.1',
      LECTERN_LOG_LEVEL: 'warn',
      ...Object.fromEntries(serverVariables),
      DATABASE_CLIENT: 'sqlite',
      DATABASE_FILENAME: join(folder, 'data.db'),
      LECTERN_UPLOAD_PROVIDER: 'local',
      LECTERN_PUBLIC_DIR: join(folder, 'public'),
      LECTERN_UPLOAD_WORK_DIR: join(folder, 'public/uploads/.incoming'),
      LECTERN_UPLOAD_CACHE_DIR: join(folder, 'variants'),
      LECTERN_INDEXES_RECORD_FILE: join(folder, 'recorded-reads.json'),
      JWT_SECRET: randomBytes(32).toString('base64'),
      API_TOKEN_SALT: randomBytes(16).toString('base64'),
    },
    overrides: { port },
  });
  if (!loaded.ok) throw new StartError(loaded.errors);
  return loaded.config;
}

async function fill(config: Config, { token, password, editorPassword }: DemoSecrets): Promise<void> {
  const model = await loadProjectModel(config);
  const content = await readContent(join(project, 'content'));
  await withDatabase(config.database, { create: true, statementTime: config.limits.statementTime }, async (database) => {
    const prepared = await prepareDatabase(database, model, { migrate: 'auto' });
    if (!prepared.ok) throw new StartError(prepared.problems);
    // The user `editor` needs its role.
    const offered = () => offeredNames(database, model);
    await settlePermissions({ database, model, config, origin: prepared.origin, offered }, findDeclaration(config.dir, model));
    await writeContent(database, model, {
      ...content,
      access: {
        ...content.access,
        users: [
          { username: 'reader', email: 'reader@leeward.example', password },
          { username: 'editor', email: 'editor@leeward.example', password: editorPassword, role: 'editor' },
        ],
        // The token has all rights, but only on this machine, to a database that the demo deletes.
        tokens: [{ name: 'Demo', type: 'full-access', token }],
        apiTokenSalt: config.secrets.apiTokenSalt,
      },
    });
  });
}

/** A tag that the example lacks: tags' slugs are unique, and the printed command has to work. */
export const newTag = { name: 'Storm', slug: 'storm' };

/** The largest of the example's pictures. */
const picture = 'uploads/lighthouse_at_dusk_947da0ec4d.png';

interface Served {
  readonly address: string;
  /** Where the API is, `api.prefix`. */
  readonly api: string;
  readonly hasConsole: boolean;
}

function welcome({ address, api, hasConsole }: Served, { token, password, editorPassword }: DemoSecrets): string {
  const article = documentIdOf('api::article.article', 'the-last-keeper');
  const pages = [
    ['A list, newest walk first', '/articles?fields=title,summary,visitedOn&sort=visitedOn:desc'],
    ['With authors, shelves and covers', '/articles?populate=author,category.parent,cover'],
    ['Filtered through two relations', '/articles?filters[category][parent][slug][$eq]=bread&populate=category'],
    ['In French', '/articles?locale=fr&fields=title,summary'],
    ['A dynamic zone', `/articles/${article}?populate[blocks][populate]=*`],
    ['The homepage', '/homepage?populate[hero][populate]=*&populate[featured][fields]=title,slug&populate[sections]=true'],
  ] as const;
  return `
The Leeward, a little magazine of lighthouses, bread and maps, is served at ${address}

${hasConsole ? `  Writing and publishing, in the browser: user editor, password ${editorPassword}\n    ${address}/console\n\n` : ''}${pages.map(([title, path]) => `  ${title}\n    ${api}${path}`).join('\n')}

  Drafts, with a token made for this run
    curl -g -H 'Authorization: Bearer ${token}' '${api}/articles?status=draft&filters[tags][slug]=winter'

  Writing, with the same token
    curl -X POST -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\
      -d '${JSON.stringify({ data: newTag })}' '${api}/tags'

  Uploading a file, with the same token
    curl -H 'Authorization: Bearer ${token}' -F 'files=@${join(shown(project), 'public', picture)}' \\
      -F 'fileInfo={"alternativeText": "A lighthouse"}' '${api}/upload'

  A picture in the size that a page needs
    ${address}/${picture}?width=400&format=webp

  A user for POST ${api}/auth/local
    {"identifier": "reader", "password": "${password}"}

  Content types: ${join(shown(project), 'src')}
  Content:       ${join(shown(project), 'content')}

Ctrl-C stops the demo and deletes its database and files.`;
}

/** The shortest form of the path: relative or absolute. */
function shown(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
