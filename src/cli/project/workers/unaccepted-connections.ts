/** Connections of a worker that ended before it accepted them. Node's `cluster` keeps a connection
 *  open until the worker replies, so without a reply the client would wait for ever. */
import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';

/** What `cluster` sends with a connection: the worker replies with the number, and whether it has
 *  accepted. Undocumented; the test of a killed worker fails if a version of Node differs. */
interface HandedOver {
  readonly seq: number;
  /** Names the address that was listened on. */
  readonly key: string;
}
interface Handle {
  close(): void;
}

const isHandedOver = (message: unknown): message is HandedOver =>
  typeof message === 'object' &&
  message !== null &&
  typeof (message as Partial<HandedOver>).seq === 'number' &&
  typeof (message as Partial<HandedOver>).key === 'string';

/** Returns a function that the primary process calls once with each worker, right after
 *  `cluster.fork`. When the worker ends, its unaccepted connection goes to another worker, or is
 *  closed if none listens. */
export function takeBackConnections(): (worker: Worker) => void {
  const listening = new Set<Worker>();
  return (worker) => {
    // `cluster` hands a worker one connection at a time for each address.
    const latest = new Map<string, { readonly seq: number; readonly connection: Handle }>();
    const child = worker.process;
    const send = child.send.bind(child) as (message: unknown, handle: unknown, ...more: readonly unknown[]) => boolean;
    child.send = ((message: unknown, handle: unknown, ...more: readonly unknown[]) => {
      if (handle !== undefined && handle !== null && isHandedOver(message))
        latest.set(message.key, { seq: message.seq, connection: handle as Handle });
      return send(message, handle, ...more);
    }) as ChildProcess['send'];
    worker.on('listening', () => listening.add(worker));
    // Then the worker has ended, and all of its messages have been read. (`disconnect` is not
    // emitted while a connection is being sent.)
    child.once('close', () => {
      listening.delete(worker);
      for (const { seq, connection } of latest.values()) {
        // A refusal, as by the worker, so `cluster` hands the connection to another worker. It has
        // no effect if the worker had already replied. Where all have ended, `cluster` would keep
        // the connection for a worker that never comes.
        if ([...listening].some((other) => other.isConnected() && !other.isDead()))
          child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false }, undefined);
        else connection.close();
      }
    });
  };
}
