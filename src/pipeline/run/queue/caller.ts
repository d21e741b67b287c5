/** On whose behalf work is done: the work of one caller must not delay the others. */
export interface Caller {
  /** The same for all requests of an API token, of a user, or without either of an IP address. */
  readonly key: string;
  /** Whether the client has disconnected. */
  readonly hasLeft: () => boolean;
}
