/** What is said about an upstream that fails. The reasons name no address. */

export class Stalled extends Error {}

export function problemOf(error: Error & { code?: string }, milliseconds: number): string {
  if (error instanceof Stalled) return `made no progress for ${milliseconds} ms (limits.upstreamTime)`;
  const { code = '' } = error;
  if (unreachable.has(code)) return 'cannot be reached';
  if (code.startsWith('HPE_') || code === 'ERR_INVALID_CHAR') return 'sent a response that is not valid HTTP';
  if (/CERT|^ERR_TLS|^ERR_SSL|^EPROTO$/.test(code)) return 'has no certificate that can be verified';
  return 'closed the connection without a response';
}

const unreachable: ReadonlySet<string> = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);
