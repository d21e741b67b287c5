import { describe, expect, it } from 'vitest';
import { attributeOf, type Schema } from '../../../test/support/body-values.ts';
import type { StoredValue } from './attribute-type.ts';
import { defaultOf } from './default-of.ts';

describe('the default of an attribute', () => {
  const cases: readonly { it: string; of: Schema; is: StoredValue | undefined }[] = [
    { it: 'is none where the schema has none', of: { type: 'string' }, is: undefined },
    { it: 'is none where the schema says null', of: { type: 'string', default: null }, is: undefined },
    { it: 'is read like a value of a body', of: { type: 'biginteger', default: '3' }, is: 3n },
    { it: 'is not held to the rules that drafts are free of', of: { type: 'integer', min: 5, default: 3 }, is: 3 },
    { it: 'is ignored when it cannot be read', of: { type: 'integer', default: 'three' }, is: undefined },
    { it: 'can be false', of: { type: 'boolean', default: false }, is: false },
    { it: 'can be JSON', of: { type: 'json', default: { a: 1 } }, is: '{"a":1}' },
  ];
  it.each(cases)('$it', ({ of, is }) => expect(defaultOf(attributeOf(of))).toBe(is));
});
