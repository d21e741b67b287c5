/** The other end of a `ProcessChannel`, in the process that was started. Reading blocks: the process has nothing else to do, and a round of the
 *  event loop costs as much as a small statement. One system call reads everything that has arrived, and small replies are sent together. */
import { readSync, writevSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { channelDescriptor } from './process-channel.ts';

const lengths = 8;
const inputSize = 64 * 1024;
/** The size of the buffer of replies that wait to be sent. Bytes. */
const outputSize = 128 * 1024;
/** A reply waits at most this long, so that several can be sent together. Milliseconds. */
const delay = 1;

/** Bytes, or text that is sent as UTF-8. */
type Body = string | Uint8Array;

// Ctrl-C sends a signal to every process of the terminal. This process ignores it: the server ends this process when it is no longer needed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

export class ProcessChannelChild {
  #input: Buffer = Buffer.allocUnsafeSlow(inputSize);
  #start = 0;
  #end = 0;
  readonly #output = Buffer.allocUnsafeSlow(outputSize);
  #filled = 0;
  /** When the first waiting reply was put into the output. */
  #since = 0;

  /** Returns the next message. If none has arrived, sends the waiting replies and blocks. Ends this process if the server has ended. */
  receive(): unknown {
    for (;;) {
      const available = this.#end - this.#start;
      const size = available < lengths ? lengths : frameLength(this.#input, this.#start);
      if (available >= size && size > lengths) {
        const from = this.#start + lengths;
        // The bytes are copied, since the deserialized values may refer to them.
        const message = Buffer.from(this.#input.subarray(from, from + this.#input.readUInt32LE(this.#start)));
        this.#start += size;
        return deserialize(message);
      }
      this.flush();
      this.#fill(size);
    }
  }

  /** Sends the waiting replies and this one at once. Returns when the operating system has accepted them. */
  send(message: unknown, body: Body = ''): void {
    this.post(message, body);
    this.flush();
  }

  /** Sends the reply soon: together with the next ones, or before the process waits for a message. */
  post(message: unknown, body: Body = ''): void {
    const text = serialize(message);
    const size = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const head = Buffer.allocUnsafe(lengths);
    head.writeUInt32LE(text.length, 0);
    head.writeUInt32LE(size, 4);
    if (this.#filled + lengths + text.length + size > outputSize) this.flush();
    if (lengths + text.length + size > outputSize) {
      write([head, text, typeof body === 'string' ? Buffer.from(body) : body]);
      return;
    }
    if (this.#filled === 0) this.#since = performance.now();
    this.#put(head);
    this.#put(text);
    if (typeof body === 'string') this.#filled += this.#output.write(body, this.#filled);
    else this.#put(body);
    if (performance.now() - this.#since > delay) this.flush();
  }

  #put(bytes: Uint8Array): void {
    this.#output.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  flush(): void {
    if (this.#filled === 0) return;
    write([this.#output.subarray(0, this.#filled)]);
    this.#filled = 0;
  }

  /** Makes room for a frame of `size` bytes and waits until more bytes have arrived. A frame longer than the usual buffer gets its own. */
  #fill(size: number): void {
    const length = Math.max(size, inputSize);
    if (this.#start > 0 || this.#input.length !== length) {
      const rest = this.#input.subarray(this.#start, this.#end);
      if (this.#input.length !== length) this.#input = Buffer.allocUnsafeSlow(length);
      rest.copy(this.#input);
      this.#start = 0;
      this.#end = rest.length;
    }
    const count = attempt(() => readSync(channelDescriptor, this.#input, this.#end, this.#input.length - this.#end, null));
    if (count === 0) process.exit();
    this.#end += count;
  }
}

const frameLength = (buffer: Buffer, at: number): number => lengths + buffer.readUInt32LE(at) + buffer.readUInt32LE(at + 4);

function write(all: readonly Uint8Array[]): void {
  let pieces = all;
  while (pieces.length > 0)
    pieces = after(
      pieces,
      attempt(() => writevSync(channelDescriptor, pieces)),
    );
}

/** Ends this process if the server has closed its end of the channel, since no reply can reach it any more. */
function attempt(work: () => number): number {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET')) process.exit();
    throw error;
  }
}

function after(pieces: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let left = written;
  return pieces.flatMap((piece) => {
    const skipped = Math.min(left, piece.length);
    left -= skipped;
    return skipped === piece.length ? [] : [piece.subarray(skipped)];
  });
}
