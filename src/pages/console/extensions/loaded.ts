/** Loads what the project adds to the console. */
import { signal } from '@preact/signals';
import { notify } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import type { FieldEditor, Panel } from './extension.ts';

export const fieldEditors = signal<ReadonlyMap<string, FieldEditor>>(new Map());
export const panels = signal<readonly Panel[]>([]);

/** Runs code of the project, whose mistakes must not end the page's own work. */
export function guarded<Result>(name: string, run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    notify({ kind: 'problem', text: say('extension.failed', { url: name, reason: String(error) }) });
    return undefined;
  }
}

/** A module that fails is named, and keeps nothing else from working. */
export async function loadExtensions(): Promise<void> {
  const response = await fetch('/console/extensions').catch(() => undefined);
  const urls: readonly string[] = response?.ok === true ? (await response.json()).data : [];
  const loaded = await Promise.all(urls.map(load));
  const found = loaded.filter((each) => each !== undefined);
  fieldEditors.value = new Map(found.flatMap((each) => ('customField' in each ? [[each.customField, each] as const] : [])));
  panels.value = found.filter((each) => 'panel' in each);
}

async function load(url: string): Promise<FieldEditor | Panel | undefined> {
  try {
    const { default: made } = await import(url);
    const isKnown = typeof made?.mount === 'function' && (typeof made.customField === 'string' || typeof made.panel === 'string');
    if (isKnown) return made;
    throw new Error('its default export is neither a FieldEditor nor a Panel');
  } catch (error) {
    notify({ kind: 'problem', text: say('extension.failed', { url, reason: String(error) }) });
    return undefined;
  }
}
