/** Reads on the event loop's thread, for databases whose driver does not block. */
import { LRUCache } from 'lru-cache';
import type { Limits } from '../../../config/config.ts';
import type { Connection, Database } from '../../../dialects/dialect.ts';
import type { UrlSigning } from '../../../media/storage/url-signer.ts';
import type { Figures } from '../../../observe/figures.ts';
import { recordedConnection } from '../../../observe/request-record.ts';
import { apiErrorOf } from '../../execute/database-errors.ts';
import { KnownPages } from '../../execute/known-pages.ts';
import { ListCache } from '../../execute/list-cache.ts';
import { ReadBudget } from '../../execute/read-budget.ts';
import { renderingOf } from '../../render/render-read.ts';
import { createFreeMemory } from '../processes/free-memory.ts';
import type { FairConnections } from '../queue/fair-connections.ts';
import { ReadSpeeds } from './read-speeds.ts';
import { ReadTimes } from './read-times.ts';
import { maxCachedCharacters, maxCachedPlans, type PreparedRead, prepareRead, type Reader, runRead } from './run-read.ts';

/** Reads that take longer than this, the time that they wait for others included, share no connection. Milliseconds. */
const quick = 25;

interface DirectReaderParts {
  readonly database: Pick<Database, 'read' | 'readAtOnce' | 'errorKindOf' | 'lostConnections'>;
  readonly queue: FairConnections;
  readonly limits: Limits;
  readonly signing: UrlSigning | undefined;
  readonly figures: Figures;
}

export function openDirectReader({ database, queue, limits, signing, figures }: DirectReaderParts): Reader {
  const rendering = renderingOf(limits, signing);
  const pages = new KnownPages();
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
  return {
    async read(plan, bindings, caller, listVersion, snapshot) {
      let prepared = plans.get(plan.id);
      if (prepared === undefined) {
        prepared = prepareRead(plan.compiled, rendering);
        plans.set(plan.id, prepared, { size: plan.size });
      }
      const ready = prepared;
      let budget = new ReadBudget(limits);
      try {
        const read = (connection: Connection) => {
          // The read may be repeated on another connection.
          budget = new ReadBudget(limits);
          pages.clearAfter(database.lostConnections());
          return runRead(ready, bindings, {
            connection: recordedConnection(connection, caller.record),
            pages,
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
        const isQuick = !plan.compiled.valuesDecideTime && speeds.isQuick(timed);
        const result = await queue.run(caller, timedBy, (stoppable) => database.readAtOnce(read, stoppable, { isQuick }));
        // How long it takes to find out that a document does not exist says nothing about documents.
        if (result.body === undefined) speeds.forget(timed);
        else if (result.execute + result.render < quick) speeds.noteQuick(timed);
        else speeds.pause(timed);
        return result;
      } catch (error) {
        speeds.pause({ plan, bindings });
        throw apiErrorOf(error, (each) => database.errorKindOf(each), limits);
      } finally {
        // The collection runs after the response has been sent off.
        setImmediate(() => freeMemory(budget.bytes));
      }
    },
    // The opener of the database closes it.
    close: async () => undefined,
  };
}
