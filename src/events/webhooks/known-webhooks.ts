/** Since when webhooks are known. One that is not there for an hour is forgotten, and not sooner: a
 *  server with other settings may run for a while, during a deployment for example. */
import type { Rows } from '../../sql/rows.ts';
import { dropDeliveries } from './delivery-store.ts';
import { changeWebhook, forgetWebhook, knownWebhooks, lastEventId, noteWebhook } from './webhook-store.ts';

type WithRows = <T>(work: (rows: Rows) => Promise<T>) => Promise<T>;

const patience = 3_600_000;

/** Adds webhooks that are seen for the first time: they get the events from now on. */
export async function addNewWebhooks(keys: readonly string[], read: WithRows, write: WithRows): Promise<void> {
  const known = await read(knownWebhooks);
  if (keys.every((key) => known.has(key))) return;
  await write(async (rows) => {
    rows.lock(['webhooks']);
    const present = await knownWebhooks(rows);
    for (const key of keys) if (!present.has(key)) await noteWebhook(key, undefined, Date.now(), rows);
  });
}

/** Notes which webhooks are there. Needs the lease: the lists of other servers may differ. Those of
 *  the command line are removed by it alone. */
export async function noteAbsence(present: ReadonlySet<string>, read: WithRows, write: WithRows): Promise<void> {
  const isToChange = (key: string, goneAt: number | undefined, isStored: boolean) =>
    present.has(key) ? goneAt !== undefined : !isStored && (goneAt === undefined || Date.now() - goneAt > patience);
  const found = await read(knownWebhooks);
  if (![...found].some(([key, { goneAt, isStored }]) => isToChange(key, goneAt, isStored))) return;
  await write(async (rows) => {
    rows.lock(['webhooks']);
    const now = Date.now();
    for (const [key, { since, goneAt, isStored }] of await knownWebhooks(rows)) {
      if (!isToChange(key, goneAt, isStored)) continue;
      const wasLong = goneAt !== undefined && now - goneAt > patience;
      if (wasLong) dropDeliveries(key, now, rows);
      if (present.has(key)) await changeWebhook(key, { since: wasLong ? await lastEventId(rows) : since, goneAt: null }, rows);
      else if (wasLong) await forgetWebhook(key, rows);
      else await changeWebhook(key, { since, goneAt: now }, rows);
    }
  });
}
