/** Ids of rows are positive integers of 32 bits. */
export const isRowId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= maxRowId;

const maxRowId = 2 ** 31 - 1;
