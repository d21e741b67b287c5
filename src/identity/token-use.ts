/** When API tokens were last used (`last_used_at`), to the hour as in Strapi: a token in use costs
 *  one write an hour. Uses are collected in memory and written together a little later, so no
 *  request waits for it; a process that is killed in between loses those few seconds. */
import type { Connection, Database } from '../dialects/database.ts';
import { writeRetried } from '../dialects/retry-conflicts.ts';
import { Rows } from '../sql/rows.ts';

export interface TokenUse {
  noteUse(tokenId: number): void;
  /** Writes the collected uses. Never throws. */
  flush(): Promise<void>;
}

const table = 'strapi_api_tokens';
const hour = 3_600_000;
/** Uses of this time share a commit. Milliseconds. */
const collecting = 5000;
/** How often the collected uses give way to a write that holds the lock of an embedded database. If
 *  they waited for it, that write would be stopped. */
const attempts = 60;

/** `failed` is called once, with the first error: a database that cannot be written to is
 *  not retried by every request. */
export function createTokenUse(database: Database, failed: (error: unknown) => void): TokenUse {
  /** Milliseconds since the epoch, by row id. Bounded: only ids of existing tokens are added. */
  const lastUses = new Map<number, number>();
  let unwritten = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;
  let refused = 0;

  async function write(uses: ReadonlyMap<number, number>, waits: boolean): Promise<void> {
    const due = await dueOf(uses);
    if (due.length === 0) return;
    const update = async (connection: Connection) => {
      // No response shows this time.
      connection.changes([], []);
      const rows = new Rows(connection, database.dialect);
      for (const [id, time] of due) rows.update(table, id, [{ name: 'last_used_at', type: 'datetime', value: time }]);
    };
    if (waits || refused >= attempts) await writeRetried(database, update);
    else if (!(await database.writeIfFree(update))) {
      refused++;
      for (const [id, time] of due) unwritten.set(id, unwritten.get(id) ?? time);
      schedule();
      return;
    }
    refused = 0;
  }

  /** Leaves out tokens whose use was written within the hour, by another
   *  process or before a restart. */
  async function dueOf(uses: ReadonlyMap<number, number>): Promise<readonly (readonly [number, number])[]> {
    const { dialect } = database;
    const columns = ['r.id', dialect.select(`r.${dialect.quote('last_used_at')}`, 'datetime')];
    const stored = await database.read((connection) =>
      new Rows(connection, dialect).select(table, { key: 'id', ids: [...uses.keys()], columns, order: 'r.id' }),
    );
    return stored.flatMap(([id, last]) => {
      const time = uses.get(Number(id)) ?? 0;
      return last === null || Number(last) <= time - hour ? [[Number(id), time] as const] : [];
    });
  }

  const schedule = () => {
    timer ??= setTimeout(() => void flush(false), collecting).unref();
  };

  async function flush(waits: boolean): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = unwritten;
    unwritten = new Map();
    if (uses.size === 0) return;
    await write(uses, waits).catch((error: unknown) => {
      if (!hasFailed) failed(error);
      hasFailed = true;
    });
  }

  return {
    noteUse(tokenId) {
      const now = Date.now();
      const last = lastUses.get(tokenId);
      if (last !== undefined && now - last < hour) return;
      lastUses.set(tokenId, now);
      unwritten.set(tokenId, now);
      schedule();
    },
    flush: () => flush(true),
  };
}
