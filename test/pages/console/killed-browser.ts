/** Browsers whose process can be killed; Playwright ends those that it starts in an orderly way. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterAll, inject } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { quiet } from '../../support/chromium.ts';

export interface KilledBrowser {
  readonly page: Page;
  /** `kill -9`, and no goodbye. */
  kill(): Promise<void>;
}

/** Called in the body of a `describe`. Returns what starts a browser; all have the same profile. */
export function useKilledBrowsers(): () => Promise<KilledBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'lectern-crash-'));
  const started: KilledBrowser[] = [];
  afterAll(async () => {
    for (const each of started) await each.kill();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return async () => {
    const browser = await startBrowser(home);
    started.push(browser);
    return browser;
  };
}

/** Waits until the browser has the text on its disk, which takes milliseconds after a key. */
export async function keptInBrowser(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('lectern-console');
        opening.onsuccess = () => {
          const asked = opening.result.transaction('work').objectStore('work').getAll();
          asked.onsuccess = () => {
            opening.result.close();
            resolve(JSON.stringify(asked.result).includes(wanted));
          };
        };
      }),
    text,
  );
}

async function startBrowser(home: string): Promise<KilledBrowser> {
  const child = spawn(
    inject('chromium'),
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--lang=en-GB',
      ...quiet,
      '--remote-debugging-port=0',
      `--user-data-dir=${home}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: { ...process.env, HOME: home } },
  );
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
      const [, found] = /DevTools listening on (ws:\S+)/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`the browser ended: ${text}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('the browser has no window');
  const page = await context.newPage();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'exit');
    // With all its processes.
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  atEnd(() => void kill());
  return { page, kill };
}
