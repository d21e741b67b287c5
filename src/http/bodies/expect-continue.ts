/** `Expect: 100-continue`: a sender that waits until it is asked for its body (RFC 9110, section 10.1.1). Node would ask everybody at once. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isMultipart } from './multipart-type.ts';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Who sends files waits until it is known that they may be sent, and learns of a refusal without having sent them. Other bodies are read before
 *  anybody asks who sends them (`readBodies`). */
export function delayContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (isMultipart(request)) waiting.set(request, response);
    else response.writeContinue();
    server.emit('request', request, response);
  });
}

/** Whoever waits begins to send. An answer without this ends the connection: what comes next could be the body or another request. */
export const askForBody = (request: IncomingMessage): void => waiting.get(request)?.writeContinue();
