import { createHmac } from 'node:crypto';
import { usualRounds } from '../model/attributes/password-rounds.ts';
import { comparingQueue } from './password-queues.ts';

/** The first password loads the module: most servers of a website see none. */
export const loadBcrypt = async () => (await import('bcrypt')).default;

/** bcrypt ignores further bytes. */
export const maxPasswordBytes = 72;

/** The hash of no password: the time of the response must not reveal which users exist. */
const nobodysHash = (rounds: number) => `$2b$${String(rounds).padStart(2, '0')}$EUTL577bOO1sxYZAvUwUQ.0D1Y0IFtl95mLLDp9GBIH9e3CFykbgO`;

/** Whether `hash` is of `password`; without a hash always false, after the same work. `rounds`:
 *  those of the users' hashes. */
export async function passwordMatches(password: string, hash: string | undefined, rounds = usualRounds): Promise<boolean> {
  const matches = await comparingQueue.run('sign-in', async () => (await loadBcrypt()).compare(password, hash ?? nobodysHash(rounds)));
  return matches && hash !== undefined;
}

/** Identifies a user's password in tokens without a session: it changes with the password. */
export const passwordKey = (userId: number, hash: string | undefined, secret: string): string =>
  createHmac('sha256', secret)
    .update(`password ${userId} ${hash ?? ''}`)
    .digest('base64url');
