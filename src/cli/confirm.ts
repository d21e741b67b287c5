/** Asks on the terminal, by standard error, so that scripts can read standard output. */

export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Undefined if the question was cancelled: by Ctrl-C, or by `signal` when it is out of date. */
export async function confirmed(message: string, signal?: AbortSignal): Promise<boolean | undefined> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const decision = await confirm({ message, initialValue: false, output: process.stderr, ...(signal === undefined ? {} : { signal }) });
  return isCancel(decision) ? undefined : decision;
}
