/** Chromium, for tests of pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { inject } from 'vitest';
import { atEnd } from './at-end.ts';

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

/** One for all files of this process, as a start takes more than a second of processor time. Contexts have nothing in common. */
let launched: Promise<Browser> | undefined;

export async function openBrowser(options: ContextOptions = {}): Promise<OpenBrowser> {
  if (launched === undefined || !(await launched).isConnected()) launched = launch();
  const context = await (await launched).newContext(options);
  return { context, close: () => context.close() };
}

/** Without these flags Chromium asks hosts of its maker for updates and settings at each start. */
export const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
function launch(): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'lectern-chromium-'));
  atEnd(() => rmSync(home, { recursive: true, force: true }));
  // Chromium's sandbox refuses to run as root.
  return chromium.launch({
    executablePath: inject('chromium'),
    args: ['--no-sandbox', '--disable-gpu', ...quiet],
    env: { ...process.env, HOME: home } as Record<string, string>,
  });
}
