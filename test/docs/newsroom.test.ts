/** examples/newsroom, by the blocks of its README.md, with a mail server and a receiver of webhooks. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePrograms } from '../support/examples/programs.ts';
import { Shell } from '../support/examples/shell.ts';
import { freePort } from '../support/free-port.ts';
import { root } from '../support/packed.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useSmtpServer } from '../support/smtp-server.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const example = join(root, 'examples/newsroom');
const blocks = [...readFileSync(join(example, 'README.md'), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({ language, text }),
);

const outer = useTemporaryFolder();
const folder = join(outer, 'newsroom');
const smtp = useSmtpServer();
let receiver: Receiver;
let environment: NodeJS.ProcessEnv;
let programs: Awaited<ReturnType<typeof makePrograms>>;
let shell: Shell;
let dev: ChildProcess | undefined;
let devOutput = '';

beforeAll(async () => {
  cpSync(example, folder, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  receiver = await startReceiver();
  programs = await makePrograms(outer);
  // They override those of the page's `.env`.
  const own = { PORT: String(await freePort()), REVALIDATE_URL: `${receiver.url}/revalidate`, ...smtp.env() };
  environment = { PATH: programs.path, HOME: outer, TMPDIR: outer, ...own };
  shell = new Shell(folder, environment);
});
afterAll(async () => {
  shell?.end();
  programs?.end();
  dev?.kill('SIGKILL');
  await receiver?.close();
});

async function startDev(): Promise<void> {
  dev = spawn('bash', ['-c', 'exec npx lectern dev'], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      devOutput += text;
    });
  await expect.poll(() => devOutput, { timeout: 30_000 }).toContain(`http://127.0.0.1:${environment.PORT}`);
}

/** The page shows parts of responses. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value === 'object' && value !== null)
    return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each)])));
  return value;
}

it('every block does what the page says', { timeout: 120_000 }, async () => {
  let printed = '';
  for (const [index, { language, text }] of blocks.entries()) {
    if (text.startsWith('npx lectern dev')) await startDev();
    else if (language === 'sh') {
      const isRefused = blocks[index + 1]?.text.includes('"error"') === true;
      const { status, output } = await shell.run(text.replaceAll('127.0.0.1:1337', `127.0.0.1:${environment.PORT}`));
      expect(status, `${text}\n${output}\n${devOutput}`).toBe(isRefused ? 22 : 0);
      printed = output;
      // Before the article is deleted: a hook gets the document as it is then.
      if (text.includes('-X PATCH')) await smtp.last(2);
    } else if (language === 'json') expect(JSON.parse(printed.slice(printed.indexOf('{"')))).toEqual(shown(JSON.parse(text)));
    else for (const line of text.trimEnd().split('\n')) expect(printed).toContain(line);
  }
});

it('the desk gets a mail of each publication', async () => {
  const { to, text } = await smtp.last(2);
  expect(smtp.mails).toHaveLength(2);
  expect(to).toBe('<desk@example.org>');
  expect(text).toContain('Published: Fog over the lamp');
});

it('the site gets a message of each change', async () => {
  await expect
    .poll(() => receiver.received.map(({ headers, body }) => [body.event, headers.authorization]))
    .toEqual([
      ['entry.publish', 'Bearer change-me'],
      ['entry.publish', 'Bearer change-me'],
      ['entry.delete', 'Bearer change-me'],
    ]);
});

it('a changed hook is loaded again', async () => {
  const file = 'lectern/hooks/article-owner.ts';
  const { status } = await shell.run(`sed -i 's/only its owner may/only who owns it may/' ${file}`);
  expect(status).toBe(0);
  await expect.poll(() => devOutput).toMatch(/Changed:.*article-owner.*Reloaded in/s);
});
