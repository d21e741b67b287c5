/** Reads on the event loop's thread, for databases whose driver does not block. */
import { LRUCache } from 'lru-cache';
import type { Limits } from '../../../config/config.ts';
import type { AskVersion, Connection, Database } from '../../../dialects/dialect.ts';
import type { UrlSigning } from '../../../media/storage/url-signer.ts';
import type { Figures } from '../../../observe/figures.ts';
import { recordedConnection } from '../../../observe/request-record.ts';
import type { Bindings } from '../../compile/types.ts';
import { listKey } from '../../execute/bound-values.ts';
import { apiErrorOf } from '../../execute/database-errors.ts';
import { searchedCharacters } from '../../execute/held-page.ts';
import { boundTest } from '../../execute/held-values.ts';
import { KnownPages } from '../../execute/known-pages.ts';
import { ListCache } from '../../execute/list-cache.ts';
import type { ListState } from '../../execute/list-state.ts';
import { ReadBudget } from '../../execute/read-budget.ts';
import { RowCache } from '../../execute/row-cache.ts';
import { renderingOf } from '../../render/render-read.ts';
import { createFreeMemory } from '../processes/free-memory.ts';
import type { FairConnections } from '../queue/fair-connections.ts';
import { ReadSpeeds } from './read-speeds.ts';
import { ReadTimes } from './read-times.ts';
import { type CachedPlan, maxCachedCharacters, maxCachedPlans, type PreparedRead, prepareRead, type Reader, runRead } from './run-read.ts';

/** Reads that take longer than this, the time that they wait for others included, share no connection. Milliseconds. */
const quick = 25;
/** After a read that takes longer than this alone, each value of its plan is measured by itself. Milliseconds. */
const slow = 100;
/** A search through held values shares a connection if the database searches the list within this time: after a write, it has to. Milliseconds. */
const quickUncached = 150;

interface DirectReaderParts {
  readonly database: Pick<Database, 'read' | 'readAtOnce' | 'errorKindOf' | 'lostConnections'>;
  readonly queue: FairConnections;
  readonly limits: Limits;
  readonly signing: UrlSigning | undefined;
  readonly figures: Figures;
  /** For plans of one statement; undefined if the database does not report a version. `bytes`: approximate size of the cache; 0 caches none. */
  readonly rowCache: { readonly bytes: number; readonly askVersion: AskVersion } | undefined;
}

export function openDirectReader({ database, queue, limits, signing, figures, rowCache: cached }: DirectReaderParts): Reader {
  const rendering = renderingOf(limits, signing);
  const pages = new KnownPages();
  const rowCache =
    cached !== undefined && cached.bytes > 0 ? new RowCache({ bytes: cached.bytes, areUrlsSigned: signing !== undefined }) : undefined;
  let reads = 0;
  // Nothing says whether two reads see the same state, so each counts as a new state, and the version of the list's tables decides.
  const lists = new ListCache(() => {
    reads++;
    return reads;
  });
  figures.caches.set('lists', () => pages.figures());
  const freeMemory = createFreeMemory(limits.responseBytes);
  const times = new ReadTimes();
  const speeds = new ReadSpeeds();
  const plans = new LRUCache<number, PreparedRead>({ max: maxCachedPlans, maxSize: maxCachedCharacters });

  /** Queries the version of the data: that of the request may be older than another request that shares the run. Undefined if a connection was lost meanwhile:
   *  after a crash, the database server may use the versions of lost transactions again. */
  const currentVersion = async (): Promise<string | undefined> => {
    const lost = database.lostConnections();
    const version = await cached?.askVersion();
    return database.lostConnections() === lost ? version?.snapshot : undefined;
  };

  /** Whether the values of a read do not decide how long it takes. A list that is no longer held would have to be searched by the database; reading the values
   *  of one would hold up those who share the connection. */
  function isPredictable({ compiled }: CachedPlan, bindings: Bindings, state: ListState | undefined): boolean {
    const tested = compiled.statements.kind === 'whole' ? compiled.statements.tested : undefined;
    const key = tested === undefined ? '' : listKey(tested.name, bindings);
    if (!compiled.valuesDecideTime) return tested === undefined || pages.held.get(key, state) !== undefined || !pages.held.isDue(key);
    const held = tested?.decidesTime === true ? pages.held.get(key, undefined) : undefined;
    const test = tested === undefined || held === undefined ? undefined : boundTest(tested.test, bindings);
    return test !== undefined && held !== undefined && held.values.costOf(test) <= searchedCharacters;
  }

  return {
    async read(plan, bindings, caller, listVersion, snapshot) {
      let prepared = plans.get(plan.id);
      if (prepared === undefined) {
        prepared = prepareRead(plan.compiled, rendering);
        plans.set(plan.id, prepared, { size: plan.size });
      }
      const ready = prepared;
      let budget = new ReadBudget(limits);
      let runs = 0;
      try {
        const read = (connection: Connection) => {
          runs++;
          // The read may be repeated on another connection.
          budget = new ReadBudget(limits);
          if (pages.clearAfter(database.lostConnections())) rowCache?.clear();
          return runRead(ready, bindings, {
            connection: recordedConnection(connection, caller.record),
            pages,
            rowCache: ready.compiled.statements.kind === 'whole' ? rowCache : undefined,
            currentVersion,
            lists: listVersion === undefined ? undefined : lists,
            listVersion,
            snapshot,
            budget,
          });
        };
        const timedBy = times.of(plan, bindings);
        // Several statements must see one state of the data.
        if (ready.compiled.statements.kind !== 'whole')
          return await queue.run(caller, timedBy, (stoppable) => database.read(read, stoppable));
        const timed = { plan, bindings };
        const state = snapshot === undefined ? undefined : { seen: snapshot, version: listVersion };
        const isQuick = isPredictable(plan, bindings, state) && speeds.isQuick(timed);
        const result = await queue.run(caller, timedBy, (stoppable) => database.readAtOnce(read, stoppable));
        // A read from the row cache says nothing about the speed of the database.
        if (result.statements === 0) return result;
        // Reading the values that are searched happens once until the next write.
        const readTime = result.held?.readTime ?? 0;
        const time = result.execute + result.render - readTime;
        const isStillQuick = time < quick && result.saved < quickUncached && readTime < quickUncached;
        const wasAlone = !isQuick || runs > 1;
        if (wasAlone && time > slow) speeds.noteSlow(timed, { wasHeld: result.held !== undefined });
        else if (runs > 1) speeds.pause(timed);
        // How long it takes to find out that a document does not exist says nothing about documents.
        else if (result.body === undefined || !isStillQuick) speeds.forget(timed);
        else {
          if (result.held !== undefined) speeds.noteHeld(timed);
          speeds.noteQuick(timed);
        }
        return result;
      } catch (error) {
        speeds.pause({ plan, bindings });
        throw apiErrorOf(error, (each) => database.errorKindOf(each), limits);
      } finally {
        rowCache?.sweep();
        // The collection runs after the response has been sent off.
        setImmediate(() => freeMemory(budget.bytes));
      }
    },
    // The opener of the database closes it.
    close: async () => undefined,
  };
}
