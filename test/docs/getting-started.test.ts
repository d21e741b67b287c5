/** docs/getting-started.md, to the letter: its shell blocks run one after the other, from the packed package in an empty folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Shell } from '../support/examples/shell.ts';
import { freePort } from '../support/free-port.ts';
import { installPacked, root } from '../support/packed.ts';

interface Block {
  readonly language: string;
  readonly text: string;
}

/** The code blocks of the page; others show what the block before them prints. */
const blocks: readonly Block[] = [...readFileSync(join(root, 'docs/getting-started.md'), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({ language, text }),
);

let folder: string;
let port: number;
let shell: Shell;
let dev: ChildProcess | undefined;
let devOutput = '';

beforeAll(async () => {
  ({ folder } = await installPacked());
  port = await freePort();
  shell = new Shell(folder, environment());
});
afterAll(() => {
  shell?.end();
  dev?.kill('SIGKILL');
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** The page's port may be in use here, so another one takes its place. */
const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: folder,
  npm_config_offline: 'true',
  PORT: String(port),
});

/** The second terminal of the page. */
async function startDev(block: string): Promise<void> {
  dev = spawn('bash', ['-c', `exec ${block}`], { cwd: folder, env: environment(), stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      devOutput += text;
    });
  await expect.poll(() => devOutput, { timeout: 30_000 }).toContain(`http://127.0.0.1:${port}`);
}

/** Waits until the server has noticed what a block has changed, and has reloaded or reported a mistake. */
async function settle(): Promise<void> {
  await new Promise((done) => setTimeout(done, 600));
  await expect
    .poll(() => Math.max(devOutput.lastIndexOf('Reloaded in'), devOutput.lastIndexOf('still served')) - devOutput.lastIndexOf('Changed:'), {
      timeout: 30_000,
      message: devOutput,
    })
    .toBeGreaterThanOrEqual(0);
}

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
  for (const { language, text } of blocks) {
    if (language === 'sh' && text.startsWith('npx lectern dev')) await startDev(text);
    else if (language === 'sh') {
      const { status, output } = await shell.run(text.replaceAll('127.0.0.1:1337', `127.0.0.1:${port}`));
      expect(status, `${text}\n${output}`).toBe(0);
      printed = output;
      if (dev !== undefined) await settle();
    } else if (language === 'json') expect(JSON.parse(printed.slice(printed.indexOf('{"')))).toEqual(shown(JSON.parse(text)));
    else for (const line of text.trimEnd().split('\n')) expect(`${printed}\n${devOutput}`).toContain(line);
  }
  // Ctrl-C ends the server.
  const ended = new Promise((done) => dev?.on('close', done));
  process.kill(-(dev?.pid ?? 0), 'SIGINT');
  await ended;
  expect(devOutput).not.toContain('unexpected');
});
