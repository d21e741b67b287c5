/** What was typed and not saved, in this browser's IndexedDB. It survives closed tabs, ended
 *  sessions and crashes, and goes when it is saved or discarded. */
import { me } from '../server/me.ts';

export interface Work {
  /** `3 api::article.article c9zz… en`: of a user, a document and a locale. */
  readonly key: string;
  readonly userId: number;
  readonly href: string;
  /** For people. */
  readonly title: string;
  readonly typeLabel: string;
  /** ISO 8601. */
  readonly changedAt: string;
  /** The entity tag of what the changes were made to; undefined for a new document. */
  readonly etag: string | undefined;
  /** By attribute, the value as it was typed. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** The same attributes as they were stored then. */
  readonly base: Readonly<Record<string, unknown>>;
}

const storeName = 'work';
let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const opening = indexedDB.open('lectern-console', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName, { keyPath: 'key' });
    opening.onsuccess = () => {
      // Browsers close databases that were long unused, and under pressure.
      opening.result.onclose = () => {
        opened = undefined;
      };
      resolve(opening.result);
    };
    opening.onerror = () => reject(opening.error);
  });
  return opened;
}

/** Undefined where the browser stores nothing, as in some private windows. */
async function run<Result>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result | undefined> {
  try {
    const database = await open();
    return await new Promise((resolve, reject) => {
      // `strict`: on the disk when it is done, whatever happens to the browser.
      const transaction = database.transaction(storeName, mode, { durability: 'strict' });
      const asked = use(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    // The next use opens it anew.
    opened = undefined;
    return undefined;
  }
}

const userId = (): number => me.value?.user?.id ?? 0;

export const workKey = (uid: string, documentId: string | undefined, locale: string | undefined): string =>
  `${userId()} ${uid} ${documentId ?? 'new'} ${locale ?? ''}`;

/** Resolves with whether it is stored. */
export const keepWork = async (work: Omit<Work, 'userId'>): Promise<boolean> =>
  (await run('readwrite', (store) => store.put({ ...work, userId: userId() }))) !== undefined;

export const findWork = (key: string): Promise<Work | undefined> => run<Work | undefined>('readonly', (store) => store.get(key));

export const forgetWork = async (key: string): Promise<void> => {
  await run('readwrite', (store) => store.delete(key));
};

/** The work of the user, the latest first. */
export async function listWork(): Promise<readonly Work[]> {
  const all = (await run<Work[]>('readonly', (store) => store.getAll())) ?? [];
  return all.filter((work) => work.userId === userId()).sort((a, b) => b.changedAt.localeCompare(a.changedAt));
}
