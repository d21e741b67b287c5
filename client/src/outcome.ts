/** What calls give: the response or an error, as a value. */
import { LecternError } from './errors.ts';

/** Either `data`, with `error` undefined, or an `error`, with `data` null. */
export type Outcome<T> = (T & { error?: undefined }) | { data: null; meta?: undefined; etag?: undefined; error: LecternError };

/** An outcome that is on its way. */
export interface Call<T> extends Promise<Outcome<T>> {
  /** The response; rejects with the error. */
  orThrow(): Promise<T>;
}

/** Errors that are no LecternError are mistakes, such as of a storage for tokens, and are thrown. */
export function begin<T extends object>(work: () => Promise<T>): Call<T> {
  // What `work` throws at once is an outcome, too.
  const whole = (async () => work())();
  const outcome = whole.catch((error: unknown) => {
    if (error instanceof LecternError) return { data: null, error } as Outcome<T>;
    throw error;
  }) as Promise<Outcome<T>>;
  const orThrow = () => {
    // Nobody waits for it any more, so its rejection would count as unhandled, which ends a process of Node.
    outcome.catch(() => undefined);
    return whole;
  };
  return Object.assign(outcome, { orThrow });
}
