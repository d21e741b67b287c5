/** Describes differences from the recordings. */
import { expect } from 'vitest';
import { belowFiveHundred, type Difference, type RecordedResponse } from './compare.ts';

export function describeDifferences(what: string, differences: readonly Difference[]): string {
  const lines = differences.flatMap(({ path, want, got }) => [`  @ ${path}`, `  - ${want}`, `  + ${got}`]);
  const shown = lines.slice(0, 30);
  return [what, ...shown, ...(lines.length > shown.length ? [`  … ${lines.length - shown.length} more lines`] : [])].join('\n');
}

/** A response that is listed as different from the recorded one: it is not a failure, and it has to be different. */
export function expectDifference(differences: readonly Difference[], got: RecordedResponse, list: string): void {
  expect(belowFiveHundred(got)).toEqual([]);
  expect(differences.length, `no longer differs, remove it from ${list}`).toBeGreaterThan(0);
}
