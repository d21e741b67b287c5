import { type AttributeType, invalid, valid } from './attribute-type.ts';

export const bigintegerAttribute: AttributeType = {
  search: 'number',
  textual: false,
  parseFilter: (text) =>
    /^[+-]?\d{1,1000}$/.test(text) ? valid(BigInt(text.replace('+', ''))) : invalid('Invalid format, expected an integer'),
  writeJson(stored) {
    const text = String(stored);
    // What passed through a JavaScript number on its way in was stored as a real number: `9.22337203685478e+18`.
    return /^-?\d+$/.test(text) || !Number.isFinite(Number(text)) ? JSON.stringify(text) : `"${BigInt(Math.round(Number(text)))}"`;
  },
};
