import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { createLocalStorage } from './local-storage.ts';
import type { Storage } from './storage.ts';

/** The storage that `upload.provider` names. */
export async function openStorage({ upload, publicDir }: Pick<Config, 'upload' | 's3' | 'secrets' | 'publicDir'>): Promise<Storage> {
  switch (upload.provider) {
    case 'local':
      return createLocalStorage(join(publicDir, 'uploads'));
    case 's3':
      throw new Error('not yet');
  }
}
