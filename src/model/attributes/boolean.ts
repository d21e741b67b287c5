import { type AttributeType, valid } from './attribute-type.ts';

/** Strapi's cast: three words each, anything else by JavaScript's truth. */
export function castBoolean(text: string | null): boolean {
  if (text === 'false' || text === 'f' || text === '0') return false;
  return Boolean(text);
}

export const booleanAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter: (text) => valid(castBoolean(text)),
  writeJson: (stored) => (stored === true || stored === 1 || stored === '1' || stored === 'true' || stored === 't' ? 'true' : 'false'),
};
