/** What the server tells the page besides the API: `GET /console/settings`. */
import { signal } from '@preact/signals';
import type { ConsoleSettings } from '../../../http/site/console/console-settings.ts';
import { token } from './token.ts';

export const settings = signal<ConsoleSettings>({
  prefix: document.documentElement.dataset.apiPrefix ?? '/api',
  session: null,
  providers: [],
  canRequestPassword: false,
  upload: { sizeLimit: 0, requestLimit: 0, files: 0 },
  preview: {},
});

/** Callers with more rights get more of it. Resolves with whether the server responded. */
export async function loadSettings(): Promise<boolean> {
  const headers: Record<string, string> = token.value === '' ? {} : { Authorization: `Bearer ${token.value}` };
  const response = await fetch('/console/settings', { headers }).catch(() => undefined);
  if (response?.ok !== true) return false;
  settings.value = await response.json();
  return true;
}
