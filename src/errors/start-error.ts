/** Why the server cannot start, for the person who starts it: every problem at once, each a sentence that says where and what to do. Thrown by
 *  whatever finds it; the command line prints the problems and ends with `exitCode`. */
export class StartError extends Error {
  readonly problems: readonly string[];
  readonly exitCode: number;

  constructor(problems: readonly string[], exitCode = 1) {
    super(problems.join('\n'));
    this.name = 'StartError';
    this.problems = problems;
    this.exitCode = exitCode;
  }
}
