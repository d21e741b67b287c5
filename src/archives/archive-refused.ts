/** The archive cannot be imported; nothing has been written. A problem a line. */
export class ArchiveRefused extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ArchiveRefused';
    this.problems = problems;
  }
}
