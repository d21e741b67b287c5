/** Which forms are open, in all tabs of this browser: each holds a lock, which ends with its tab, also
 *  in a crash. Without TLS browsers have no locks, and every record counts as left behind. */

export type Release = () => void;

/** Records of earlier versions have no id, and no form that holds their lock. */
export const lockNameOf = ({ id, key }: { readonly id?: string; readonly key: string }): string => `lectern-work ${id ?? key}`;

/** The lock of a new document, whose name is in the location and in its first request. */
export const draftLockName = (draftName: string): string => `lectern-draft ${draftName}`;

/** Resolves with what ends the lock; undefined if it is held already. */
export function tryLock(name: string): Promise<Release | undefined> {
  if (navigator.locks === undefined) return Promise.resolve(() => undefined);
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) => (lock === null ? resolve(undefined) : new Promise<void>((release) => resolve(release)));
    navigator.locks.request(name, { ifAvailable: true }, hold).catch(reject);
  });
}

/** Resolves with true once nobody holds the lock, with false when `signal` aborts. */
export const whenFree = (name: string, signal: AbortSignal): Promise<boolean> =>
  navigator.locks === undefined ? Promise.resolve(true) : navigator.locks.request(name, { signal }, () => true).catch(() => false);

export async function heldLocks(): Promise<ReadonlySet<string | undefined>> {
  return new Set((await navigator.locks?.query())?.held?.map(({ name }) => name));
}
