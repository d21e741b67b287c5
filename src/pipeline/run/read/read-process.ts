/** The program of a process that reads an embedded database. A long statement delays this process only, and the server can end the statement by
 *  killing the process. */
import { nameSourcesInStacks } from '../../../errors/source-positions.ts';
import { ProcessChannelChild } from '../processes/process-channel-child.ts';
import type { ReadMessage, ReadReply, ReadSetup } from './read-protocol.ts';
import { createReadServer } from './read-server.ts';

nameSourcesInStacks(import.meta.url);
const server = new ProcessChannelChild();
// No row cache: frequent quick reads soon run in threads, which have one.
const serve = createReadServer(server.receive() as ReadSetup, 0);
server.send({ kind: 'ready' } satisfies ReadReply);
for (;;) await serve(server.receive() as ReadMessage, ({ reply, body }) => server.post(reply, body));
