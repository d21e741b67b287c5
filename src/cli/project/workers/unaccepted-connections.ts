/** Connections that were given to a worker which ended before it accepted them. Node's `cluster` waits for the worker's reply and keeps the connection
 *  open meanwhile, so without a reply the client would wait for ever. */
import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';

/** What `cluster` sends with a connection: the worker replies with the number, and whether it has accepted. Not documented; the test of a killed worker
 *  fails on a version of Node that sends something else. */
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

/** Returns a function for the primary process to call once with each worker, right after `cluster.fork`. When that worker ends, its unaccepted connection is
 *  handed to another worker, or closed if none listens. */
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
    // Then the worker has ended, and all of its messages have been read. (`disconnect` is not emitted while a connection is on its way.)
    child.once('close', () => {
      listening.delete(worker);
      for (const { seq, connection } of latest.values()) {
        // The reply of a worker that refuses the connection, so `cluster` hands it to another worker. If the worker had already replied, this has no effect.
        if (listening.size > 0) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false }, undefined);
        else connection.close();
      }
    });
  };
}
