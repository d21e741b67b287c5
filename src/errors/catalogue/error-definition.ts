/** An expected failure. */
export interface ErrorDefinition {
  readonly status: number;
  /** Strapi's name of the error. */
  readonly name: string;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  // biome-ignore lint/suspicious/noExplicitAny: each entry narrows its own argument; `ErrorArguments` gives it back to callers.
  readonly message: (at: any) => string;
  /** A plainer message: what is wrong, what was expected and which setting changes it. Undefined where the message says so already. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly help?: (at: any) => string | undefined;
}

/** ` at category.name`, or nothing. */
export const pathSuffix = (path: string | null) => (path === null || path === '' ? '' : ` at ${path}`);

export const validation = <Message extends ErrorDefinition['message']>(message: Message) => ({
  status: 400 as const,
  name: 'ValidationError' as const,
  message,
});
