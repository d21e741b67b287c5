/** What `lectern load` says: its progress, the lines that failed, and the numbers at its end. */
import type { FileHandle } from 'node:fs/promises';
import { counted } from '../../text/counted.ts';
import { printable } from '../../text/printable.ts';
import type { LoadedGroup } from './load-group.ts';
import type { Failure } from './load-lines.ts';

/** Failures that are printed; a file may have all. */
const mostShown = 20;
/** Milliseconds. */
const showEvery = 200;

export class LoadReport {
  readonly #isDryRun: boolean;
  readonly #errors: FileHandle | undefined;
  readonly #totals = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  readonly #began = performance.now();
  #shownAt = 0;

  constructor(isDryRun: boolean, errors: FileHandle | undefined) {
    this.#isDryRun = isDryRun;
    this.#errors = errors;
  }

  get failed(): number {
    return this.#totals.failed;
  }

  async add({ created, updated, unchanged, failures }: LoadedGroup, lastLine: number): Promise<void> {
    const totals = this.#totals;
    totals.created += created;
    totals.updated += updated;
    totals.unchanged += unchanged;
    for (const failure of [...failures].sort((a, b) => a.line - b.line)) await this.#fail(failure);
    this.#show(lastLine);
  }

  end(): void {
    this.#clear();
    const { created, updated, unchanged, failed } = this.#totals;
    if (failed > mostShown) process.stderr.write(`… and ${counted(failed - mostShown, 'other line')}.\n`);
    const begin = this.#isDryRun ? 'Nothing was written. It would be: created' : 'Created';
    const number = (each: number) => each.toLocaleString('en');
    process.stdout.write(
      `${begin} ${number(created)}, updated ${number(updated)}, unchanged ${number(unchanged)}, failed ${number(failed)}.\n`,
    );
  }

  async #fail(failure: Failure): Promise<void> {
    const { line, text, problems } = failure;
    if (++this.#totals.failed <= mostShown) {
      this.#clear();
      const said = problems.map(({ message }) => printable(message)).join('; ');
      process.stderr.write(`Line ${line}: ${said}\n`);
    }
    await this.#errors?.appendFile(`${JSON.stringify({ line, errors: problems, text })}\n`);
  }

  #show(lastLine: number): void {
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#shownAt < showEvery) return;
    this.#shownAt = now;
    const rate = Math.round((lastLine * 1000) / (now - this.#began));
    process.stderr.write(`\r\x1b[K${counted(lastLine, 'line')}, ${rate.toLocaleString('en')}/s, ${this.#totals.failed} failed`);
  }

  #clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}
