import { InvalidArgumentError } from 'commander';

/** Turns a function that returns an exit code into the action of a command. */
export type CommandAction = <Given extends readonly unknown[]>(
  command: (...given: Given) => Promise<number>,
) => (...given: Given) => Promise<void>;

/** Options that several commands have. */
export const dirOption = ['--dir <folder>', 'folder of the project', '.'] as const;
export const repeatable = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

/** Reads the value of `--port`. */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}
