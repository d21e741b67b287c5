import type { IncomingMessage } from 'node:http';

/** Whether a request has several headers `Host`, of which a proxy may have read another one than
 *  Node does. It has to be refused (RFC 9112, section 3.2). */
export function isHostRepeated({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (/^host$/i.test(rawHeaders[index] ?? '')) count++;
  }
  return count > 1;
}
