/** Begins the name of every database of one run of the suite. */
export const databasePrefix = (run: string) => `lectern_test_${run}_`;
