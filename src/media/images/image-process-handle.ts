/** One process for images, as the server sees it. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../../errors/api-error.ts';
import type { ImageJob, ImageReply } from './image-protocol.ts';

interface ImageProcess {
  /** One job at a time. Throws 'image.too-slow', and 'image.broken' when the process ends over it; in both cases
   *  the process is gone. */
  work(job: ImageJob, time: number): Promise<ImageReply>;
  /** Resolves when it has ended. */
  end(): Promise<void>;
}

interface Current {
  readonly resolve: (reply: ImageReply) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** `ended` is called once, before the job that the process leaves behind is refused. */
export function startImageProcess(ended: () => void): ImageProcess {
  const child = fork(fileURLToPath(new URL('./image-process.js', import.meta.url)), [], {
    // The server's environment has secrets in it.
    env: environment(),
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let current: Current | undefined;
  /** What its end means for the job that it leaves behind. */
  let endsWith = ApiError.of('image.broken');

  const settle = (how: (job: Current) => void): void => {
    const job = current;
    current = undefined;
    if (job === undefined) return;
    clearTimeout(job.timer);
    letGo(child);
    how(job);
  };
  const gone = new Promise<void>((resolve) => {
    const onEnd = (reason: Error) => {
      ended();
      settle((job) => job.reject(reason));
      resolve();
    };
    child.once('exit', () => onEnd(endsWith));
    // It could not be started.
    child.once('error', onEnd);
  });
  child.on('message', (reply: ImageReply) => settle((job) => job.resolve(reply)));
  letGo(child);

  const end = (reason: ApiError): Promise<void> => {
    endsWith = reason;
    // Whoever waits for the end must not end first.
    child.ref();
    child.kill('SIGKILL');
    return gone;
  };
  return {
    work(job, time) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => void end(ApiError.of('image.too-slow', { limit: time })), time);
        current = { resolve, reject, timer };
        child.ref();
        // Without a channel there is nobody to answer.
        child.send(job, (error) => {
          if (error !== null) child.kill('SIGKILL');
        });
      });
    },
    end: () => end(ApiError.of('image.busy')),
  };
}

/** The server, or a command, may end while nobody works. */
function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** `TMPDIR`: where the library puts what does not fit into memory. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ['TMPDIR', 'TEMP', 'SystemRoot'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
