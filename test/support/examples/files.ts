/** Files that pages show, checked by the commands that read them. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { settings } from '../../../src/config/settings.ts';
import { root } from '../packed.ts';
import { run } from '../server.ts';
import type { World } from './world.ts';

/** The mistakes in a file of a project; `undefined` if a value is none. */
export async function checkFile(shown: unknown, world: World): Promise<readonly string[] | undefined> {
  if (typeof shown !== 'object' || shown === null) return undefined;
  const keys = Object.keys(shown);
  if (keys.length > 0 && keys.every((key) => key in settings)) return checked(world, { 'lectern.config.json': shown }, ['check']);
  if (keys.join() === 'roles') return checked(world, { 'permissions.json': shown }, ['permissions', 'plan'], [0, 3]);
  if (keys.join() === 'type,documents') return seeded(contentFile(Reflect.get(shown, 'type')), shown);
  if (keys.length > 0 && keys.every((key) => ['public', 'authenticated'].includes(key))) return seeded('access.json', shown);
  if (Array.isArray(shown) && shown.every((each) => typeof each === 'object' && each !== null && Object.keys(each).join() === 'code,name'))
    return seeded('locales.json', shown);
  return undefined;
}

/** The demo's file of a type: `api::article.article` is `articles.json`. */
const contentFile = (type: unknown) => `${String(type).replace(/^.*\./, '')}s.json`;

/** What `lectern seed` says about the demo's content, with this file in the place of its own. */
async function seeded(name: string, content: object): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-file-'));
  try {
    for (const part of ['src', 'public', 'content']) cpSync(join(root, 'examples/blog', part), join(folder, part), { recursive: true });
    // Single types refer to the demo's articles.
    for (const other of ['homepage.json', 'about.json']) rmSync(join(folder, 'content', other));
    writeFileSync(join(folder, 'content', name), JSON.stringify(content));
    for (const command of [
      ['migrate', 'apply'],
      ['seed', join(folder, 'content')],
    ]) {
      const { status, stderr } = await run([...command, '--dir', folder]);
      if (status !== 0) return [`lectern ${command[0]} ends with ${status}: ${stderr}`];
    }
    return [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The project with these files beside its own, and what a command says about them. */
async function checked(
  world: World,
  files: Readonly<Record<string, object>>,
  command: readonly string[],
  good = [0],
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-file-'));
  try {
    for (const part of ['src', 'public', '.env', '.tmp', 'lectern'].filter((each) => existsSync(join(world.folder, each))))
      cpSync(join(world.folder, part), join(folder, part), { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), JSON.stringify(content));
    }
    const { status, stdout, stderr } = await run([...command, '--dir', folder]);
    return good.includes(status ?? 1) ? [] : [`lectern ${command.join(' ')} ends with ${status}: ${stdout}${stderr}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
