/** Webhooks and their messages as commands and the management API show them: without what may be
 *  secret. */
import type { Delivery } from './delivery-store.ts';
import type { Webhook } from './webhook.ts';

const sources = { config: 'configuration', own: 'database', strapi: 'Strapi' } as const;
const isSource = (text: string): text is keyof typeof sources => Object.hasOwn(sources, text);

export function describeWebhook({ key, name, url, events, types, payload, as, secrets }: Webhook) {
  const [source = ''] = key.split(':');
  return {
    ...{ name, from: isSource(source) ? sources[source] : '', url: originOf(url), events, types: types ?? null },
    ...{ payload, as, signed: secrets.length > 0 },
  };
}

/** Paths, queries and passwords may be secrets. */
function originOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}

/** `webhook`: its name. */
export const describeDelivery = (
  { id, name, event, state, attempts, status, response, took, dueAt, createdAt, updatedAt }: Delivery,
  webhook: string,
) => ({
  ...{ id, webhook, event: name, uid: event.uid, documentId: event.documentId, locale: event.locale },
  ...{ state, attempts, status, response, took },
  dueAt: state === 'waiting' ? new Date(dueAt).toISOString() : null,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
});
