import { type AttributeType, valid } from './attribute-type.ts';

/** json and blocks. Stored as text; Strapi stores scalars raw (`just text`, `10`), so what does not parse is a string. */
export const jsonAttribute: AttributeType = {
  search: 'no',
  textual: true,
  parseFilter: valid,
  writeJson(stored) {
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
  },
};

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
