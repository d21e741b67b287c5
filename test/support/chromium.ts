/** Chromium, for tests of pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program's path; an empty text without a Chromium. */
    chromium: string;
  }
}

/** For `describe.skipIf(!hasChromium)`; the end of the run says that the tests were left out. */
export const hasChromium = inject('chromium') !== '';

export interface OpenBrowser {
  /** A window of its own, with cookies of its own. */
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export type ContextOptions = Parameters<Awaited<ReturnType<typeof chromium.launch>>['newContext']>[0];

export async function openBrowser(options: ContextOptions = {}, program: string = inject('chromium')): Promise<OpenBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'lectern-chromium-'));
  // Without these flags Chromium asks hosts of its maker for updates and settings at each start.
  const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  // Chromium's sandbox refuses to run as root.
  const browser = await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', ...quiet],
    env: { ...process.env, HOME: home } as Record<string, string>,
  });
  const context = await browser.newContext(options);
  return {
    context,
    close: async () => {
      await browser.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
