/** The reasons why a command cannot run, each a sentence with the position and the remedy. The
 *  command line prints them and ends with `exitCode`. */
export class StartError extends Error {
  readonly problems: readonly string[];
  readonly exitCode: number;

  constructor(problems: readonly string[], exitCode = 1, options: ErrorOptions = {}) {
    super(problems.join('\n'), options);
    this.name = 'StartError';
    this.problems = problems;
    this.exitCode = exitCode;
  }
}
