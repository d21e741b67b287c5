/** Exit codes of commands. `docs/configuration.md` documents them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line is wrong for any project. */
  usage: 2,
  /** Differences were found, or work remains; scripts can distinguish this from a failure. */
  changesFound: 3,
  /** Ended by SIGINT. */
  interrupted: 130,
  /** Ended by SIGTERM. */
  terminated: 143,
} as const;
