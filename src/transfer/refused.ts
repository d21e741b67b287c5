/** The transfer cannot be done; nothing was written. The message has a line for each problem. */
export class TransferRefused extends Error {
  constructor(problems: readonly string[], options: ErrorOptions = {}) {
    super(problems.join('\n'), options);
    this.name = 'TransferRefused';
  }
}

/** This many problems are printed, and the rest are only counted. */
const problemsShown = 50;

/** There may be as many as values. */
export class Problems {
  readonly #shown: string[] = [];
  #more = 0;

  add(problem: string): void {
    if (this.#shown.length < problemsShown) this.#shown.push(problem);
    else this.#more++;
  }

  /** `also`: printed below them. */
  refuse(...also: readonly string[]): void {
    if (this.#shown.length === 0) return;
    throw new TransferRefused([...this.#shown, ...(this.#more > 0 ? [`… and ${this.#more} more`] : []), ...also]);
  }
}
