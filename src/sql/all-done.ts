/** Waits for all of them, also when one fails: no statement may be sent after the transaction.
 *  Throws the first failure in the list's order. Statements that begin together take one round
 *  trip. */
export async function allDone<T extends readonly unknown[] | []>(work: T): Promise<{ -readonly [Key in keyof T]: Awaited<T[Key]> }> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
  return Promise.all(work);
}
