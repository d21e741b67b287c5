import { type AttributeType, accepted, refused, valid } from './attribute-type.ts';
import { toBoolean, wrongType } from './cast.ts';

/** Casts as Strapi does: three words for each value; for others, JavaScript's truthiness. */
export function castBoolean(text: string | null): boolean {
  if (text === 'false' || text === 'f' || text === '0') return false;
  return Boolean(text);
}

const isTrue = (stored: unknown): boolean => stored === true || stored === 1 || stored === '1' || stored === 'true' || stored === 't';

export const booleanAttribute: AttributeType = {
  search: 'no',
  textual: false,
  parseFilter: (text) => valid(castBoolean(text)),
  write: (stored, output) => output.json(isTrue(stored) ? 'true' : 'false'),
  readBody(value) {
    const flag = toBoolean(value);
    return flag === undefined ? refused(wrongType('boolean', value, value)) : accepted(flag);
  },
  fromSelected: isTrue,
};
