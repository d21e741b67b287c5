/** A received file in a temporary folder of this machine. Nothing about it has been checked yet. */
export interface IncomingFile {
  readonly path: string;
  /** As the sender stated it. */
  readonly name: string;
  /** Lower case, without parameters; undefined when the sender stated none (a part without a type is `text/plain`: RFC 7578, section 4.4). */
  readonly declaredType: string | undefined;
  /** Bytes. */
  readonly size: number;
}
