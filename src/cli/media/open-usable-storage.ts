import type { Config } from '../../config/config.ts';
import { StartError } from '../../errors/start-error.ts';
import { openStorage } from '../../media/storage/open-storage.ts';
import type { Storage, StorageUse } from '../../media/storage/storage.ts';

/** Opens the storage of files, or throws a `StartError` if it cannot be used: a bucket that cannot be listed must not be mistaken for an empty
 *  one. */
export async function openUsableStorage(config: Config, use: StorageUse): Promise<Storage> {
  const storage = await openStorage(config);
  const problem = await storage.problem(use);
  if (problem !== undefined) throw new StartError([problem]);
  return storage;
}
