/** The transfer cannot be done; nothing has been written. The message says everything that is in its way, a line each. */
export class TransferRefused extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'TransferRefused';
  }
}

/** Says what was being done when the target refused something. */
export async function explaining<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new TransferRefused([`${what}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
