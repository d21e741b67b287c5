/** For whom work is done: what one caller asks for must not keep the others waiting. */
export interface Caller {
  /** The same for all requests of an API token, of a user, or without either of an IP address. */
  readonly key: string;
  /** Nobody is there any more to be answered. */
  readonly hasLeft: () => boolean;
}
