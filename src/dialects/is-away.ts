/** Whether an error means that a server is away for the moment, and not that a setting is wrong. */

/** Codes from the operating system, from name servers, and from database servers that start, stop
 *  or are full. */
const codes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'PROTOCOL_CONNECTION_LOST',
  'ER_SERVER_SHUTDOWN',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_USER_LIMIT_REACHED',
  // A node of a Galera cluster that is not ready.
  'ER_UNKNOWN_COM_ERROR',
  'NODE_NOT_SYNCED',
]);

export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.cause !== undefined) return isAway(error.cause);
  if ('code' in error && typeof error.code === 'string') return codes.has(error.code);
  // A proxy in front of a server that has not started yet accepts connections and closes them.
  return error.message.startsWith('Connection terminated');
}
