/** A wait of this length is not reported. Milliseconds. */
const unnoticed = 1000;

/** Settles like `taken`; calls `waiting` once if that takes longer than a second. */
export async function reportWaiting<T>(waiting: (() => void) | undefined, taken: Promise<T>): Promise<T> {
  const timer = waiting === undefined ? undefined : setTimeout(waiting, unnoticed);
  try {
    return await taken;
  } finally {
    clearTimeout(timer);
  }
}
