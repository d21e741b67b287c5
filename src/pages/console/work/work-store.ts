/** What was typed and not saved, in this browser's IndexedDB. It survives closed tabs, ended
 *  sessions and crashes, and goes when it is saved or discarded. */
import { me } from '../server/me.ts';
import { heldLocks, lockNameOf } from './work-locks.ts';

/** The work of one form: several tabs can have the same document open. */
export interface Work {
  /** `3 api::article.article c9zz… en 5e0c1f2a`: of a user, a document, a locale and a form. */
  readonly key: string;
  /** The id of the form; records of earlier versions have none, nor has their key. */
  readonly id?: string;
  readonly userId: number;
  readonly href: string;
  /** For people. */
  readonly title: string;
  readonly typeLabel: string;
  /** ISO 8601. */
  readonly changedAt: string;
  /** By attribute, the value as it was typed. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** The same attributes as they were stored then. */
  readonly base: Readonly<Record<string, unknown>>;
}

const storeName = 'work';
let opened: Promise<IDBDatabase> | undefined;

function openDatabase(): Promise<IDBDatabase> {
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
async function run<Result>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => () => Result): Promise<Result | undefined> {
  try {
    const database = await openDatabase();
    return await new Promise((resolve, reject) => {
      // `strict`: on the disk when it is done, whatever happens to the browser.
      const transaction = database.transaction(storeName, mode, { durability: 'strict' });
      const result = use(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(result());
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

const documentKeyOf = ({ key, id }: Work): string => (id === undefined ? key : key.slice(0, -id.length - 1));

/** Stores and removes records, both or neither. Resolves with whether it is done. */
export async function changeWork(changed: readonly Omit<Work, 'userId'>[], removed: readonly string[]): Promise<boolean> {
  const change = (store: IDBObjectStore) => {
    for (const key of removed) store.delete(key);
    for (const work of changed) store.put({ ...work, userId: userId() });
    return () => true;
  };
  return (await run('readwrite', change)) ?? false;
}

export const findWork = (key: string): Promise<Work | undefined> =>
  run('readonly', (store) => {
    const asked = store.get(key);
    return () => asked.result;
  });

/** The work of all forms of the document with this key (`workKey`), the oldest first. */
export async function workOf(documentKey: string): Promise<readonly Work[]> {
  const found = await run('readonly', (store): (() => Work[]) => {
    const asked = store.getAll(IDBKeyRange.bound(documentKey, `${documentKey} \uffff`));
    return () => asked.result;
  });
  return (found ?? []).sort(byAge);
}

/** Removes what was typed into a document before that time, except in forms that are open. */
export async function forgetLeftWork(documentKey: string, before: string): Promise<void> {
  const held = await heldLocks();
  const left = (await workOf(documentKey)).filter((each) => each.changedAt < before && !held.has(lockNameOf(each)));
  if (left.length > 0)
    await changeWork(
      [],
      left.map(({ key }) => key),
    );
}

const byAge = (a: Work, b: Work): number => a.changedAt.localeCompare(b.changedAt);

/** All work on one document, for a list. */
export interface ListedWork extends Work {
  /** Whether another tab has it in a form. */
  readonly isOpen: boolean;
}

/** The documents that the user has work on, each with its latest, the latest first. */
export async function listWork(): Promise<readonly ListedWork[]> {
  const all = await run('readonly', (store): (() => Work[]) => {
    const asked = store.getAll();
    return () => asked.result;
  });
  const own = (all ?? []).filter((work) => work.userId === userId()).sort(byAge);
  const held = await heldLocks();
  const open = new Set(own.filter((each) => held.has(lockNameOf(each))).map(documentKeyOf));
  const latest = new Map(own.map((each) => [documentKeyOf(each), each]));
  return [...latest].map(([documentKey, work]) => ({ ...work, isOpen: open.has(documentKey) })).sort((a, b) => byAge(b, a));
}

/* ---------------------------------------------------------------- news between tabs */

let channel: BroadcastChannel | undefined;
const news = (): BroadcastChannel => {
  channel ??= new BroadcastChannel('lectern-work');
  return channel;
};

/** Says to other tabs that a record of this document has come or gone. */
export const announceWork = (documentKey: string): void => news().postMessage(documentKey);

/** Returns what ends it. */
export function onWork(heard: (documentKey: string) => void): () => void {
  const listen = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') heard(data);
  };
  news().addEventListener('message', listen);
  return () => news().removeEventListener('message', listen);
}
