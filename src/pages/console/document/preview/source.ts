/** Where a text of the previewed page comes from, as that page says it. The page may say anything:
 *  a source only chooses among what the form and the caller's types have. Pure. */
import type { DescribedAttribute } from '../../../../http/endpoints/me/described-me.ts';
import type { Path } from '../../fields/form-context.ts';
import { type ComponentOf, isRecord, listOf } from '../values.ts';

export interface Source {
  readonly documentId: string;
  /** The uid of the type or component that has the last attribute of the path. */
  readonly model: string;
  readonly locale: string | undefined;
  /** `links.0.url` → `['links', '0', 'url']` */
  readonly path: readonly string[];
}

const longest = 2000;

/** `documentId=…&model=api::article.article&path=title`; undefined if it says too little. */
export function readSource(text: unknown): Source | undefined {
  if (typeof text !== 'string' || text.length > longest) return undefined;
  const said = new URLSearchParams(text);
  const [documentId, model, path] = [said.get('documentId') ?? '', said.get('model') ?? '', said.get('path') ?? ''];
  // It becomes part of a path, where `..` would lead elsewhere.
  if (!/^[\w-]+$/.test(documentId) || model === '' || path === '') return undefined;
  return { documentId, model, locale: said.get('locale') ?? undefined, path: path.split('.') };
}

interface Place {
  readonly attributes: readonly DescribedAttribute[];
  /** The values that the page shows, and those in the form. */
  readonly stored: Readonly<Record<string, unknown>>;
  readonly typed: Readonly<Record<string, unknown>>;
}

/** The field that edits what is at the path: within components the innermost one that there is; for
 *  files and linked documents the attribute. Undefined if the form has none. */
export function fieldAt(
  [name, ...rest]: readonly string[],
  { attributes, stored, typed }: Place,
  componentOf: ComponentOf,
): Path | undefined {
  const attribute = attributes.find((each) => each.name === name);
  if (attribute === undefined) return undefined;
  const own = [attribute.name];
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return own;
  const isMany = attribute.isMany === true;
  const [shown, now] = [stored[attribute.name], typed[attribute.name]];
  const entry = isMany ? listOf(shown)[Number(rest[0])] : shown;
  if (!isRecord(entry)) return own;
  // Entries may have been moved since they were stored. In a zone, each kind counts for itself.
  const index = listOf(now).findIndex((each) => isRecord(each) && each.id === entry.id && each.__component === entry.__component);
  const current = isMany ? listOf(now)[index] : now;
  if (!isRecord(current)) return own;
  const at = isMany ? [...own, index] : own;
  const component = componentOf(attribute.component ?? String(entry.__component));
  const within = { attributes: component?.attributes ?? [], stored: entry, typed: current };
  return [...at, ...(fieldAt(rest.slice(isMany ? 1 : 0), within, componentOf) ?? [])];
}
