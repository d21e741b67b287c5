import { describe, expect, it } from 'vitest';
import { addAttributes } from './add-attributes.ts';

const cases: readonly (readonly [it: string, before: string, after: string])[] = [
  [
    'tabs, and attributes on a line each',
    '{\n\t"a": 1,\n\t"attributes": {\n\t\t"name": { "type": "string" }\n\t}\n}\n',
    '{\n\t"a": 1,\n\t"attributes": {\n\t\t"name": { "type": "string" },\n\t\t"note": {\n\t\t\t"type": "text"\n\t\t}\n\t}\n}\n',
  ],
  [
    'four spaces and CRLF',
    '{\r\n    "attributes": {\r\n        "name": { "type": "string" }\r\n    }, "b": 2\r\n}',
    '{\r\n    "attributes": {\r\n        "name": { "type": "string" },\r\n        "note": {\r\n            "type": "text"\r\n        }\r\n    }, "b": 2\r\n}',
  ],
  ['one line', '{"attributes": {"name": {"type": "string"}}}', '{"attributes": {"name": {"type": "string"}, "note":{"type":"text"}}}'],
  ['one line without attributes', '{"attributes": {}}', '{"attributes": {"note":{"type":"text"}}}'],
  ['no attributes', '{\n  "attributes": {}\n}\n', '{\n  "attributes": {\n    "note": {\n      "type": "text"\n    }\n  }\n}\n'],
  [
    'no attributes over two lines',
    '{\n  "attributes": {\n  }\n}\n',
    '{\n  "attributes": {\n    "note": {\n      "type": "text"\n    }\n  }\n}\n',
  ],
  [
    'all attributes on one line',
    '{\n  "attributes": { "name": { "type": "string" } }\n}',
    '{\n  "attributes": { "name": { "type": "string" },\n    "note": {\n      "type": "text"\n    }\n  }\n}',
  ],
  ['a byte order mark', '\ufeff{"attributes": {}}', '\ufeff{"attributes": {"note":{"type":"text"}}}'],
];

describe('addAttributes keeps the format', () => {
  it.each(cases)('%s', (_, before, after) => {
    expect(addAttributes(before, { note: { type: 'text' } })).toBe(after);
    expect(JSON.parse(after.replace('\ufeff', '')).attributes.note).toEqual({ type: 'text' });
  });
});
