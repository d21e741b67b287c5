/** A webhook as a value, and the events that it gets. Pure. */
import { fileUid, userUid } from '../../model/built-in-types.ts';
import type { Uid } from '../../model/content-model.ts';
import type { EventType, FailureType, NewEvent } from '../document-event.ts';

/** Strapi's names, which receivers know. */
export const entryEvents = {
  create: 'entry.create',
  update: 'entry.update',
  publish: 'entry.publish',
  unpublish: 'entry.unpublish',
  discard: 'entry.draft-discard',
  delete: 'entry.delete',
} as const satisfies Record<EventType, string>;

export type EventName =
  | (typeof entryEvents)[EventType]
  | FailureType
  | `media.${'create' | 'update' | 'delete'}`
  | `user.${'create' | 'update' | 'delete'}`;

const failures: readonly FailureType[] = ['schedule.failed', 'release.failed'];
const isFailure = (type: NewEvent['type']): type is FailureType => failures.some((each) => each === type);

const others = ['create', 'update', 'delete'] as const;

/** What may be written for each event: `publish` or `entry.publish`, `media.create`. */
export const eventNames: ReadonlyMap<string, EventName> = new Map<string, EventName>([
  ...Object.entries(entryEvents),
  ...Object.values(entryEvents).map((name) => [name, name] as const),
  ...failures.map((name) => [name, name] as const),
  ...others.flatMap((type) => [`media.${type}`, `user.${type}`] as const).map((name) => [name, name] as const),
]);

export interface Webhook {
  /** What its deliveries are stored by: `config:site`, `own:site`, `strapi:3`. */
  readonly key: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly EventName[];
  /** Undefined: all types. */
  readonly types: readonly Uid[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Keys of signatures, the newest first; none: requests are not signed. */
  readonly secrets: readonly string[];
  /** `thin`: ids and paths alone. */
  readonly payload: 'entry' | 'thin';
  /** The rights that the entry is read with: `full-access`, `read-only`, or the type of a role. */
  readonly as: string;
  /** The query that the entry is read with, as in a GET: `populate=cover`. */
  readonly query: string;
}

/** Returns the name under which the webhook gets the event; undefined if it does not. What is
 *  published was also made or changed, so a webhook for these alone gets it as that. */
export function eventNameFor(
  { type, uid, isNew }: Pick<NewEvent, 'type' | 'uid' | 'isNew'>,
  webhook: Pick<Webhook, 'events' | 'types'>,
): EventName | undefined {
  if (webhook.types !== undefined && !webhook.types.includes(uid)) return undefined;
  if (isFailure(type)) return webhook.events.includes(type) ? type : undefined;
  const meanings: readonly EventType[] =
    type === 'publish' ? [type, isNew ? 'create' : 'update'] : type === 'discard' ? [type, 'update'] : [type];
  return meanings
    .map((meaning) => (uid === fileUid ? `media.${meaning}` : uid === userUid ? `user.${meaning}` : entryEvents[meaning]) as EventName)
    .find((name) => webhook.events.includes(name));
}
