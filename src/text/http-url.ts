/** A URL that a browser on this machine can open: `0.0.0.0` and `::` mean every interface, and
 *  become `localhost`. `httpUrl('0.0.0.0', 1337)` → `http://localhost:1337`; `httpUrl('::1', 80)` →
 *  `http://[::1]:80`. */
export function httpUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Whether a server that listens on this IP address or name is reached by this machine alone. */
export const isLoopback = (host: string): boolean => /^(?:127\.|::1$|localhost$)/.test(host);
