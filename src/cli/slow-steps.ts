/** Prints a line about each step that takes longer than a second, on standard error. */
import { printable } from '../text/printable.ts';

const unnoticed = 1000;

export class SlowSteps {
  #step: { readonly text: string; readonly since: number; readonly timer: NodeJS.Timeout; isPrinted: boolean } | undefined;

  begin(text: string): void {
    this.end();
    this.#step = { text, since: performance.now(), timer: setTimeout(() => this.#print(), unnoticed), isPrinted: false };
  }

  /** No timer fires while a statement blocks this thread, so such a step is printed after it. */
  end(): void {
    if (this.#step !== undefined && performance.now() - this.#step.since > unnoticed) this.#print();
    this.stop();
  }

  /** Prints nothing more. */
  stop(): void {
    clearTimeout(this.#step?.timer);
    this.#step = undefined;
  }

  #print(): void {
    if (this.#step === undefined || this.#step.isPrinted) return;
    this.#step.isPrinted = true;
    process.stderr.write(`${printable(this.#step.text)}\n`);
  }
}

/** Reports that another process holds the lock of `Database.maintain`. */
export const printWaiting = (): void =>
  void process.stderr.write('Waiting for another `lectern indexes` or `lectern migrate` on this database …\n');
