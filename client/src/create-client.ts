import { createAuth } from './accounts.ts';
import type { Client } from './client.ts';
import { createContent } from './content.ts';
import { createEndpoint } from './endpoint.ts';
import { createFiles } from './files.ts';
import type { ClientOptions } from './options.ts';
import type { AnySchema } from './schema.ts';
import { createSession } from './session.ts';
import { createTransport, type Transport } from './transport.ts';

/** A client of the API at `baseURL`. `S` is the interface `Schema` that `lectern types` writes; without it, documents are loosely typed.
 *  A client has the session of one user: on a server, make one for each request. Throws a LecternError for a `baseURL` that is not one. */
export function createClient<S extends AnySchema = AnySchema>(options: ClientOptions): Client<S> {
  const session = createSession(options, () => transport);
  const transport: Transport = createTransport(options, session.credentials);
  const files = createFiles(transport);
  return {
    // The methods are the same for all types; `client.ts` says what each type's parameters and responses are.
    ...(createContent(transport) as unknown as Pick<Client<S>, 'collection' | 'single' | 'search' | 'batch' | 'schedules'>),
    endpoint: createEndpoint(transport) as unknown as Client<S>['endpoint'],
    auth: createAuth(transport, session),
    files,
    upload: files.upload,
    fetch: transport.fetch,
  };
}
