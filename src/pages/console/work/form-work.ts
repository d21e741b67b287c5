/** The work of one open form: its record in this browser, and the records of the same document that
 *  other forms left behind, which it takes over. */
import { signal } from '@preact/signals';
import { newName } from './new-name.ts';
import { WorkKeeper } from './work-keeper.ts';
import { draftLockName, heldLocks, lockNameOf, type Release, tryLock, whenFree } from './work-locks.ts';
import { announceWork, changeWork, findWork, onWork, type Work, workOf } from './work-store.ts';

export type WorkContent = Omit<Work, 'key' | 'id' | 'userId'>;

export interface WorkForm {
  /** The key (`workKey`) of the document whose form this is. */
  readonly documentKey: () => string;
  /** Undefined where there is nothing to keep. */
  readonly content: () => WorkContent | undefined;
  /** Fills the form with what others left, the oldest first. */
  readonly take: (works: readonly Work[]) => void;
  /** Whether the user has to choose first. Until then, the records that were taken stay as they are. */
  readonly mustChoose: () => boolean;
}

interface Taken {
  readonly work: Work;
  readonly release: Release;
}

export class FormWork {
  /** Whether a form in another tab has unsaved changes to the document. */
  readonly isElsewhere = signal(false);
  /** Whether one has been closed since this form was opened, and left them behind. */
  readonly isLeftBehind = signal(false);
  readonly #id = newName();
  readonly #form: WorkForm;
  readonly #keeper = new WorkKeeper(() => this.#write());
  readonly #closing = new AbortController();
  readonly #watched = new Set<string>();
  readonly #locks = new Map<string, Release>();
  /** The names of the locks to hold while the form is open. */
  readonly #lockNames: string[] = [];
  /** The key of the own record; undefined while there is none. */
  #kept: string | undefined;
  /** What is in the form, and not in its record yet. */
  #taken: readonly Taken[] = [];
  #looking = Promise.resolve();

  constructor(form: WorkForm) {
    this.#form = form;
  }

  /** The name of a new document, which is its own: a duplicated tab begins with that of the first one,
   *  and would get the first one's document as the response to its own first save. */
  async ownName(name: string): Promise<string> {
    const lockName = draftLockName(name);
    const release = await tryLock(lockName);
    if (release === undefined) return this.ownName(newName());
    this.#lockNames.push(lockName);
    this.#locks.set(lockName, release);
    if (this.#closing.signal.aborted) this.#unlock();
    return name;
  }

  /** Resolves when the form has what closed and crashed tabs left behind. */
  async open(): Promise<void> {
    const { signal } = this.#closing;
    this.#lockNames.push(lockNameOf({ id: this.#id, key: '' }));
    const lock = async () => {
      for (const name of this.#lockNames) {
        const release = this.#locks.has(name) ? undefined : await tryLock(name);
        if (release !== undefined) this.#locks.set(name, release);
      }
      // The form was closed while the lock was on its way.
      if (signal.aborted) this.#unlock();
    };
    await lock();
    if (signal.aborted) return;
    // A reload finds the lock free at once, before the browser has ended the page.
    addEventListener('pagehide', () => this.#unlock(), { signal });
    addEventListener('pageshow', (event) => event.persisted && void lock(), { signal });
    const stop = onWork((documentKey) => {
      if (documentKey === this.#form.documentKey()) void this.#lookLater(false);
    });
    signal.addEventListener('abort', stop);
    await this.takeOver();
  }

  /** Takes over what is left behind. */
  takeOver(): Promise<void> {
    return this.#lookLater(true);
  }

  /** The form is gone; its record stays for the next one. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
    this.#unlock();
    this.#releaseTaken();
  }

  /** Stores the content as it is now, or removes the record where there is none. */
  keep(): void {
    this.#keeper.keep();
  }

  /** Resolves when nothing is being written. */
  settled(): Promise<void> {
    return this.#keeper.settled();
  }

  /** Makes these records of those that were taken. Resolves with whether it is done. */
  async replaceTaken(works: readonly Work[]): Promise<boolean> {
    if (
      !(await changeWork(
        works,
        this.#taken.map(({ work }) => work.key),
      ))
    )
      return false;
    this.#releaseTaken();
    announceWork(this.#form.documentKey());
    return true;
  }

  #unlock(): void {
    for (const release of this.#locks.values()) release();
    this.#locks.clear();
  }

  #releaseTaken(): void {
    for (const { release } of this.#taken) release();
    this.#taken = [];
  }

  async #write(): Promise<boolean> {
    if (this.#form.mustChoose()) return true;
    const documentKey = this.#form.documentKey();
    const content = this.#form.content();
    const key = content === undefined ? undefined : `${documentKey} ${this.#id}`;
    const taken = this.#taken;
    const old = this.#kept === undefined || this.#kept === key ? [] : [this.#kept];
    const removed = [...old, ...taken.map(({ work }) => work.key)];
    if (content === undefined && removed.length === 0) return true;
    const isDone = await changeWork(content === undefined || key === undefined ? [] : [{ ...content, key, id: this.#id }], removed);
    if (!isDone) return false;
    const isNews = this.#kept !== key || removed.length > 0;
    this.#kept = key;
    this.#taken = this.#taken.filter((each) => !taken.includes(each));
    for (const { release } of taken) release();
    if (isNews) announceWork(documentKey);
    return true;
  }

  /** One at a time: one of them could take what another one has taken already. */
  #lookLater(takes: boolean): Promise<void> {
    this.#looking = this.#looking.then(() => (this.#closing.signal.aborted ? undefined : this.#look(takes)));
    return this.#looking;
  }

  async #look(takes: boolean): Promise<void> {
    // Nothing says then which of the other forms are still there.
    if (!takes && navigator.locks === undefined) return;
    const known = new Set(this.#taken.map(({ work }) => work.key));
    const others = (await workOf(this.#form.documentKey())).filter(({ id, key }) => id !== this.#id && !known.has(key));
    const found = takes ? await takeFree(others) : [];
    const held = await heldLocks();
    const left = others.filter(({ key }) => !found.some(({ work }) => work.key === key));
    const elsewhere = left.filter((each) => held.has(lockNameOf(each)));
    for (const each of elsewhere) void this.#watch(lockNameOf(each));
    this.isElsewhere.value = elsewhere.length > 0;
    this.isLeftBehind.value = !takes && left.length > elsewhere.length;
    this.#taken = [...this.#taken, ...found];
    if (this.#closing.signal.aborted) this.#releaseTaken();
    else if (found.length > 0) {
      this.#form.take(found.map(({ work }) => work));
      this.keep();
    }
  }

  /** Looks again when a form in another tab has been closed. */
  async #watch(name: string): Promise<void> {
    if (this.#watched.has(name)) return;
    this.#watched.add(name);
    const isFree = await whenFree(name, this.#closing.signal);
    this.#watched.delete(name);
    if (isFree) await this.#lookLater(false);
  }
}

/** Those that no form has, with their locks, so that no other tab takes them as well. */
async function takeFree(works: readonly Work[]): Promise<readonly Taken[]> {
  const found: Taken[] = [];
  for (const each of works) {
    const release = await tryLock(lockNameOf(each));
    if (release === undefined) continue;
    // Its form may have changed it, or another one taken it, before the lock was free.
    const work = await findWork(each.key);
    if (work === undefined) release();
    else found.push({ work, release });
  }
  return found;
}
