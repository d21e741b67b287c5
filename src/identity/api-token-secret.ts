/** The secret of an API token, in the forms that Strapi stores. */
import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/** 128 random bytes in hexadecimal. */
export const newApiTokenSecret = (): string => randomBytes(128).toString('hex');

/** The hash that finds a token; `salt` is `API_TOKEN_SALT`. */
export const apiTokenHash = (secret: string, salt: string): string => createHmac('sha512', salt).update(secret).digest('hex');

/** `v1:<iv>:<cipher text>:<tag>` in hexadecimal, by AES-256-GCM with the SHA-256 of
 *  `ENCRYPTION_KEY`. Strapi's admin panel can show such a token again. */
export function encryptedApiToken(secret: string, encryptionKey: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update(encryptionKey).digest(), iv);
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return ['v1', ...[iv, encrypted, cipher.getAuthTag()].map((part) => part.toString('hex'))].join(':');
}
