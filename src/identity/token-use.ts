/** When API tokens were last used (`last_used_at`), to the hour as in Strapi: a token in use costs one write an hour. Uses are collected in
 *  memory and written together a little later, so no request waits for it; a process that is killed in between loses those few seconds. */
import type { Database } from '../dialects/dialect.ts';
import { Rows } from '../sql/rows.ts';

export interface TokenUse {
  noteUse(tokenId: number): void;
  /** Writes the collected uses. Never throws. */
  flush(): Promise<void>;
}

const table = 'strapi_api_tokens';
const hour = 3_600_000;
/** Milliseconds. On SQLite each commit empties caches, so tokens share one. */
const collecting = 5000;

/** `failed` is called once, with the first error: a database that cannot be written to is not retried by every request. */
export function createTokenUse(database: Database, failed: (error: unknown) => void): TokenUse {
  /** Milliseconds since the epoch, by row id. Bounded: only ids of existing tokens are added. */
  const noted = new Map<number, number>();
  let unwritten = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;

  async function write(uses: ReadonlyMap<number, number>): Promise<void> {
    const due = await dueOf(uses);
    if (due.length === 0) return;
    await database.write(async (connection) => {
      const rows = new Rows(connection, database.dialect);
      for (const [id, time] of due) await rows.update(table, id, [{ name: 'last_used_at', type: 'datetime', value: time }]);
    });
  }

  /** Leaves out tokens whose use was written within the hour, by another process or before a restart. */
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

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = unwritten;
    unwritten = new Map();
    if (uses.size === 0) return;
    await write(uses).catch((error: unknown) => {
      if (!hasFailed) failed(error);
      hasFailed = true;
    });
  }

  return {
    noteUse(tokenId) {
      const now = Date.now();
      const last = noted.get(tokenId);
      if (last !== undefined && now - last < hour) return;
      noted.set(tokenId, now);
      unwritten.set(tokenId, now);
      timer ??= setTimeout(() => void flush(), collecting).unref();
    },
    flush,
  };
}
