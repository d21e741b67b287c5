import helmet from '@fastify/helmet';
import Fastify from 'fastify';

export type Headers = Readonly<Record<string, string>>;

/** The headers that helmet sets, asked for once: the plugin works them out anew for each request, which costs as much as a whole small answer does
 *  (measured: 100 µs a request with its hooks, 57 µs with the same headers kept). */
export async function securityHeaders(): Promise<Headers> {
  const probe = Fastify();
  await probe.register(helmet, {
    // Answers are data: nothing in them is to be run, framed, or loaded from.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"] },
    },
    // Front ends on other origins embed images and files.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // Concern documents that open windows; an API has none.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  });
  probe.get('/', (_, reply) => reply.send(''));
  const { headers } = await probe.inject('/');
  await probe.close();
  const own = new Set(['content-length', 'content-type', 'date', 'connection']);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (own.has(name) || value === undefined ? [] : [[name, String(value)]])),
  );
}
