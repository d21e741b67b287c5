/** The processes of `workers`, and the messages between them and the primary process. */
import cluster from 'node:cluster';
import { isObject } from '../text/json.ts';

/** Set in the environment of the processes of `workers`. Others may run the server in a cluster of
 *  their own, such as PM2, and do not answer its messages. */
export const workerMark = 'lecternWorker';

export const isWorker = (): boolean => cluster.isWorker && process.env[workerMark] !== undefined;

/** Whether a message is of this kind, which its key `lectern` names. */
export const isMessage = <T extends { readonly lectern: string }>(message: unknown, kind: T['lectern']): message is T =>
  isObject(message) && message.lectern === kind;

/** In a worker. Nothing happens if the primary process has ended. */
export const tellPrimary = (message: object): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

/** Questions to another process. */
export class Questions<Reply> {
  readonly #waiting = new Map<number, (reply: Reply | undefined) => void>();
  #last = 0;

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves with the reply; with undefined if there is none within `time` milliseconds. */
  ask(send: (id: number) => void, time: number): Promise<Reply | undefined> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      const late = setTimeout(() => this.reply(id, undefined), time);
      this.#waiting.set(id, (reply) => {
        clearTimeout(late);
        this.#waiting.delete(id);
        resolve(reply);
      });
      send(id);
    });
  }

  reply(id: number, reply: Reply | undefined): void {
    this.#waiting.get(id)?.(reply);
  }
}
