import { hash } from 'node:crypto';

/** 132 bits name the bytes of an answer. Measured: 1 µs for 1.5 KB, as SHA-1 takes; today's processors have instructions for both. */
export const digestOf = (body: string | Uint8Array): string => hash('sha256', body, 'base64url').slice(0, 22);
