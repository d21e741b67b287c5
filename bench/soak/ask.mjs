/** Requests over a limited number of connections. */
import http from 'node:http';

/** The longest time that a response may take, unless the caller says otherwise. Milliseconds. */
const defaultPatience = 60_000;

let agent = new http.Agent({ keepAlive: true });

/** Closes all connections, also in the middle of requests; later requests open new ones. */
export function hangUp() {
  const cut = agent;
  agent = new http.Agent({ keepAlive: true });
  cut.destroy();
}

/** @returns {Promise<{status: number, raw: Buffer, headers: object, milliseconds: number}>} status 0 if there was no response; then `raw` has the reason */
export function ask(base, { method = 'GET', path, headers = {}, body, patience = defaultPatience }) {
  const sent = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const type = sent === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': sent.length };
  const { hostname, port } = new URL(base);
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status, raw, received = {}) => resolve({ status, raw, headers: received, milliseconds: performance.now() - began });
    const failed = (error) => end(0, Buffer.from(error.code ?? error.message));
    const request = http.request({ agent, hostname, port, method, path, headers: { ...type, ...headers } }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => end(response.statusCode, Buffer.concat(chunks), response.headers));
    });
    request.setTimeout(patience, () => request.destroy(new Error('no response')));
    request.on('error', failed);
    request.end(sent);
  });
}

/** The body of a response that must have this status. */
export function jsonOf({ status, raw }, expected) {
  if (status !== expected) throw new Error(`status ${status}: ${raw.toString().slice(0, 500)}`);
  return JSON.parse(raw.toString());
}
