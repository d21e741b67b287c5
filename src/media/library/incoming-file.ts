/** A file that was sent and is on this machine's disk, in a folder for work. Nothing of it has been looked at. */
export interface IncomingFile {
  readonly path: string;
  /** As the sender gave it. */
  readonly name: string;
  /** Lower case, without parameters; undefined where nobody said anything (a part without a type is `text/plain`: RFC 7578, section 4.4). */
  readonly declaredType: string | undefined;
  /** Bytes. */
  readonly size: number;
}
