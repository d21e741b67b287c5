/** Since when webhooks are known. One that is not there for an hour is forgotten, and not sooner: a
 *  server with other settings may run for a while, during a deployment for example. */
import type { Rows } from '../../sql/rows.ts';
import { dropDeliveries } from './delivery-store.ts';
import { changeWebhook, forgetWebhook, type KnownWebhook, knownWebhooks, lastEventId, noteWebhook, ownKey } from './webhook-store.ts';

export type WithRows = <T>(work: (rows: Rows) => Promise<T>) => Promise<T>;

export type KnownWebhooks = ReadonlyMap<string, KnownWebhook>;

const patience = 3_600_000;

/** Adds webhooks that are seen for the first time: they get the events from now on. Returns all that
 *  are known. */
export async function withNewWebhooks(keys: readonly string[], read: WithRows, write: WithRows): Promise<KnownWebhooks> {
  // The command line adds its own; one that is missing was just removed.
  const others = keys.filter((key) => !key.startsWith(ownKey('')));
  const known = await read(knownWebhooks);
  if (others.every((key) => known.has(key))) return known;
  return write(async (rows) => {
    rows.lock(['webhooks']);
    const present = await knownWebhooks(rows);
    for (const key of others) if (!present.has(key)) await noteWebhook(key, undefined, Date.now(), rows);
    return knownWebhooks(rows);
  });
}

/** Whether `noteAbsence` would change anything. */
export const isAbsenceToNote = (present: ReadonlySet<string>, all: KnownWebhooks): boolean =>
  [...all].some(([key, known]) => isToChange(key, known, present));

function isToChange(key: string, { goneAt, isStored }: KnownWebhook, present: ReadonlySet<string>): boolean {
  if (present.has(key)) return goneAt !== undefined;
  return !isStored && (goneAt === undefined || Date.now() - goneAt > patience);
}

/** Notes which webhooks are there. Needs the lease: the lists of other servers may differ. Those of
 *  the command line are removed by it alone. */
export async function noteAbsence(present: ReadonlySet<string>, write: WithRows): Promise<void> {
  await write(async (rows) => {
    rows.lock(['webhooks']);
    const now = Date.now();
    for (const [key, known] of await knownWebhooks(rows)) {
      if (!isToChange(key, known, present)) continue;
      const { since, goneAt } = known;
      const wasLong = goneAt !== undefined && now - goneAt > patience;
      if (wasLong) dropDeliveries(key, now, rows);
      if (present.has(key)) await changeWebhook(key, { since: wasLong ? await lastEventId(rows) : since, goneAt: null }, rows);
      else if (wasLong) await forgetWebhook(key, rows);
      else await changeWebhook(key, { since, goneAt: now }, rows);
    }
  });
}
