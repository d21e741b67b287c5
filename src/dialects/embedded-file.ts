import { existsSync } from 'node:fs';
import type { DatabaseConfig } from '../config/config.ts';

type Named = Pick<DatabaseConfig, 'client' | 'filename'>;

/** Returns the file of an embedded database; undefined for a database of a server. */
export const embeddedFile = ({ client, filename }: Named): string | undefined => (client === 'sqlite' ? filename : undefined);

/** Returns the file of an embedded database that does not exist yet; otherwise undefined. */
export function missingFile(config: Named): string | undefined {
  const file = embeddedFile(config);
  return file === undefined || existsSync(file) ? undefined : file;
}
