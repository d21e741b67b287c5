/** The program of a thread that reads an embedded database, for reads that were quick a moment ago. */
import { parentPort, workerData } from 'node:worker_threads';
import { nameSourcesInStacks } from '../../../errors/source-positions.ts';
import type { ReadSetup, ThreadMessage, ThreadReply } from './read-protocol.ts';
import { createReadServer } from './read-server.ts';

nameSourcesInStacks(import.meta.url);
const port = parentPort;
if (port === null) throw new Error('this module is the program of a thread');
const setup = workerData as ReadSetup;
const serve = createReadServer(setup, setup.rowBytes);

port.on('message', ({ job, message }: ThreadMessage) =>
  serve(message, ({ reply, body }) => {
    // Transferred, not copied.
    port.postMessage({ job, reply, body } satisfies ThreadReply, body === undefined ? [] : [body.buffer]);
  }),
);
port.postMessage({ job: undefined, reply: { kind: 'ready' }, body: undefined } satisfies ThreadReply);
