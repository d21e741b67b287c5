/** Endpoints of the project's own code. */
import type { CallOptions } from './options.ts';
import { begin } from './outcome.ts';
import { segment } from './query.ts';
import type { Transport } from './transport.ts';

interface EndpointRequest {
  readonly params?: { readonly [name: string]: string };
  readonly query?: object;
  readonly body?: unknown;
}

/** `client.ts` has the types. `name` is `POST /orders/:id/refund`. */
export const createEndpoint =
  ({ call }: Transport) =>
  (name: string, { params = {}, query, body }: EndpointRequest = {}, options?: CallOptions) =>
    begin(async () => {
      const [method = '', path = ''] = name.split(' ');
      const filled = path.replace(/\/:([\w-]+)/g, (_, key: string) => segment(params[key] as string));
      return { data: (await call({ method, path: filled, params: query, json: body, ...options })).body };
    });
