/** docs/getting-started.md, to the letter: its shell blocks run one after the other in an empty folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePrograms } from '../support/examples/programs.ts';
import { Shell } from '../support/examples/shell.ts';
import { freePort } from '../support/free-port.ts';
import { root } from '../support/packed.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

interface Block {
  readonly language: string;
  readonly text: string;
}

/** The code blocks of the page; others show what the block before them prints. */
const blocks: readonly Block[] = [...readFileSync(join(root, 'docs/getting-started.md'), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({ language, text }),
);

const outer = useTemporaryFolder();
const folder = join(outer, 'empty');
let environment: NodeJS.ProcessEnv;
let programs: Awaited<ReturnType<typeof makePrograms>>;
let shell: Shell;
let dev: ChildProcess | undefined;
let devOutput = '';

beforeAll(async () => {
  mkdirSync(folder);
  programs = await makePrograms(outer);
  // The page's port may be in use here, so another one takes its place.
  environment = { PATH: programs.path, HOME: outer, TMPDIR: outer, PORT: String(await freePort()) };
  shell = new Shell(folder, environment);
});
afterAll(() => {
  shell?.end();
  programs?.end();
  dev?.kill('SIGKILL');
});

/** The second terminal of the page. */
async function startDev(block: string): Promise<void> {
  dev = spawn('bash', ['-c', `exec ${block}`], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      devOutput += text;
    });
  await expect.poll(() => devOutput, { timeout: 30_000 }).toContain(`http://127.0.0.1:${environment.PORT}`);
}

/** The files of the project that the server watches, with their times. */
const watched = () =>
  readdirSync(join(folder, 'site'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?:src\/.*|[\w.]*)\.json$/.test(file))
    .map((file) => `${file} ${statSync(join(folder, 'site', file)).mtimeMs}`)
    .join();

/** Waits until the server has reloaded, or reported a mistake, after what a block has changed. */
const reloaded = (before: string) =>
  expect.poll(() => devOutput.slice(before.length), { timeout: 30_000 }).toMatch(/Changed:.*(?:Reloaded in|still served)(?!.*Changed:)/s);

/** The page shows parts of responses; `…` stands for any text. */
function shown(value: unknown): unknown {
  if (value === '…') return expect.any(String);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value === 'object' && value !== null)
    return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each)])));
  return value;
}

it('every block does what the page says', { timeout: 240_000 }, async () => {
  expect(blocks.filter(({ language }) => language === 'sh').length).toBeGreaterThan(10);
  let printed = '';
  for (const [index, { language, text }] of blocks.entries()) {
    if (language === 'sh' && text.startsWith('npx lectern dev')) await startDev(text);
    else if (language === 'sh') {
      const [before, files] = [devOutput, dev && watched()];
      const { status, output } = await shell.run(text.replaceAll('127.0.0.1:1337', `127.0.0.1:${environment.PORT}`));
      const isRefused = blocks[index + 1]?.text.includes('"error"') === true;
      expect(status, `${text}\n${output}`).toBe(isRefused ? 22 : 0);
      printed = output;
      if (files !== undefined && files !== watched()) await reloaded(before);
    } else if (language === 'json') expect(JSON.parse(printed.slice(printed.indexOf('{"')))).toEqual(shown(JSON.parse(text)));
    else for (const line of text.trimEnd().split('\n')) expect(`${printed}\n${devOutput}`).toContain(line);
  }
  // Ctrl-C ends the server.
  const ended = new Promise((done) => dev?.on('close', done));
  process.kill(-(dev?.pid ?? 0), 'SIGINT');
  await ended;
  expect(devOutput).not.toContain('unexpected');
});
