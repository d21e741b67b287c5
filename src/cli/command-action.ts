import { type Command, InvalidArgumentError } from 'commander';

/** Makes an action of the function that `load` imports. The function gets the command's arguments
 *  and options, and returns an exit code. */
export type CommandAction = (load: () => Promise<(...args: never[]) => Promise<number>>) => (...args: unknown[]) => Promise<void>;

/** Adds a command about a project. */
export const projectCommand = (parent: Command, name: string, description: string): Command =>
  parent.command(name).description(description).option('--dir <folder>', 'folder of the project', '.');

export const repeatable = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

/** Reads the value of `--port`. */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}
