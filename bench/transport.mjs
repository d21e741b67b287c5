/** `node bench/transport.mjs`: measures the cost of passing a read to another thread, to a process over a socket of its own (as the server does), and
 *  to a process over Node's IPC. All alternate in one run; responses have the size of one document, of a list of 25, and of a list of 250. */
import { fork, spawn } from 'node:child_process';
import { readSync, writeSync, writevSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const file = fileURLToPath(import.meta.url);
const [role, size] = process.argv.slice(2);
const figures = { kind: 'done', statements: 2, execute: 0.1, render: 0.2, version: undefined, digest: undefined };
const request = { plan: 1, compiled: undefined, size: 10, key: 'abcdefghijklmnopqrstuvwx' };

function serveInThread() {
  const text = 'x'.repeat(workerData);
  parentPort.on('message', () => {
    const body = new TextEncoder().encode(text);
    parentPort.postMessage({ ...figures, body }, [body.buffer]);
  });
}

function serveOnSocket() {
  const text = 'x'.repeat(Number(size));
  const fill = (buffer) => {
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(3, buffer, filled, buffer.length - filled, null);
      if (count === 0) process.exit();
      filled += count;
    }
    return buffer;
  };
  for (;;) {
    deserialize(fill(Buffer.allocUnsafe(fill(Buffer.allocUnsafe(4)).readUInt32LE(0))));
    const message = serialize(figures);
    const body = new TextEncoder().encode(text);
    const head = Buffer.allocUnsafe(8);
    head.writeUInt32LE(message.length, 0);
    head.writeUInt32LE(body.length, 4);
    let written = writevSync(3, [head, message, body]);
    const all = written < head.length + message.length + body.length ? Buffer.concat([head, message, body]) : head;
    while (written < 8 + message.length + body.length) written += writeSync(3, all, written);
  }
}

const kinds = {
  thread(bytes) {
    const worker = new Worker(new URL(import.meta.url), { workerData: bytes });
    const waiting = [];
    worker.on('message', (reply) => waiting.shift()(reply));
    return { waiting, send: () => worker.postMessage(request), stop: () => worker.terminate() };
  },
  socket(bytes) {
    const child = spawn(process.execPath, [file, 'socket', String(bytes)], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
    const socket = child.stdio[3];
    const waiting = [];
    let pieces = [];
    let length = 0;
    socket.on('data', (piece) => {
      pieces.push(piece);
      length += piece.length;
      for (;;) {
        if (length < 8) return;
        if (pieces[0].length < 8) pieces = [Buffer.concat(pieces)];
        const message = pieces[0].readUInt32LE(0);
        const end = 8 + message + pieces[0].readUInt32LE(4);
        if (length < end) return;
        const frame = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
        length -= end;
        pieces = length === 0 ? [] : [frame.subarray(end)];
        waiting.shift()({ ...deserialize(frame.subarray(8, 8 + message)), body: frame.subarray(8 + message, end) });
      }
    });
    const send = () => {
      const message = serialize(request);
      const head = Buffer.allocUnsafe(4);
      head.writeUInt32LE(message.length, 0);
      socket.write(Buffer.concat([head, message]));
    };
    return { waiting, send, stop: () => child.kill('SIGKILL') };
  },
  ipc(bytes) {
    const child = fork(file, ['ipc', String(bytes)], { serialization: 'advanced' });
    const waiting = [];
    child.on('message', (reply) => waiting.shift()(reply));
    return { waiting, send: () => child.send(request), stop: () => child.kill('SIGKILL') };
  },
};

async function compare() {
  const count = 10_000;
  console.log('bytes   | by     | at once | µs a response | µs of the processor of this process');
  for (const bytes of [600, 15_000, 150_000]) {
    for (const atOnce of [1, 16]) {
      for (const [kind, open] of [...Object.entries(kinds), ...Object.entries(kinds)]) {
        const other = open(bytes);
        const ask = () =>
          new Promise((resolve) => {
            other.waiting.push(resolve);
            other.send();
          });
        await ask();
        const used = process.cpuUsage();
        const started = performance.now();
        let left = count;
        await Promise.all(
          Array.from({ length: atOnce }, async () => {
            while (left-- > 0) await ask();
          }),
        );
        const each = ((performance.now() - started) * 1000) / count;
        const { user, system } = process.cpuUsage(used);
        console.log(
          `${String(bytes).padEnd(7)} | ${kind.padEnd(6)} | ${String(atOnce).padEnd(7)} | ${each.toFixed(1).padStart(12)} | ${((user + system) / count).toFixed(1)}`,
        );
        await other.stop();
      }
    }
  }
}

if (!isMainThread) serveInThread();
else if (role === 'ipc') process.on('message', () => process.send({ ...figures, body: Buffer.alloc(Number(size), 'x') }));
else if (role === 'socket') serveOnSocket();
else await compare();
