/** The program of an image process: one job at a time, one reply each. It has no secrets: no
 *  environment, no connection, and no permission that the server's user lacks. */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { ApiError } from '../../errors/api-error.ts';
import { nameSourcesInStacks } from '../../errors/source-positions.ts';
import type { ImageJob, ImageReply } from './image-protocol.ts';

nameSourcesInStacks(import.meta.url);
// The server may have been killed; the replies have no reader.
process.on('disconnect', () => process.exit());
// Signals go to all processes of the server, which lets requests in flight finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('message', (job: ImageJob) => {
  void work(job).then((reply) => process.send?.(reply));
});

yieldToServer();

async function work(job: ImageJob): Promise<ImageReply> {
  try {
    if (job.kind === 'derive') {
      const { deriveImage } = await import('./derive-image.ts');
      return { kind: 'derived', image: await deriveImage(job) };
    }
    const { transformImage } = await import('./transform-image.ts');
    return { kind: 'transformed', image: await transformImage(job) };
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'refused', error: error.toData() };
    return { kind: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Requests go first; if memory runs out, the kernel must end this process and not the server. */
function yieldToServer(): void {
  try {
    setPriority(10);
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has this file.
  }
}
