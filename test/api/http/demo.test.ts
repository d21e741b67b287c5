/** `lectern demo`, as it is tried out first. Its database is always SQLite. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { command } from '../../support/server.ts';

vi.setConfig({ testTimeout: 60_000 });

const pictures = fileURLToPath(new URL('../../../examples/blog/public/uploads', import.meta.url));

function ownTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('stores uploads in its own temporary folder, whatever the environment says', async () => {
  const before = readdirSync(pictures);
  const temporary = ownTemporaryFolder();
  const child = spawn(process.execPath, [command, 'demo', '--port', '0'], {
    env: { PATH: process.env.PATH, TMPDIR: temporary, LECTERN_UPLOAD_PROVIDER: 's3', AWS_BUCKET: 'nowhere', LECTERN_PUBLIC_DIR: 'public' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  let welcome = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => {
      welcome += text;
      if (welcome.includes('Ctrl-C')) resolve();
    });
  });
  try {
    const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(welcome) ?? [];
    const [authorization = ''] = /Bearer \w+/.exec(welcome) ?? [];
    const form = new FormData();
    form.append('files', new Blob(['notes'], { type: 'text/plain' }), 'notes.txt');
    const response = await fetch(`${base}/api/upload`, { method: 'POST', headers: { authorization }, body: form });
    expect(await response.json()).toMatchObject([{ name: 'notes.txt', provider: 'local' }]);
    const variant = /http\S+\?width=\S+/.exec(welcome)?.[0] ?? '';
    expect((await fetch(variant)).headers.get('content-type')).toBe('image/webp');
    expect(readdirSync(pictures)).toEqual(before);
    const home = await (await fetch(`${base}/`)).text();
    expect(home).toMatch(
      /<title>blog<.*<h1>blog<.*<code>specification<\/code>: invalid queries .* refused.*<a href="\/docs">.*docs\/query\.md/s,
    );
  } finally {
    child.kill('SIGINT');
  }
  expect(await ended).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
});

it('removes its folder when Ctrl-C comes before the server is ready', async () => {
  const temporary = ownTemporaryFolder();
  const watcher = watch(temporary);
  const child = spawn(process.execPath, [command, 'demo', '--port', '0'], {
    env: { PATH: process.env.PATH, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  const ended = once(child, 'close');
  await once(watcher, 'change');
  watcher.close();
  expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^lectern-demo-/)]);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect({ output, left: readdirSync(temporary) }).toEqual({ output: '', left: [] });
});
