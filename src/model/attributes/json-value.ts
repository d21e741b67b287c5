import { type AttributeType, accepted, type BodyValue, refused, valid } from './attribute-type.ts';
import { problem, wellFormed } from './cast.ts';
import { maxDepth, nestsTooDeeply, writeLossless } from './lossless.ts';

/** json, stored as text. As Strapi does not quote scalars, text that is no JSON is a string. */
export const jsonAttribute: AttributeType = {
  search: 'no',
  textual: true,
  parseFilter: valid,
  write: (stored, output) => output.json(textOfStored(stored)),
  // A text that is JSON becomes that JSON: Strapi stores the text, and parses it when it reads.
  readBody: (value) => (typeof value === 'string' ? readText(wellFormed(value)) : writeBounded(value)),
  fromSelected: textOfStored,
};

function textOfStored(stored: unknown): string {
  if (typeof stored !== 'string')
    return typeof stored === 'number' && Number.isFinite(stored) ? String(stored) : (JSON.stringify(stored) ?? 'null');
  let text = knownTexts.get(stored);
  if (text === undefined) {
    text = parsedText(stored);
    remember(stored, text);
  }
  return text;
}

function parsedText(stored: string): string {
  try {
    const value: unknown = JSON.parse(stored);
    // A text in the text is parsed, as in Strapi. Other JSON is unchanged, to keep its digits.
    return typeof value === 'string' ? innerText(value, stored) : stored;
  } catch {
    return JSON.stringify(stored);
  }
}

const tooDeep = refused(problem(`{path} must not be nested deeper than ${maxDepth} levels`));

function readText(value: string): BodyValue {
  const text = textOfStored(value);
  return nestsTooDeeply(JSON.parse(text)) ? tooDeep : accepted(text);
}

/** The value as JSON text, unless it is nested too deeply. */
export const writeBounded = (value: unknown): BodyValue => (nestsTooDeeply(value) ? tooDeep : accepted(writeLossless(value)));

/** A cache of stored texts and their JSON. Parsing each text on every read would take a third of a
 *  list's time, and longer for a text that is not JSON, since `JSON.parse` throws. */
const knownTexts = new Map<string, string>();
const cachedCharacters = 1_000_000;
let characters = 0;

function remember(stored: string, text: string): void {
  // The two are usually the same object.
  const length = stored === text ? stored.length : stored.length + text.length;
  if (length > cachedCharacters / 100) return;
  characters += length;
  if (characters > cachedCharacters) {
    knownTexts.clear();
    characters = length;
  }
  knownTexts.set(stored, text);
}

function innerText(value: string, stored: string): string {
  try {
    JSON.parse(value);
    return value;
  } catch {
    return JSON.stringify(stored);
  }
}
