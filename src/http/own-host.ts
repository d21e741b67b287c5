import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';

/** Any site can let its own name lead to a visiting developer's machine, so that its pages have the
 *  origin of this server. Such a name is neither an IP address nor one of the project. */
export function isOwnHost(hostHeader: string | undefined, { host, url }: Pick<Config, 'host' | 'url'>): boolean {
  const address = `http://${hostHeader ?? ''}`;
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const isKnown = hostname === host.toLowerCase() || (url !== undefined && hostname === new URL(url).hostname);
  return isAddress || isKnown || hostname === 'localhost' || hostname.endsWith('.localhost');
}
