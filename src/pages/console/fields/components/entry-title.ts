/** What tells a folded component from the others. Pure. */
import type { DescribedComponent } from '../../../../http/endpoints/me/described-me.ts';
import type { ComponentValue } from '../../document/values.ts';

const maxLength = 80;
const texts: ReadonlySet<string> = new Set(['string', 'text', 'richtext', 'uid', 'email']);

/** Its title, else its first text; empty if it has none. */
export function entryTitle(entry: ComponentValue, component: DescribedComponent | undefined): string {
  const textual = (component?.attributes ?? []).filter(({ type }) => texts.has(type)).map(({ name }) => name);
  const names = component?.title === undefined ? textual : [component.title, ...textual];
  const found = names.map((name) => entry[name]).find((value) => typeof value === 'string' && value.trim() !== '');
  const text = typeof found === 'string' ? found.replace(/\s+/g, ' ').trim() : '';
  return text.length > maxLength ? `${text.slice(0, maxLength).trimEnd()}…` : text;
}

/** Entries of a zone may have the same id. */
export const entryKey = (entry: ComponentValue): string => entry.__key ?? `${entry.__component ?? ''}:${entry.id}`;
