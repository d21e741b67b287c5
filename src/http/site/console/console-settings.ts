/** What `GET /console/settings` sends: what the console has to know before anybody signs in. */
export interface ConsoleSettings {
  /** Where the API is: `/api`. */
  readonly prefix: string;
  /** URLs of pages that show a document, by the uid of its type, with placeholders. */
  readonly preview: Readonly<Record<string, string>>;
  /** With which users can sign in besides a password. */
  readonly providers: readonly { readonly name: string; readonly label: string }[];
  /** Lifetimes of a session, in seconds: since it was used, and since it began. */
  readonly session: { readonly mode: 'refresh' | 'legacy-support'; readonly idleSeconds: number; readonly maxSeconds: number };
}
