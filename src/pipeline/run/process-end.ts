/** The other end of a `ProcessChannel`, in the process that was started. It blocks: there is nothing else to do, and asking the event loop costs as
 *  much as a small statement. */
import { readSync, writevSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { channelDescriptor } from './process-channel.ts';

const lengths = 8;
const noBytes = new Uint8Array(0);

// A Ctrl-C reaches every process of the terminal; the server ends this one when it no longer needs it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

/** Waits for the next message. The process ends with the one that started it. */
export function receive(): unknown {
  const head = read(Buffer.allocUnsafe(lengths));
  const frame = read(Buffer.allocUnsafe(head.readUInt32LE(0) + head.readUInt32LE(4)));
  return deserialize(frame.subarray(0, head.readUInt32LE(0)));
}

/** Returns when the system has taken the whole frame. */
export function send(message: unknown, bytes: Uint8Array = noBytes): void {
  const text = serialize(message);
  const head = Buffer.allocUnsafe(lengths);
  head.writeUInt32LE(text.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  let pieces: Uint8Array[] = [head, text, bytes];
  while (pieces.length > 0)
    pieces = after(
      pieces,
      attempt(() => writevSync(channelDescriptor, pieces)),
    );
}

function read(buffer: Buffer): Buffer {
  let filled = 0;
  while (filled < buffer.length) {
    const count = attempt(() => readSync(channelDescriptor, buffer, filled, buffer.length - filled, null));
    if (count === 0) process.exit();
    filled += count;
  }
  return buffer;
}

/** The server has ended, so no message can reach it. */
function attempt(work: () => number): number {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET')) process.exit();
    throw error;
  }
}

function after(pieces: readonly Uint8Array[], written: number): Uint8Array[] {
  let left = written;
  return pieces.flatMap((piece) => {
    const skipped = Math.min(left, piece.length);
    left -= skipped;
    return skipped === piece.length ? [] : [piece.subarray(skipped)];
  });
}
