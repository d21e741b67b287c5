import type { RequestRecord } from '../../../observe/request-record.ts';

/** The caller of a request. The queues share the database fairly among callers: the work of one
 *  must not delay the others. */
export interface Caller {
  /** The same for all requests of an API token or a user; for requests without either, the same for
   *  an IP address. */
  readonly key: string;
  /** Returns true once the client has disconnected. */
  readonly hasLeft: () => boolean;
  /** Whether its reads must have every write that was confirmed before them, on whichever node of
   *  the database. */
  readonly isCurrent?: boolean | undefined;
  /** Takes what the request does, if anybody wants to know. */
  readonly record?: RequestRecord | undefined;
}
