/** Exit codes of commands. A command that fails ends with 1. */
export const exitCodes = {
  done: 0,
  /** The command line was not understood. */
  usage: 2,
  /** Something differs, or remains to be done: so that scripts can tell it from a failure. */
  changesFound: 3,
} as const;
