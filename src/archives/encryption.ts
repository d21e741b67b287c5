/** The encryption of Strapi's archives. It is what Strapi reads, not what one would choose: without a salt, without authentication. */
import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const algorithm = 'aes-128-ecb';
const derive = promisify<string, string, number, Buffer>(scrypt);

export const archiveCipher = async (key: string) => createCipheriv(algorithm, await derive(key, '', 16), null);
export const archiveDecipher = async (key: string) => createDecipheriv(algorithm, await derive(key, '', 16), null);
