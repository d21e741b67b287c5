/** The words that recorded scenarios use for what a run makes up itself: `{{name}}` is a value saved from an earlier response, `<<kind>>` any value
 *  of a kind. */
import { type Json, type RecordedResponse, type Rules, sameValue } from './compare.ts';

/** Values that earlier steps of a scenario saved. */
export type Saved = Map<string, unknown>;

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => Number.isInteger(value) && Number(value) > 0,
  number: (value) => typeof value === 'number',
  documentId: (value) => typeof value === 'string' && /^[a-z0-9]{24}$/.test(value),
  isoDate: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  jwt: (value) => typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value),
  string: (value) => typeof value === 'string',
  any: () => true,
};

/** The same inside a longer text. */
const patterns: Readonly<Record<string, string>> = {
  hash10: '[0-9a-f]{10}',
  documentId: '[a-z0-9]{24}',
  id: '[0-9]+',
  digits: '[0-9]+',
  isoDate: '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z',
  jwt: '[\\w.-]+',
};

/** A recorded request with saved values filled in. `{{name}}` alone keeps the value's type, `{{name:string}}` makes it a text. */
export function filled(template: unknown, saved: Saved): unknown {
  if (Array.isArray(template)) return template.map((element) => filled(element, saved));
  if (typeof template === 'object' && template !== null) {
    return Object.fromEntries(Object.entries(template).map(([key, value]) => [filledText(key, saved), filled(value, saved)]));
  }
  if (typeof template !== 'string') return template;
  const alone = /^\{\{([\w-]+)(:string)?\}\}$/.exec(template);
  if (alone?.[1] === undefined) return filledText(template, saved);
  const value = savedValue(alone[1], saved);
  return alone[2] === undefined ? value : String(value);
}

export function filledText(template: string, saved: Saved): string {
  return template.replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => String(savedValue(name, saved)));
}

function savedValue(name: string, saved: Saved): unknown {
  if (!saved.has(name)) throw new Error(`no earlier step saved ${name}`);
  return saved.get(name);
}

/** How responses to writes are compared: README.md of the recordings, "Rules of comparison". */
export function writeRules(saved: Saved): Rules {
  return {
    same: (want, got) => sameValue(want, got) || (typeof want === 'string' && fits(want, got, saved)),
    essence: ({ data, status, name, details }) => ({ data, status, name, paths: errorPaths(details) }),
    insteadOfFailure: refusal,
    mediaType: true,
  };
}

function fits(want: string, got: unknown, saved: Saved): boolean {
  const kind = /^<<(\w+)>>$/.exec(want)?.[1];
  if (kind !== undefined) return kinds[kind]?.(got) ?? false;
  const name = /^\{\{([\w-]+)\}\}$/.exec(want)?.[1];
  if (name !== undefined) return saved.has(name) && got === saved.get(name);
  if (typeof got !== 'string' || !/<<\w+>>|\{\{[\w-]+\}\}/.test(want)) return false;
  const pattern = want.split(/(<<\w+>>|\{\{[\w-]+\}\})/).map((part) => {
    if (part.startsWith('<<')) return patterns[part.slice(2, -2)] ?? '[\\s\\S]*';
    const text = part.startsWith('{{') ? String(saved.get(part.slice(2, -2))) : part;
    return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${pattern.join('')}$`).test(got);
}

/** The set of paths of `details.errors`, as a sorted list. */
function errorPaths(details: unknown): string[] {
  const { errors } = (details ?? {}) as { readonly errors?: readonly Json[] };
  const paths = (Array.isArray(errors) ? errors : []).map(({ path }) => (Array.isArray(path) ? path.join('.') : String(path)));
  return [...new Set(paths)].sort();
}

/** Where Strapi fails the request is at fault, so it has to be refused. */
function refusal(got: RecordedResponse) {
  const refused = got.status >= 400 && got.status < 500;
  return refused ? [] : [{ path: 'status', want: '400 to 499', got: String(got.status) }];
}
