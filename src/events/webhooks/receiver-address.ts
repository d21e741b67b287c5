/** Which addresses webhooks may be sent to: public ones, and networks that the settings allow. The
 *  address is checked when the connection is made, so a name cannot lead to another one later. */
import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

const refusal = (host: string, address: string): string =>
  `${host === address ? host : `${host} is ${address}, which`} is not a public IP address; list it in events.allowPrivate (LECTERN_EVENTS_ALLOW_PRIVATE) to permit it`;

/** The public addresses of IPv6. Those that contain IPv4 addresses are not among them, but for
 *  mapped ones, which count as what they contain. */
const publicV6 = ipaddr.parseCIDR('2000::/3');
/** A service of Azure that only its machines reach. */
const ofProviders: ReadonlySet<string> = new Set(['168.63.129.16']);

export function isAllowed(address: string, allowed: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const isPublic =
    parsed.range() === 'unicast' && !ofProviders.has(parsed.toString()) && (parsed.kind() === 'ipv4' || parsed.match(publicV6));
  if (isPublic) return true;
  return allowed.some((network) => {
    const [base, length] = networkOf(network);
    return base.kind() === parsed.kind() && parsed.match(base, length);
  });
}

function networkOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Why the host of a URL may not be reached, if it is an IP address; undefined if it may. `URL` has
 *  brought other notations of IPv4 (decimal, hexadecimal, octal) into the usual one. */
export function hostProblem(url: URL, allowed: readonly string[]): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isAllowed(host, allowed) ? refusal(host, host) : undefined;
}

/** Looks a name up like `dns.lookup`, and fails if none of its addresses may be reached. */
export const publicLookup =
  (allowed: readonly string[]): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses: readonly LookupAddress[]) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      const reachable = addresses.filter(({ address }) => isAllowed(address, allowed));
      const [first] = reachable;
      if (first === undefined) callback(new Error(refusal(host, addresses[0]?.address ?? 'unknown')), '');
      else if (options.all === true) callback(null, [...reachable]);
      else callback(null, first.address, first.family);
    });
  };
