/** `npm run test:long` takes hours instead of minutes: more random input, and every file on every engine. */
export const isLong = process.env.LECTERN_TEST_LONG === 'true';

/** How often a property is tested with random input. */
export const fuzzRuns = Number(process.env.LECTERN_TEST_FUZZ_RUNS ?? (isLong ? 1500 : 200));
