/** Reads the value of a boolean column: SQLite returns 1 for true. */
export const isTrue = (value: unknown): boolean => value === true || value === 1;
