/** `Expect: 100-continue`: the client waits before it sends its body (RFC 9110, section 10.1.1).
 *  Node would answer every client at once. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isMultipart } from './unread-body.ts';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Delays `100 Continue` for uploads until the caller's right is checked, so that a refused client
 *  sends no files. Other bodies are read before the caller is identified (`readBodies`). */
export function delayContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (isMultipart(request)) waiting.set(request, response);
    else response.writeContinue();
    server.emit('request', request, response);
  });
}

/** Asks a waiting client for its body. Without this, the response closes the connection. */
export const askForBody = (request: IncomingMessage): void => waiting.get(request)?.writeContinue();
