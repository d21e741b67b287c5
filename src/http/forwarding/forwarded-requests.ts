/** The requests that were forwarded, for the log and the metrics. Loaded without `upstream` too. */
import type { IncomingMessage } from 'node:http';

const forwarded = new WeakSet<IncomingMessage>();

export const noteForwarded = (request: IncomingMessage): void => void forwarded.add(request);
export const wasForwarded = (request: IncomingMessage): boolean => forwarded.has(request);
