/** Waits for all of them, also when one fails, so that no statement is sent after the transaction has ended. Throws the first failure in the order of the list.
 *  Where statements take round trips, those that are begun together take one. */
export async function allDone<T extends readonly unknown[] | []>(work: T): Promise<{ -readonly [Key in keyof T]: Awaited<T[Key]> }> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
  return Promise.all(work);
}
