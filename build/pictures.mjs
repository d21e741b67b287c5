/** `npm run pictures`: makes the pictures of README.md and docs/console.md in `docs/pictures/`, from the built code: pages of the demo in both colour schemes, and a
 *  terminal with what its commands print. Needs Chromium, at `/usr/bin/chromium` or where `LECTERN_TEST_CHROMIUM` says. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { terminalPicture } from './terminal-picture.mjs';

const command = fileURLToPath(new URL('../bin/lectern.js', import.meta.url));
const pictures = fileURLToPath(new URL('../docs/pictures', import.meta.url));
/** The pictures show the port that the documentation names; the servers listen on free ones. */
const port = 1337;
const query = '/api/articles?fields=title,readingMinutes&populate[author][fields]=name&filters[category][parent][slug]=bread&sort=title';
const work = mkdtempSync(join(tmpdir(), 'lectern-pictures-'));

mkdirSync(pictures, { recursive: true });
try {
  await takePage('light');
  await takePage('dark');
  await takeConsole('light');
  await takeConsole('dark');
  writeFileSync(join(pictures, 'terminal.svg'), terminalPicture(await session()));
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}

/** `/explore` with the query of README.md, which has been run, on a server that has served other queries before. */
async function takePage(colorScheme) {
  const demo = await started(['demo', '--port', '0'], 'Ctrl-C', { LECTERN_CACHE_BYTES: '0' });
  const browser = await openBrowser(demo);
  try {
    const fields = ['slug', 'summary', 'body', 'kind', 'distance', 'featured', 'visitedOn', 'createdAt'];
    for (let set = 1; set < 2 ** fields.length; set += 1) {
      const others = fields.filter((_, at) => set & (2 ** at)).join();
      await (await fetch(`http://127.0.0.1:${demo.port()}${query.replace('title,', `${others},`)}`)).text();
    }
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 });
    await page.goto(`http://127.0.0.1:${port}/explore#${query}`);
    await page.getByText('A loaf for the night watch').waitFor();
    const png = sharp(await page.screenshot()).png({ palette: true, colours: 128, effort: 10 });
    await png.toFile(join(pictures, `explore-${colorScheme}.png`));
  } finally {
    await browser.close();
    await demo.stop();
  }
}

/** The screens of `/console` as the demo's editor sees them, and two of them on a phone. */
async function takeConsole(colorScheme) {
  const demo = await started(['demo', '--port', '0'], 'Ctrl-C');
  const browser = await openBrowser(demo);
  try {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    const take = async (name) => {
      await page.evaluate(() => document.fonts.ready);
      await page.waitForLoadState('networkidle');
      await sharp(await page.screenshot())
        .png({ palette: true, colours: 128, effort: 10 })
        .toFile(join(pictures, `console-${name}-${colorScheme}.png`));
    };
    const show = async (path, what) => {
      await page.goto(`http://127.0.0.1:${port}/console${path}`);
      await page.locator(what).first().waitFor();
    };
    await show('', 'input[name=password]');
    await take('sign-in');
    await page.getByLabel('User name or e-mail').fill('editor');
    await page.getByLabel('Password', { exact: true }).fill(/user editor, password (\S+)/.exec(demo.output())[1]);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: /^Hello/ }).waitFor();
    await take('start');
    await show('/content/articles', '.list tbody tr');
    await take('list');
    await show('/content/articles/qbw49k4x3qnhgw6ucvyfdo7o', '.ProseMirror');
    await take('form');
    await show('/media', '.media-grid img, .page img');
    await take('media');
    await page.setViewportSize({ width: 390, height: 800 });
    await show('/content/articles', '.list tbody tr');
    await take('list-phone');
    await show('/content/articles/qbw49k4x3qnhgw6ucvyfdo7o', '.ProseMirror');
    await take('form-phone');
  } finally {
    await browser.close();
    await demo.stop();
  }
}

/** Its pages show the port that the documentation names, whatever port the server has. */
function openBrowser(demo) {
  return chromium.launch({
    executablePath: process.env.LECTERN_TEST_CHROMIUM || '/usr/bin/chromium',
    args: [
      `--host-resolver-rules=MAP 127.0.0.1:${port} 127.0.0.1:${demo.port()}`,
      ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    ],
    env: { ...process.env, HOME: work },
  });
}

/** Commands with the lines that they print; `…` stands for those that are left out. */
async function session() {
  const init = 'npx lectern init site --template blog --yes';
  const make = "npx lectern make type comment 'text:text(2000)!' 'article:manyToOne(article)' --dir site";
  const post = `curl -X POST -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"data": {"text": "I was there, too."}}' 'http://127.0.0.1:${port}/api/comments?fields=text'`;
  const created = await finished(init);
  const dev = await started(['dev', '--dir', 'site', '--port', '0'], 'listens');
  try {
    const served = lines(dev.output());
    const made = await finished(make);
    const reloaded = await dev.until('Reloaded');
    const answered = await finished(post.replace(String(port), dev.port()), { TOKEN: created.stdout.trim() });
    return [
      { command: `TOKEN=$(${init})`, output: lines(created.stderr).slice(0, 1) },
      { command: 'npx lectern dev --dir site &', output: served.slice(0, 1).map((line) => line.replace(dev.port(), port)) },
      { command: make, output: [...lines(made.stdout).slice(0, 2), ...shortened(lines(reloaded).slice(served.length))] },
      { command: post, output: lines(answered.stdout) },
    ];
  } finally {
    await dev.stop();
  }
}

function lines(text) {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** What the server prints of a migration: two of its statements. */
function shortened(printed) {
  const statements = printed.filter((line) => line.startsWith('  '));
  return printed.flatMap((line) => {
    const at = statements.indexOf(line);
    if (at < 2) return [line];
    return at === 2 ? [`  … ${statements.length - 2} more`] : [];
  });
}

/** Runs one command of the terminal to its end. */
async function finished(text, variables = {}) {
  const child = spawn('sh', ['-c', text.replace('npx lectern', `"$NODE" "$LECTERN"`)], {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: work, NODE: process.execPath, LECTERN: command, ...variables },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (part) => (output[name] += part));
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status !== 0) throw new Error(`${text} ended with status ${status}:\n${output.stdout}${output.stderr}`);
  return output;
}

/** Starts a server and waits until it has printed a text. */
async function started(args, text, variables = {}) {
  const env = { PATH: process.env.PATH, HOME: work, TMPDIR: work, ...variables };
  const child = spawn(process.execPath, [command, ...args], { cwd: work, env });
  let output = '';
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (output += part));
  const end = new Promise((resolve) => child.on('close', resolve)).then(() => (ended = true));
  const server = {
    output: () => output,
    port: () => /127\.0\.0\.1:(\d+)/.exec(output)?.[1],
    async until(wanted) {
      while (!output.includes(wanted)) {
        if (ended) throw new Error(`lectern ${args[0]} ended:\n${output}`);
        await wait(50);
      }
      return output;
    },
    async stop() {
      child.kill('SIGINT');
      await end;
    },
  };
  await server.until(text);
  return server;
}
