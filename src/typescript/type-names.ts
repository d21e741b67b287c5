/** Names of interfaces: `Article` for `api::article.article`, `SharedSeo` for the component
 *  `shared.seo`, `UploadFile` for `plugin::upload.file`. */
import type { Schema, Uid } from '../model/content-model.ts';

/** `author-page` → `AuthorPage`. Keeps letters of every script; a digit in front gets a `_`. As it
 *  begins with a capital letter, `_` or a letter without cases, it is no word of the language. */
function pascalCase(...words: readonly string[]): string {
  const name = words
    .flatMap((word) => word.normalize('NFC').split(/[^\p{L}\p{M}\p{N}]+/u))
    .map((part) => part.replaceAll(/[^\p{ID_Continue}]/gu, ''))
    .map(capitalised)
    .join('');
  return /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

const capitalised = (word: string): string => {
  const [first = '', ...rest] = word;
  const capital = first.toUpperCase();
  // The capital of some letters is two letters.
  return ([...capital].length === 1 ? capital : first) + rest.join('');
};

/** The names for a type, best first. */
function candidates({ kind, uid }: Schema): readonly string[] {
  if (kind === 'component') {
    const [category = '', ...name] = uid.split('.');
    const simple = pascalCase(category, name.join('.'));
    return [simple, `${simple}Component`];
  }
  const [origin = '', rest = ''] = uid.split('::');
  const [owner = '', ...name] = rest.split('.');
  const own = name.join('.');
  return origin === 'api'
    ? [pascalCase(own), pascalCase(origin, owner, own)]
    : origin === 'plugin'
      ? [pascalCase(owner, own)]
      : [pascalCase(origin, own)];
}

export const inputName = (name: string): string => `${name}Input`;

/** Names every type, so that no two share a name, no input has the name of a type, and none is
 *  `taken`. The first type in order wins. */
export function nameTypes(schemas: readonly Schema[], taken: Iterable<string>): ReadonlyMap<Uid, string> {
  const used = new Set(taken);
  const isFree = (name: string) => !used.has(name) && !used.has(inputName(name));
  const names = new Map<Uid, string>();
  for (const schema of schemas) {
    const wanted = candidates(schema);
    const name = wanted.find(isFree) ?? numbered(wanted.at(-1) ?? '', isFree);
    for (const each of [name, inputName(name)]) used.add(each);
    names.set(schema.uid, name);
  }
  return names;
}

function numbered(name: string, isFree: (name: string) => boolean): string {
  for (let number = 2; ; number++) if (isFree(`${name}${number}`)) return `${name}${number}`;
}
