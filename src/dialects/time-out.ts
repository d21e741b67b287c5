/** A timeout is never shorter than this. Milliseconds. */
const minTimeout = 300;
/** Milliseconds: a timer that fires later was delayed, and the response perhaps as well. */
const late = 250;

/** Returns an error with the operating system's code for a connection that timed out. */
export const timedOut = (): Error => Object.assign(new Error('the database does not respond'), { code: 'ETIMEDOUT', syscall: 'connect' });

/** Whether `timedOut` made the error. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT';

/** Settles like `promise`, or rejects at `deadline` (of `performance.now()`). `unwanted` is called
 *  with a value that arrives later. */
export function withTimeout<T>(deadline: number, promise: Promise<T>, unwanted: (value: T) => void = () => undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let due = Math.max(deadline, performance.now() + minTimeout);
    const look = () => {
      const now = performance.now();
      // This thread was busy: a response may have arrived that has not been read yet.
      if (now - due > late) {
        due = now + late;
        timer = setTimeout(look, late);
        return;
      }
      isOver = true;
      reject(timedOut());
    };
    let timer = setTimeout(look, due - performance.now());
    promise.then(
      (value) => {
        clearTimeout(timer);
        if (isOver) unwanted(value);
        else resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
