/** Tells the commits of this process from those of others, by the ids of transactions: PostgreSQL's snapshots list which ids have ended. */
import type { Row } from './dialect.ts';
import { withTimeout } from './time-out.ts';

/** Returns the id of the transaction it runs in; null if that has written nothing. */
export const idQuestion = 'SELECT pg_current_xact_id_if_assigned()::text';
export const idOf = ([row]: readonly Row[]): number | undefined => (typeof row?.[0] === 'string' ? Number(row[0]) : undefined);

/** A `pg_snapshot`: every transaction has ended whose id is below `next` and not among the running ones. */
export interface Snapshot {
  readonly next: number;
  readonly running: ReadonlySet<number>;
}

/** `10:14:10,12`: the transactions 10 and 12 are running, and 14 is the first that had not begun. */
export function readSnapshot(text: string): Snapshot {
  const [, next = '', running = ''] = text.split(':');
  return { next: Number(next), running: new Set(running === '' ? [] : running.split(',').map(Number)) };
}

/** When more ids than this lie between two snapshots, looking at each of them is not worth it. */
const mostIds = 5000;

/** Returns whether all transactions that have ended between two snapshots of one server are own. Ids of others count whatever became of them: a subtransaction
 *  has an id as well, and snapshots do not tell whether an id was rolled back. */
export function onlyOwnEnded(before: Snapshot, after: Snapshot, own: ReadonlySet<number>): boolean {
  if (after.next < before.next || after.next - before.next > mostIds) return false;
  const isOthers = (id: number) => !after.running.has(id) && !own.has(id);
  for (const id of before.running) if (isOthers(id)) return false;
  for (let id = before.next; id < after.next; id++) if (isOthers(id)) return false;
  return true;
}

/** When nobody asks for the version, no snapshot passes the ids. Beyond this number they are forgotten, as if they were those of others. */
const mostNoted = 10_000;

export class OwnTransactions {
  /** The ids that the next snapshot may show as ended for the first time. */
  readonly #noted = new Set<number>();
  /** Resolve when own transactions, whose end was sent to the server, are noted. */
  readonly #ending = new Set<Promise<void>>();
  #seen: { readonly server: string; readonly snapshot: Snapshot } | undefined;
  #epoch = 0;

  /** Notes an own transaction before its caller learns that it has ended. If `ended` is rejected, its outcome is unknown: it may have been committed, and then
   *  nobody here knows of it. */
  async end<T>(id: Promise<number | undefined>, ended: Promise<T>): Promise<T> {
    const noted = Promise.all([id, ended]).then(
      ([own]) => this.#note(own),
      () => undefined,
    );
    this.#ending.add(noted);
    await noted;
    this.#ending.delete(noted);
    return ended;
  }

  /** Returns a text that is the same for two snapshots if only own transactions have ended in between. `server` names the server and the connection to it: after
   *  a crash, a server may use the ids of lost transactions again. */
  async epoch(server: string, text: string, deadline: number): Promise<string> {
    const snapshot = readSnapshot(text);
    const before = this.#seen?.server === server ? this.#seen.snapshot : undefined;
    if (before === undefined) this.#noted.clear();
    else if (!onlyOwnEnded(before, snapshot, this.#noted)) {
      // The snapshot may have a commit whose response is still on its way to this process.
      await withTimeout(deadline, Promise.all(this.#ending)).catch(() => undefined);
    }
    if (before === undefined || !onlyOwnEnded(before, snapshot, this.#noted)) this.#epoch++;
    this.#seen = { server, snapshot };
    for (const id of this.#noted) if (id < snapshot.next && !snapshot.running.has(id)) this.#noted.delete(id);
    return String(this.#epoch);
  }

  #note(id: number | undefined): void {
    if (id === undefined) return;
    if (this.#noted.size >= mostNoted) this.#noted.clear();
    this.#noted.add(id);
  }
}
