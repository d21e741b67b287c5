import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { createLocalStorage } from './local-storage.ts';
import type { Storage } from './storage.ts';

/** The storage that `upload.provider` names. */
export async function openStorage({
  upload,
  s3,
  secrets,
  publicDir,
}: Pick<Config, 'upload' | 's3' | 'secrets' | 'publicDir'>): Promise<Storage> {
  switch (upload.provider) {
    case 'local':
      return createLocalStorage(join(publicDir, 'uploads'));
    case 's3': {
      const { openS3Storage } = await import('./s3-storage.ts');
      return openS3Storage(s3, { accessKeyId: secrets.s3AccessKeyId, secretAccessKey: secrets.s3SecretAccessKey });
    }
  }
}
