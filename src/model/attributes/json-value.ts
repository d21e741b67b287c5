import { type AttributeType, accepted, type BodyValue, refused, valid } from './attribute-type.ts';
import { problem, wellFormed } from './cast.ts';
import { maxDepth, nestsTooDeeply, writeLossless } from './lossless.ts';

/** json. Stored as text; Strapi stores scalars raw (`just text`, `10`), so what does not parse is a string. */
export const jsonAttribute: AttributeType = {
  search: 'no',
  textual: true,
  parseFilter: valid,
  writeJson: textOfStored,
  // What Strapi would store as it came is read as it would be when it is asked for: text that is JSON as that JSON.
  readBody: (value) => (typeof value === 'string' ? readText(wellFormed(value)) : writeBounded(value)),
  fromSelected: textOfStored,
};

function textOfStored(stored: unknown): string {
  if (typeof stored !== 'string')
    return typeof stored === 'number' && Number.isFinite(stored) ? String(stored) : (JSON.stringify(stored) ?? 'null');
  if (knownTexts.has(stored)) return stored;
  try {
    const value: unknown = JSON.parse(stored);
    // Text inside text is parsed once more, as Strapi does; else the stored text goes out as it is, with every digit it has.
    if (typeof value === 'string') return innerText(value, stored);
    remember(stored);
    return stored;
  } catch {
    return JSON.stringify(stored);
  }
}

const tooDeep = refused(problem(`{path} must not be nested deeper than ${maxDepth} levels`));

function readText(value: string): BodyValue {
  const text = textOfStored(value);
  return nestsTooDeeply(JSON.parse(text)) ? tooDeep : accepted(text);
}

/** The value as JSON text. */
export const writeBounded = (value: unknown): BodyValue => (nestsTooDeeply(value) ? tooDeep : accepted(writeLossless(value)));

/** Texts that were found to be JSON. Checking the same text again for each reader takes a third of the time of a list. */
const knownTexts = new Set<string>();
const keptCharacters = 1_000_000;
let characters = 0;

function remember(text: string): void {
  if (text.length > keptCharacters / 100) return;
  characters += text.length;
  if (characters > keptCharacters) {
    knownTexts.clear();
    characters = text.length;
  }
  knownTexts.add(text);
}

function innerText(value: string, stored: string): string {
  try {
    JSON.parse(value);
    return value;
  } catch {
    return JSON.stringify(stored);
  }
}
