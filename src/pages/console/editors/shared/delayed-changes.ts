/** Changes of editors, which reach the form when somebody stops typing for a moment: making a value
 *  of a long text takes longer than a keystroke may. */

const defaultDelay = 150;
/** Of all editors in the page. */
const waiting = new Set<DelayedChange>();

/** Hands all changes over now. Before saving, and before the page is left. */
export function flushEditors(): void {
  for (const each of [...waiting]) each.flush();
}

// Before anybody asks whether something has changed.
for (const name of ['beforeunload', 'pagehide', 'visibilitychange']) globalThis.addEventListener?.(name, flushEditors, { capture: true });

export class DelayedChange {
  readonly #run: () => void;
  readonly #delay: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void, delay = defaultDelay) {
    this.#run = run;
    this.#delay = delay;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), this.#delay);
    waiting.add(this);
  }

  flush(): void {
    if (!this.isWaiting) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    waiting.delete(this);
    this.#run();
  }
}
