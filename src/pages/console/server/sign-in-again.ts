/** The moment between the end of a session and the next: requests wait for it. */
import { signal } from '@preact/signals';
import { token } from './token.ts';

/** Whether the page asks the user to sign in, above whatever it shows. */
export const isAsking = signal(false);

let waiting: { readonly promise: Promise<void>; readonly go: () => void } | undefined;

/** Resolves when the user has signed in again. */
export function signInAgain(): Promise<void> {
  if (waiting === undefined) {
    let go = (): void => undefined;
    const promise = new Promise<void>((resolve) => {
      go = resolve;
    });
    waiting = { promise, go };
    token.value = '';
    isAsking.value = true;
  }
  return waiting.promise;
}

export function signedIn(): void {
  isAsking.value = false;
  waiting?.go();
  waiting = undefined;
}
