/** The state of the data that a snapshot sees. */
export interface ListState {
  /** Differs from that of every other snapshot between which anybody committed anything. */
  readonly seen: number | string;
  /** The version that the tables of the list had, at the beginning of the snapshot or earlier; undefined if it is not known. */
  readonly version: string | undefined;
}

/** Whether what is known of a list in one state holds in the other. If only the versions are the same, the version has to be compared again after the read. */
export const isSameState = (known: ListState, { seen, version }: ListState): boolean =>
  known.seen === seen || (version !== undefined && known.version === version);
