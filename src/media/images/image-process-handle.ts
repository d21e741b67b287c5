/** One image process, from the server's side. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../../errors/api-error.ts';
import { noteChild } from '../../observe/figures.ts';
import type { ImageJob, ImageReply } from './image-protocol.ts';

interface ImageProcess {
  /** One job at a time. Throws 'image.too-slow', and 'image.broken' when the process ends during
   *  the job; in both cases the process has ended. */
  work(job: ImageJob, time: number): Promise<ImageReply>;
  /** Resolves when the process has ended. */
  end(): Promise<void>;
}

interface Current {
  readonly resolve: (reply: ImageReply) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** `ended` is called once, before the unfinished job is refused. */
export function startImageProcess(ended: () => void): ImageProcess {
  const child = fork(fileURLToPath(new URL('./image-process.js', import.meta.url)), [], {
    // The server's environment holds secrets.
    env: environment(),
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  noteChild(child);
  let current: Current | undefined;
  /** The error of an unfinished job. */
  let endsWith = ApiError.of('image.broken');

  const settle = (how: (job: Current) => void): void => {
    const job = current;
    current = undefined;
    if (job === undefined) return;
    clearTimeout(job.timer);
    letGo(child);
    how(job);
  };
  const exited = new Promise<void>((resolve) => {
    const onEnd = (reason: Error) => {
      ended();
      settle((job) => job.reject(reason));
      resolve();
    };
    child.once('exit', () => onEnd(endsWith));
    // The process could not be started.
    child.once('error', onEnd);
  });
  child.on('message', (reply: ImageReply) => settle((job) => job.resolve(reply)));
  letGo(child);

  const end = (reason: ApiError): Promise<void> => {
    endsWith = reason;
    // The server must not exit before the process has ended.
    child.ref();
    child.kill('SIGKILL');
    return exited;
  };
  return {
    work(job, time) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => void end(ApiError.of('image.too-slow', { limit: time })), time);
        current = { resolve, reject, timer };
        child.ref();
        // The channel is closed, so the job gets no reply.
        child.send(job, (error) => {
          if (error !== null) child.kill('SIGKILL');
        });
      });
    },
    end: () => end(ApiError.of('image.busy')),
  };
}

/** Lets the server or a command exit while the process is idle. */
function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** `TMPDIR`: where the library puts what does not fit into memory. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ['TMPDIR', 'TEMP', 'SystemRoot'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
