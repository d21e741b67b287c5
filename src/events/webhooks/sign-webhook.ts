/** Signatures of the Standard Webhooks scheme (https://www.standardwebhooks.com), version 1. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const [leastBytes, mostBytes] = [24, 64];

/** `whsec_` and 24 to 64 bytes in base64. */
export function isSecret(text: string): boolean {
  if (!/^whsec_[A-Za-z\d+/]+=*$/.test(text)) return false;
  const { length } = bytesOf(text);
  return length >= leastBytes && length <= mostBytes;
}

export const newSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

export interface Message {
  /** The same each time that the message is sent. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns the headers of a message, with a signature for each secret. */
export function signedHeaders({ id, timestamp, body }: Message, secrets: readonly string[]): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => {
    const signature = createHmac('sha256', bytesOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${signature}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}

const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');
