import { createHmac } from 'node:crypto';
import bcrypt from 'bcrypt';
import { comparingQueue } from './password-queues.ts';

/** bcrypt looks at no more bytes than these. */
export const longestPassword = 72;

/** Nobody's password. An unknown user costs one comparison too, so that the time of an answer does not tell which users exist. */
const nobodysHash = '$2b$10$EUTL577bOO1sxYZAvUwUQ.0D1Y0IFtl95mLLDp9GBIH9e3CFykbgO';

/** Whether `password` is the one that `hash` was made from; always false, after the same work, without a hash. */
export async function passwordMatches(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await comparingQueue.run('sign-in', () => bcrypt.compare(password, hash ?? nobodysHash));
  return matches && hash !== undefined;
}

/** A mark of a user's password for tokens that no session stands behind: it is another one as soon as the password is. */
export const passwordKey = (userId: number, hash: string | undefined, secret: string): string =>
  createHmac('sha256', secret)
    .update(`password ${userId} ${hash ?? ''}`)
    .digest('base64url');
