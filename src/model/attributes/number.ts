import { type AttributeType, invalid, valid } from './attribute-type.ts';

/** integer, float, decimal: whatever `Number` reads, as Strapi does (`1e1`, `0x10`, white space around). */
export const numberAttribute: AttributeType = {
  search: 'number',
  textual: false,
  parseFilter(text) {
    const trimmed = text.trim();
    const value = Number(trimmed);
    return trimmed === '' || !Number.isFinite(value) ? invalid('Invalid format, expected a number') : valid(value);
  },
  writeJson(stored) {
    if (typeof stored === 'number') return Number.isFinite(stored) ? String(stored) : 'null';
    // numeric columns come as text (`12.50`); what is not a number was put there by somebody else and is shown as it is.
    const value = Number(stored);
    return Number.isFinite(value) ? String(value) : JSON.stringify(String(stored));
  },
};
