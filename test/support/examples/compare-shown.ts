/** What a page shows, compared with what there is. */

/** What varies from run to run, by what the page shows in its place: ids of new documents, entity tags, names of stored files. */
export type Aliases = Map<string, string>;

/** Kinds of values that are other ones in each run: ids, times, entity tags, tokens, versions of a file's name, numbers in names. */
const varying = [
  /^[a-z0-9]{24}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^"[\w.-]{10,}"$/,
  /^eyJ[\w.-]+$/,
  /^[\w./-]*_[0-9a-f]{10}(\.\w+)?$/,
  /^[0-9a-f]{48,}$/,
];

export interface Comparison {
  readonly aliases: Aliases;
  /** True if numeric ids may be other ones too. */
  readonly idsVary: boolean;
}

/**
 * The differences, in words; none if the page is right. In what is shown, `…` ends a text that was cut and a list that goes on, alone it is any
 * value, and as a key it is any other keys. Objects may lack `documentId`, and the whole response any key.
 */
export function differences(shown: unknown, actual: unknown, comparison: Comparison, path = ''): readonly string[] {
  const here = path === '' ? 'the answer' : path;
  if (shown === '…') return [];
  if (typeof shown === 'string' && typeof actual === 'string')
    return sameText(shown, actual, comparison) ? [] : [differs(here, shown, actual)];
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [differs(here, shown, actual)];
    const goesOn = shown.at(-1) === '…';
    const entries = goesOn ? shown.slice(0, -1) : shown;
    if (goesOn ? actual.length <= entries.length : actual.length !== entries.length)
      return [`${here} has ${actual.length} entries, the page shows ${entries.length}${goesOn ? ' and more' : ''}`];
    return entries.flatMap((entry, index) => differences(entry, actual[index], comparison, `${path}[${index}]`));
  }
  if (isRecord(shown)) {
    if (!isRecord(actual)) return [differs(here, shown, actual)];
    const more = Object.keys(actual).filter((key) => !(key in shown) && key !== 'documentId');
    const hidden = path === '' || '…' in shown ? [] : more.map((key) => `${here} has ${key} too: ${JSON.stringify(actual[key])}`);
    const keys = Object.keys(shown).filter((key) => key !== '…');
    const order =
      keys.filter((key) => key in actual).join() ===
      Object.keys(actual)
        .filter((key) => key in shown)
        .join();
    return [
      ...hidden,
      ...(order ? [] : [`${here} has its keys in another order: ${Object.keys(actual).join()}`]),
      ...keys.flatMap((key) => {
        if (key === 'id' && comparison.idsVary && typeof shown[key] === 'number' && typeof actual[key] === 'number') return [];
        return differences(shown[key], actual[key], comparison, path === '' ? key : `${path}.${key}`);
      }),
    ];
  }
  return Object.is(shown, actual) ? [] : [differs(here, shown, actual)];
}

function sameText(shown: string, actual: string, { aliases }: Comparison): boolean {
  if (shown === actual) return true;
  if (shown.includes('…')) return cut(shown).test(actual);
  if (!varying.some((kind) => kind.test(shown) && kind.test(actual))) return false;
  const known = aliases.get(shown);
  if (known === undefined) aliases.set(shown, actual);
  // Times are no names of anything.
  return known === undefined || known === actual || shown.endsWith('Z');
}

/** `…` stands for any text. */
export const cut = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const differs = (path: string, shown: unknown, actual: unknown) =>
  `${path} is ${JSON.stringify(actual)}, the page shows ${JSON.stringify(shown)}`;

/** JSON as pages write it: `…` may stand without quotes in lists and objects, and after the first lines of a response a comma may be left out. */
export function parseShown(text: string): unknown {
  const json = text
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|…/g, (token, at: number) => {
      if (token !== '…') return token;
      // In an object `…` is a key.
      return inObject(text.slice(0, at)) ? '"…":"…"' : '"…"';
    })
    .trim();
  return JSON.parse(json);
}

/** True if the innermost bracket that is open at the end of a text is a brace, and no value is expected there. */
function inObject(before: string): boolean {
  const open: string[] = [];
  let last = '';
  for (const [token] of before.matchAll(/"(?:[^"\\\n]|\\.)*"|[^\s"]/g)) {
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
    last = token;
  }
  return open.at(-1) === '{' && last !== ':';
}

/** True for JSON, also with `…`. */
export function isShownJson(text: string): boolean {
  try {
    parseShown(text);
    return true;
  } catch {
    return false;
  }
}
