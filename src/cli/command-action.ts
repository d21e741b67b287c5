/** Turns a function that returns an exit code into the action of a command. */
export type CommandAction = <Options>(command: (options: Options) => Promise<number>) => (options: Options) => Promise<void>;

/** Options that several commands have. */
export const dirOption = ['--dir <folder>', 'folder of the project', '.'] as const;
export const repeatable = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];
