/** A proxy that nobody has named makes all callers behind it one: ten logins a minute for everybody. Whoever runs the server is told, once. */
import { BlockList, isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';

/** Where proxies are. A header from further away is anybody's. */
const near = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  near.addSubnet(network, bits);
}
near.addAddress('::1', 'ipv6');
near.addSubnet('fc00::', 7, 'ipv6');

export function hintAtProxy(app: FastifyInstance, { trustProxy }: Config): void {
  if (trustProxy.length > 0) return;
  let told = false;
  app.addHook('onRequest', (request, _, done) => {
    const address = request.socket.remoteAddress ?? '';
    if (!told && request.headers['x-forwarded-for'] !== undefined && near.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
      told = true;
      request.log.warn(
        { proxy: address },
        'a proxy sends X-Forwarded-For and is not named (trustProxy): all callers behind it count as one',
      );
    }
    done();
  });
}
