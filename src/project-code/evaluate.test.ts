import { describe, expect, it } from 'vitest';
import { evaluateModule } from './evaluate.ts';
import type { Value } from './value.ts';

/** `a0`, and names of which each has the one before twice. */
const doubled = (first: string, next: (name: string) => string, times: number) =>
  [
    `const a0 = ${first};`,
    ...Array.from({ length: times }, (_, index) => `const a${index + 1} = ${next(`a${index}`)};`),
    `module.exports = a${times};`,
  ].join('\n');

const sizeOf = (value: Value) => (value.kind === 'list' ? value.items.length : value.kind === 'object' ? value.entries.size : 0);

describe('code that multiplies what it has', () => {
  it.each([
    ['lists', doubled(`'${'x '.repeat(1000)}'.split(' ')`, (name) => `[...${name}, ...${name}]`, 12)],
    ['paths', `const { join } = require('path');\n${doubled(`'${'x'.repeat(50_000)}'`, (name) => `join(${name}, ${name})`, 14)}`],
    ['entries', `module.exports = { ${Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`)}, ${'...x,'.repeat(10_000)} };`],
  ])('is not followed to its end: %s', (_, text) => {
    const around = { variable: () => undefined, folder: '/' };
    expect(sizeOf(evaluateModule(text, around))).toBeLessThanOrEqual(100_000);
  });
});
