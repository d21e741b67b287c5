import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder that is removed when the running test has finished. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** One for all tests of a file or a `describe`, in whose body it is called. */
export function useTemporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
