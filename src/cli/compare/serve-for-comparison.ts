/** Serves a project in this process, for this machine alone, and writes nothing at the start. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDatabaseFile, loadProject } from '../project/load-project.ts';

export interface ServedForComparison {
  readonly address: string;
  close(): Promise<void>;
}

export async function serveForComparison(dir: string): Promise<ServedForComparison> {
  const { config, warnings } = loadProject({ dir, host: '127.0.0.1', port: 0, workers: 1 });
  checkDatabaseFile(config, false);
  for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`);
  const { createApp } = await import('../../app.ts');
  const folder = await mkdtemp(join(tmpdir(), 'lectern-compare-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const app = await createApp({
    ...config,
    migrate: 'never',
    applyPermissions: 'never',
    log: { ...config.log, level: 'silent' },
    indexes: { recordFile: join(folder, 'reads.json') },
  }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    address: await app.listen(),
    async close() {
      await app.close();
      await remove();
    },
  };
}
