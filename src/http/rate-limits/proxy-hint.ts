/** Warns the operator once about a proxy that is not configured: behind it, all callers count as
 *  one, with ten logins a minute for all of them. */
import { BlockList, isIPv6 } from 'node:net';
import type { FastifyBaseLogger, onRequestHookHandler } from 'fastify';
import type { Config } from '../../config/config.ts';

/** IP addresses that proxies usually have. A header from any other address may have
 *  been sent by a client itself. */
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

/** Looks at each request until there is something to warn of. */
export function createProxyHint({ trustProxy }: Config, log: FastifyBaseLogger): onRequestHookHandler {
  let isOver = trustProxy.length > 0;
  return ({ headers, socket }, _, done) => {
    done();
    if (isOver || headers['x-forwarded-for'] === undefined) return;
    const proxy = socket.remoteAddress ?? '';
    if (!near.check(proxy, isIPv6(proxy) ? 'ipv6' : 'ipv4')) return;
    isOver = true;
    log.warn({ proxy }, 'a proxy sends X-Forwarded-For and is not listed in trustProxy: all callers behind it count as one');
  };
}
