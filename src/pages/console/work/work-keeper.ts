/** Keeps the changes of one form in the browser, each at once; while one is being written, only the
 *  latest of the next waits. */
import { notify } from '../shell/notices.tsx';
import { say } from '../words/say.ts';

let hasWarned = false;

export class WorkKeeper {
  readonly #write: () => Promise<boolean>;
  #writing: Promise<void> | undefined;
  #isLate = false;

  /** `write`: stores the changes as they are then, and resolves with whether they are stored. */
  constructor(write: () => Promise<boolean>) {
    this.#write = write;
  }

  keep(): void {
    if (this.#writing !== undefined) {
      this.#isLate = true;
      return;
    }
    this.#writing = this.#keepOnce().finally(() => {
      this.#writing = undefined;
      if (!this.#isLate) return;
      this.#isLate = false;
      this.keep();
    });
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #keepOnce(): Promise<void> {
    if ((await this.#write()) || hasWarned) return;
    hasWarned = true;
    notify({ kind: 'problem', text: say('document.notKept') });
  }
}
