/** The pool of image processes. An untrusted file that crashes the image library, or takes too
 *  long, costs only one of these processes. */
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { startImageProcess } from './image-process-handle.ts';
import type { ImageJob, ImageReply } from './image-protocol.ts';
import type { Images } from './images.ts';

interface Waiting {
  readonly job: ImageJob;
  readonly resolve: (reply: ImageReply) => void;
  readonly reject: (error: unknown) => void;
}

type ImageProcess = ReturnType<typeof startImageProcess>;

/** Milliseconds until an idle process is ended. */
const idleTime = 30_000;

/** Starts no process before the first image. */
export function openImages({ upload, policies }: Pick<Config, 'upload' | 'policies'>): Images {
  const { breakpoints, pixels, imageProcesses, imageQueue, imageTime } = upload;
  const { turnImages, keepSmallerOriginals, measureAvif } = policies;
  const rules = { turnImages, keepSmallerOriginals, measureAvif };
  // Each kind has its own queue, so that requests for variants cannot prevent uploads.
  const queues = { derive: [] as Waiting[], transform: [] as Waiting[] };
  const processes = new Set<ImageProcess>();
  const idle = new Map<ImageProcess, NodeJS.Timeout>();
  let isClosed = false;

  function run(job: ImageJob): Promise<ImageReply> {
    const queue = queues[job.kind];
    const hasProcess = idle.size > 0 || processes.size < imageProcesses;
    if (isClosed || (!hasProcess && queue.length >= imageQueue)) return Promise.reject(ApiError.of('image.busy'));
    return new Promise((resolve, reject) => {
      queue.push({ job, resolve, reject });
      next();
    });
  }

  function next(): void {
    if (queues.derive.length + queues.transform.length === 0) return;
    const free = takeIdle() ?? (processes.size < imageProcesses ? start() : undefined);
    if (free === undefined) return;
    const waiting = queues.derive.shift() ?? queues.transform.shift();
    if (waiting !== undefined) void give(free, waiting);
  }

  async function give(to: ImageProcess, { job, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await to.work(job, imageTime));
    } catch (error) {
      reject(error);
    }
    if (processes.has(to)) rest(to);
    next();
  }

  function start(): ImageProcess {
    const started = startImageProcess(() => {
      processes.delete(started);
      clearTimeout(idle.get(started));
      idle.delete(started);
    });
    processes.add(started);
    return started;
  }

  function rest(process: ImageProcess): void {
    idle.set(process, setTimeout(() => process.end(), idleTime).unref());
  }

  function takeIdle(): ImageProcess | undefined {
    const [found] = idle;
    if (found === undefined) return undefined;
    clearTimeout(found[1]);
    idle.delete(found[0]);
    return found[0];
  }

  return {
    async derive(path, folder, settings) {
      const reply = await run({ kind: 'derive', path, folder, settings, rules, breakpoints, pixels });
      if (reply.kind === 'derived') return reply.image;
      throw failure(reply);
    },
    async transform(path, target, transformation) {
      const reply = await run({ kind: 'transform', path, target, transformation, pixels });
      if (reply.kind === 'transformed') return reply.image;
      throw failure(reply);
    },
    figures: () => ({ waiting: queues.derive.length + queues.transform.length, running: processes.size - idle.size }),
    async close() {
      isClosed = true;
      for (const { reject } of [...queues.derive.splice(0), ...queues.transform.splice(0)]) reject(ApiError.of('image.busy'));
      await Promise.all([...processes].map((process) => process.end()));
    },
  };
}

const failure = (reply: ImageReply) =>
  reply.kind === 'refused'
    ? ApiError.fromData(reply.error)
    : new Error(reply.kind === 'failed' ? reply.stack : `a reply to something else: ${reply.kind}`);
