/** What the page has to know before anybody signs in: `GET /console/settings`. */
import { signal } from '@preact/signals';
import type { ConsoleSettings } from '../../../http/site/console/console-settings.ts';

export const settings = signal<ConsoleSettings>({
  prefix: '/api',
  preview: {},
  providers: [],
  session: { mode: 'refresh', idleSeconds: 0, maxSeconds: 0 },
});

/** Resolves with whether the server responded. */
export async function loadSettings(): Promise<boolean> {
  const response = await fetch('/console/settings').catch(() => undefined);
  if (response?.ok !== true) return false;
  settings.value = await response.json();
  return true;
}
