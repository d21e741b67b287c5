import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { StartError } from '../../errors/start-error.ts';
import { createLocalStorage } from './local-storage.ts';
import type { Storage, StorageUse } from './storage.ts';

/** The storage that `upload.provider` names. */
export async function openStorage(config: Pick<Config, 'upload' | 's3' | 'secrets' | 'policies' | 'publicDir'>): Promise<Storage> {
  switch (config.upload.provider) {
    case 'local':
      return createLocalStorage(join(config.publicDir, 'uploads'));
    case 's3': {
      const { openS3Storage } = await import('./s3-storage.ts');
      return openS3Storage(config);
    }
  }
}

/** Opens the storage of files. Throws a `StartError` if it cannot be used. */
export async function openUsableStorage(config: Config, use: StorageUse): Promise<Storage> {
  const storage = await openStorage(config);
  const problem = await storage.problem(use);
  if (problem !== undefined) throw new StartError([problem]);
  return storage;
}
