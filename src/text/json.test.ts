import { describe, expect, it } from 'vitest';
import { parseJson } from './json.ts';

describe('parseJson', () => {
  it('parses, with or without a byte order mark', () => {
    expect(parseJson('\ufeff{"a": [1, true, null, "x"]}')).toEqual({ ok: true, value: { a: [1, true, null, 'x'] } });
  });

  it.each([
    { it: 'a missing comma', text: '{\n  "a": 1\n  "b": 2\n}', line: 3, column: 3, reason: 'a comma is expected' },
    { it: 'a comma too many', text: '{\n  "a": 1,\n}', line: 3, column: 1, reason: 'a key in double quotes is expected' },
    {
      it: 'a key without quotes',
      text: '{ a: 1 }',
      line: 1,
      column: 3,
      reason: 'texts and keys stand in double quotes, and true, false and null are the only words',
    },
    {
      it: 'single quotes',
      text: '{ "a": \'x\' }',
      line: 1,
      column: 8,
      reason: 'texts and keys stand in double quotes, and true, false and null are the only words',
    },
    { it: 'a comment', text: '{ // no\n}', line: 1, column: 3, reason: 'JSON has no comments' },
    { it: 'a missing colon', text: '{"a" 1}', line: 1, column: 6, reason: '":" is expected' },
    { it: 'an open object', text: '{"a": 1', line: 1, column: 8, reason: 'the file ends too early: a comma or "}" is expected' },
    { it: 'an empty file', text: '', line: 1, column: 1, reason: 'the file ends too early: a value is expected' },
    { it: 'text after the end', text: '{}\n{}', line: 2, column: 1, reason: 'the end of the file is expected' },
    { it: 'a bad escape', text: '["\\x"]', line: 1, column: 2, reason: 'after a backslash comes one of " \\ / b f n r t u' },
    { it: 'nesting without end', text: '['.repeat(200_000), line: 1, column: 1, reason: 'the file is nested too deeply' },
  ])('says where the mistake is: $it', ({ text, line, column, reason }) => {
    expect(parseJson(text)).toEqual({ ok: false, position: { line, column }, reason });
  });
});
