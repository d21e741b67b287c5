/** `node load.mjs`, with its orders as JSON on standard input: `{ base, paths, from, seconds, connections, headers }`. Each connection requests the
 *  next path as soon as it has its response; the paths are used in turn, beginning with number `from`. Prints one JSON line.
 *
 *  It speaks just enough HTTP for the servers of the benchmark. Client and servers share the processors of one machine, so each microsecond that a
 *  complete client would spend on a response makes a fast server look slower than it is. */
import net from 'node:net';
import { json } from 'node:stream/consumers';

const { base, paths, from = 0, seconds, connections = 16, headers = {} } = await json(process.stdin);
const { hostname, port } = new URL(base);

/** A response that takes longer has failed. Milliseconds. */
const patience = 20_000;
const lines = Object.entries({ Host: `${hostname}:${port}`, Accept: 'application/json', ...headers }).map(
  ([name, value]) => `${name}: ${value}`,
);
const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);

const since = performance.now();
/** Milliseconds of each response that ended within the time. */
const times = [];
/** The time is over after some seconds; for a slow server, when each connection could have had one response. */
let overAt;
function isOver(now) {
  if (overAt === undefined && now >= since + 1000 * seconds && times.length + counts.failed >= connections) overAt = now;
  return overAt !== undefined;
}
const counts = { sent: 0, failed: 0 };
/** The first failure in words, so that a wrong URL shows its cause. */
let firstFailure;

function fail(reason) {
  counts.failed++;
  firstFailure ??= reason;
}

/** Resolves when the time is over and the last response has ended: none of them burdens the next round. */
function runConnection() {
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname);
    socket.setNoDelay(true);
    const response = responseReader();
    let began = 0;
    const timer = setInterval(() => {
      if (performance.now() - began < patience) return;
      fail('no response in time');
      // Otherwise `close` would count it again.
      began = 0;
      socket.destroy();
    }, 1000);
    const next = () => {
      began = performance.now();
      if (isOver(began)) {
        began = 0;
        socket.destroy();
      } else {
        socket.write(requests[(from + counts.sent++) % requests.length], 'latin1');
      }
    };
    socket.on('connect', next);
    socket.on('data', (chunk) => {
      const status = response.read(chunk);
      if (status === undefined) return;
      const now = performance.now();
      if (status !== 200) fail(`status ${status}`);
      else if (!isOver(now)) times.push(now - began);
      next();
    });
    socket.on('error', (error) => {
      if (began === 0) fail(error.message);
    });
    socket.on('close', () => {
      clearInterval(timer);
      if (began > 0) fail('the server closed a connection before its response ended');
      // A server that closes or refuses connections gets a new one, but not thousands of them a second.
      resolve(isOver(performance.now()) ? undefined : new Promise((go) => setTimeout(go, 50)).then(runConnection));
    });
  });
}

/** Finds the end of each response; there is only one at a time. */
function responseReader() {
  let head = Buffer.alloc(0);
  let body;
  const noBody = Buffer.alloc(0);
  return {
    /** @returns {number | undefined} the status code with the last chunk of a response */
    read(chunk) {
      if (body !== undefined) return take(chunk);
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return undefined;
      const fields = head.toString('latin1', 0, end + 2);
      const length = /\r\ncontent-length: *(\d+)/i.exec(fields)?.[1];
      const status = Number(fields.slice(9, 12));
      const rest = head.subarray(end + 4);
      head = noBody;
      body = { status, left: length === undefined ? undefined : Number(length), tail: '' };
      return take(rest);
    },
  };

  function take(chunk) {
    if (body.left === undefined) {
      // A chunked body ends with an empty chunk. JSON escapes line breaks, so its own text cannot look like that.
      body.tail = (body.tail + chunk.toString('latin1', Math.max(0, chunk.length - 7))).slice(-7);
      if (body.tail !== '\r\n0\r\n\r\n') return undefined;
    } else {
      body.left -= chunk.length;
      if (body.left > 0) return undefined;
    }
    const { status } = body;
    body = undefined;
    return status;
  }
}

await Promise.all(Array.from({ length: connections }, runConnection));
times.sort((a, b) => a - b);
const percentile = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
process.stdout.write(
  JSON.stringify({
    responses: times.length,
    perSecond: (1000 * times.length) / (overAt - since),
    p50: percentile(0.5),
    p99: percentile(0.99),
    ...counts,
    ...(firstFailure === undefined ? {} : { firstFailure }),
  }),
);
