/** Distinguishes own commits from those of others by the ids of transactions: a snapshot of
 *  PostgreSQL says which ids have ended. */
import type { Row } from './dialect.ts';
import { withTimeout } from './time-out.ts';

/** Returns the id of its transaction; null if that has written nothing. */
export const idQuestion = 'SELECT pg_current_xact_id_if_assigned()::text';
export const idOf = ([row]: readonly Row[]): number | undefined => (typeof row?.[0] === 'string' ? Number(row[0]) : undefined);

/** A `pg_snapshot`: transactions have ended whose ids are below `next` and not in `running`. */
export interface Snapshot {
  readonly next: number;
  readonly running: ReadonlySet<number>;
}

/** `10:14:10,12`: 10 and 12 are running, and 14 is the first that had not begun. */
export function readSnapshot(text: string): Snapshot {
  const [, next = '', running = ''] = text.split(':');
  return { next: Number(next), running: new Set(running === '' ? [] : running.split(',').map(Number)) };
}

/** If more ids lie between two snapshots, they count as those of others. */
const maxIds = 5000;

/** Returns whether only own transactions have ended between two snapshots of one server.
 *  Each id that is not own counts, also that of a subtransaction or of a rollback: a
 *  snapshot shows no difference. */
export function onlyOwnEnded(before: Snapshot, after: Snapshot, own: ReadonlySet<number>): boolean {
  if (after.next < before.next || after.next - before.next > maxIds) return false;
  const isOthers = (id: number) => !after.running.has(id) && !own.has(id);
  for (const id of before.running) if (isOthers(id)) return false;
  for (let id = before.next; id < after.next; id++) if (isOthers(id)) return false;
  return true;
}

/** Ids are stored until a snapshot has them. Beyond this number, since nobody asks for the version,
 *  all are forgotten and count as those of others. */
const maxOwnIds = 10_000;

export class OwnTransactions {
  /** Own ids that no snapshot has shown as ended yet. */
  readonly #ownIds = new Set<number>();
  /** Resolve when own transactions that are ending have been recorded. */
  readonly #ending = new Set<Promise<void>>();
  #seen: { readonly server: string; readonly snapshot: Snapshot } | undefined;
  #epoch = 0;

  /** Notes an own transaction before its caller learns that it has ended. If `ended` is rejected,
   *  the outcome is unknown, and the transaction counts as one of others. */
  async end<T>(id: Promise<number | undefined>, ended: Promise<T>): Promise<T> {
    const recorded = Promise.all([id, ended]).then(
      ([own]) => this.#note(own),
      () => undefined,
    );
    this.#ending.add(recorded);
    await recorded;
    this.#ending.delete(recorded);
    return ended;
  }

  /** Returns the same text for two snapshots if only own transactions have ended in between.
   *  `server` names the server and the connection: after a crash, a server may use ids again. */
  async epoch(server: string, text: string, deadline: number): Promise<string> {
    const snapshot = readSnapshot(text);
    const before = this.#seen?.server === server ? this.#seen.snapshot : undefined;
    if (before === undefined) this.#ownIds.clear();
    else if (!onlyOwnEnded(before, snapshot, this.#ownIds)) {
      // The snapshot may have an own commit whose response has not arrived yet.
      await withTimeout(deadline, Promise.all(this.#ending)).catch(() => undefined);
    }
    if (before === undefined || !onlyOwnEnded(before, snapshot, this.#ownIds)) this.#epoch++;
    this.#seen = { server, snapshot };
    for (const id of this.#ownIds) if (id < snapshot.next && !snapshot.running.has(id)) this.#ownIds.delete(id);
    return String(this.#epoch);
  }

  #note(id: number | undefined): void {
    if (id === undefined) return;
    if (this.#ownIds.size >= maxOwnIds) this.#ownIds.clear();
    this.#ownIds.add(id);
  }
}
