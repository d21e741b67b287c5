/** Exit codes of commands; `docs/configuration.md` has the same table. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line is wrong, whatever the project holds. */
  usage: 2,
  /** Something differs, or remains to be done: a script can tell this from a failure. */
  changesFound: 3,
  /** Ended by SIGINT. */
  interrupted: 130,
  /** Ended by SIGTERM. */
  terminated: 143,
} as const;
