import bcrypt from 'bcrypt';

/** Nobody's password. An unknown user costs one comparison too, so that the time of an answer does not tell which users exist. */
const nobodysHash = '$2b$10$EUTL577bOO1sxYZAvUwUQ.0D1Y0IFtl95mLLDp9GBIH9e3CFykbgO';

/** Whether `password` is the one that `hash` was made from; always false, after the same work, without a hash. */
export async function passwordMatches(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await bcrypt.compare(password, hash ?? nobodysHash);
  return matches && hash !== undefined;
}
