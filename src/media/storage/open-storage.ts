import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { createLocalStorage } from './local-storage.ts';
import type { Storage } from './storage.ts';

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
