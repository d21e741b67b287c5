/** A query that counts rows, and the note that reports the count. */
export interface Question {
  /** Selects one number. */
  readonly query: string;
  say(count: string): string;
}
