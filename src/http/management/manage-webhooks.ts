/** Webhooks and the messages that were sent to them. */
import { ApiError } from '../../errors/api-error.ts';
import {
  countDeliveries,
  type DeliveryState,
  listDeliveries,
  retryDeliveries,
  webhookOfDelivery,
} from '../../events/webhooks/delivery-store.ts';
import { describeDelivery, describeWebhook } from '../../events/webhooks/describe-webhooks.ts';
import type { Webhook } from '../../events/webhooks/webhook.ts';
import { configuredWebhooks, storedWebhooks } from '../../events/webhooks/webhook-store.ts';
import { Rows } from '../../sql/rows.ts';
import { columnsByTable } from '../../sql/table-exists.ts';
import { deliveriesTable } from '../../tables/system-tables.ts';
import type { Accounts } from '../endpoints/accounts/accounts.ts';
import { rowIdParameter } from '../endpoints/rows.ts';
import { type EndpointCall, parameter } from '../send-response.ts';
import { type ManagementRoute, sendData } from './management-route.ts';

const states: readonly DeliveryState[] = ['waiting', 'delivered', 'failed'];
const shownDeliveries = 50;
/** Characters. Receivers may respond with whole pages. */
const shownResponse = 500;

export function managedWebhooks({ config, database }: Accounts): readonly ManagementRoute[] {
  const reading = <T>(work: (rows: Rows) => Promise<T>) => database.read((connection) => work(new Rows(connection, database.dialect)));
  const writing = <T>(work: (rows: Rows) => Promise<T>) => database.write((connection) => work(new Rows(connection, database.dialect)));

  async function all(): Promise<readonly Webhook[]> {
    const tables = await columnsByTable(database);
    if (!tables.has(deliveriesTable)) throw ApiError.of('management.no-table', { table: deliveriesTable });
    const { webhooks } = await reading((rows) => storedWebhooks(tables, rows));
    return [...configuredWebhooks(config.webhooks), ...webhooks];
  }

  async function one({ request }: EndpointCall): Promise<Webhook> {
    const id = parameter(request, 'id');
    const webhook = (await all()).find(({ key }) => key === id);
    if (webhook === undefined) throw ApiError.of('management.no-webhook', { what: 'webhook' });
    return webhook;
  }

  return [
    [
      'GET',
      '/webhooks',
      async () => {
        const webhooks = await all();
        const counts = await reading(countDeliveries);
        const none = { waiting: 0, delivered: 0, failed: 0 };
        return sendData(webhooks.map((each) => ({ id: each.key, ...describeWebhook(each), messages: counts.get(each.key) ?? none })));
      },
    ],
    [
      'GET',
      '/webhooks/:id/deliveries',
      async (call) => {
        const { key, name } = await one(call);
        const asked = new URLSearchParams(call.query).get('state');
        const state = states.find((each) => each === asked);
        const found = await reading((rows) => listDeliveries({ webhook: key, state }, shownDeliveries, rows));
        return sendData(
          found.map((each) => ({ ...describeDelivery(each, name), response: each.response?.slice(0, shownResponse) ?? null })),
        );
      },
    ],
    [
      'POST',
      '/webhooks/:id/retry',
      async (call) => {
        const { key } = await one(call);
        return sendData({ count: await writing((rows) => retryDeliveries({ webhook: key }, Date.now(), rows)) });
      },
    ],
    [
      'POST',
      '/webhooks/:id/deliveries/:delivery/retry',
      async (call) => {
        const { key } = await one(call);
        const id = rowIdParameter(call.request, 'delivery');
        const count = await writing(async (rows) =>
          id !== undefined && (await webhookOfDelivery(id, rows)) === key ? retryDeliveries({ id }, Date.now(), rows) : 0,
        );
        if (count === 0) throw ApiError.of('management.no-webhook', { what: 'message' });
        return sendData({ count });
      },
    ],
  ];
}
