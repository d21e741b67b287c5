/** The transfer cannot be done; nothing has been written. The message lists all problems, a line each. */
export class TransferRefused extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'TransferRefused';
  }
}

/** Adds to an error of the target what was being done. */
export async function explaining<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new TransferRefused([`${what}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
