/** Reads on the event loop's thread, for databases whose driver does not block. */
import { LRUCache } from 'lru-cache';
import type { Limits } from '../../../config/config.ts';
import type { Connection, Database } from '../../../dialects/database.ts';
import type { UrlSigning } from '../../../media/storage/url-signer.ts';
import { recordedConnection } from '../../../observe/request-record.ts';
import { apiErrorOf } from '../../execute/database-errors.ts';
import { ReadBudget } from '../../execute/read-budget.ts';
import { renderingOf } from '../../render/render-read.ts';
import type { FairConnections } from '../queue/fair-connections.ts';
import { createFreeMemory } from '../threads/free-memory.ts';
import { ReadTimes } from './read-times.ts';
import { maxCachedCharacters, maxCachedPlans, type PreparedRead, prepareRead, type Reader, runRead } from './run-read.ts';

interface DirectReaderParts {
  readonly database: Pick<Database, 'read' | 'readAtOnce' | 'errorKindOf'>;
  readonly queue: FairConnections;
  readonly limits: Limits;
  readonly signing: UrlSigning | undefined;
}

export function openDirectReader({ database, queue, limits, signing }: DirectReaderParts): Reader {
  const rendering = renderingOf(limits, signing);
  const freeMemory = createFreeMemory(limits.responseBytes);
  const times = new ReadTimes();
  const plans = new LRUCache<number, PreparedRead>({ max: maxCachedPlans, maxSize: maxCachedCharacters });
  return {
    async read(plan, bindings, caller) {
      let prepared = plans.get(plan.id);
      if (prepared === undefined) {
        prepared = prepareRead(plan.compiled, rendering);
        plans.set(plan.id, prepared, { size: plan.size });
      }
      const ready = prepared;
      let budget = new ReadBudget(limits);
      const read = (connection: Connection) => {
        // The read may be repeated on another connection.
        budget = new ReadBudget(limits);
        return runRead(ready, bindings, { connection: recordedConnection(connection, caller.record), budget });
      };
      // Several statements must see one state of the data.
      const isOne = ready.compiled.statements.kind === 'single' || ready.compiled.groups !== undefined;
      try {
        return await queue.run(caller, { timedBy: times.of(plan, bindings), plan }, (stoppable) =>
          // The beginning of a transaction waits for the commits of other nodes, with a limit.
          isOne && !stoppable.isCurrent ? database.readAtOnce(read, stoppable) : database.read(read, stoppable),
        );
      } catch (error) {
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
