/** Describes differences from the recordings. */
import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { belowFiveHundred, type Comparison, type Difference, type RecordedResponse } from './compare.ts';

export interface SoftDifferences {
  readonly case: string;
  readonly differences: readonly Difference[];
}

export function describeDifferences(what: string, differences: readonly Difference[]): string {
  const lines = differences.flatMap(({ path, want, got }) => [`  @ ${path}`, `  - ${want}`, `  + ${got}`]);
  const shown = lines.slice(0, 30);
  return [what, ...shown, ...(lines.length > shown.length ? [`  … ${lines.length - shown.length} more lines`] : [])].join('\n');
}

/** A response that is listed as different from the recorded one: it is not a failure, and it has to be different. */
export function expectDifference(comparison: Comparison, got: RecordedResponse, list: string): void {
  expect(belowFiveHundred(got).hard).toEqual([]);
  expect(comparison.hard.length, `no longer differs, remove it from ${list}`).toBeGreaterThan(0);
}

/** Differences of taste: how many of which kind. `LECTERN_TEST_SOFT=file.json` writes them down in full. */
export function reportSoft(run: string, soft: readonly SoftDifferences[]): void {
  const kinds = new Map<string, number>();
  for (const { differences } of soft) {
    for (const kind of new Set(differences.map(({ path }) => path.replace(/^(error\.details|headers\.[\w-]+).*/, '$1')))) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  }
  const counts = [...kinds].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${kind} ${count}`);
  console.info(`Recordings (${run}): ${soft.length} answers differ softly${counts.length === 0 ? '' : `: ${counts.join(', ')}`}`);
  const target = process.env.LECTERN_TEST_SOFT;
  if (target !== undefined)
    writeFileSync(target.replace(/(\.json)?$/, `-${run.replaceAll(/\W+/g, '-')}.json`), JSON.stringify(soft, null, 1));
}
