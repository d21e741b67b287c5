/** Turns a function that returns an exit code into the action of a command. */
export type CommandAction = <Given extends readonly unknown[]>(
  command: (...given: Given) => Promise<number>,
) => (...given: Given) => Promise<void>;

/** Options that several commands have. */
export const dirOption = ['--dir <folder>', 'folder of the project', '.'] as const;
export const repeatable = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];
