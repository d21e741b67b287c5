/** What is counted for a note, and how the note reads. */
export interface Question {
  /** Selects one number. */
  readonly query: string;
  say(count: string): string;
}
