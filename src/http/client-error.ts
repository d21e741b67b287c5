import type { Socket } from 'node:net';

const answers: Readonly<Record<string, { status: number; reason: string; name: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    name: 'RequestHeaderFieldsTooLargeError',
    message: 'The request line and headers are too long',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    name: 'RequestTimeoutError',
    message: 'The request took too long to arrive',
  },
};
/** Milliseconds for the answer to be read in, before the connection is gone. */
const lingering = 2000;
const malformed = { status: 400, reason: 'Bad Request', name: 'BadRequestError', message: 'The request is not valid HTTP' };

/** What could not be read as a request never reaches a route; it still gets an answer of the usual shape. */
export function sendClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, reason, name, message } = answers[error.code ?? ''] ?? malformed;
  const body = JSON.stringify({ data: null, error: { status, name, message, details: {} } });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Node leaves its side open until the other one closes too, which nobody has to do.
  setTimeout(() => socket.destroy(), lingering).unref();
}
