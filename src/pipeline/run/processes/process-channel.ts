/** A process of this program's own that runs one module and can be killed, and the frames between the two: eight bytes with two lengths, a message
 *  as `v8.serialize` writes it, and bytes that are passed on unread. Messages to a thread would be cheaper, but neither it
 *  nor the process around it ends while the engine is inside a statement. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';

const lengths = 8;
/** The descriptor of the channel in the other process. */
export const channelDescriptor = 3;

export interface ChannelEvents<Message> {
  readonly message: (message: Message, bytes: Buffer) => void;
  /** Everything that the process sent has arrived by then. */
  readonly ended: () => void;
}

/** They end with this process, however it ends by itself. */
const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

export class ProcessChannel<Request, Message> {
  readonly #child: ChildProcess;
  readonly #socket: Duplex;
  readonly #frames: FrameReader;
  #ended = false;

  /** `module` gets `setup` as its first request. */
  constructor(module: URL, setup: unknown, events: ChannelEvents<Message>) {
    this.#frames = new FrameReader((message, bytes) => events.message(message as Message, bytes));
    // No signal of a terminal reaches it: whoever started it decides when it ends.
    this.#child = spawn(
      process.execPath,
      [...process.execArgv.filter((option) => !option.startsWith('--inspect')), fileURLToPath(module)],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
        env: environment(),
      },
    );
    alive.add(this.#child);
    this.#socket = this.#child.stdio[channelDescriptor] as Duplex;
    this.#socket.on('data', (chunk: Buffer) => this.#frames.push(chunk));
    // It has ended in the middle of a write, and `close` follows.
    this.#socket.on('error', () => undefined);
    const ended = () => {
      if (this.#ended) return;
      this.#ended = true;
      alive.delete(this.#child);
      events.ended();
    };
    this.#child.on('error', ended);
    this.#child.on('close', ended);
    this.#write(setup);
  }

  send(request: Request): void {
    this.#write(request);
  }

  #write(value: unknown): void {
    const message = serialize(value);
    const head = Buffer.allocUnsafe(lengths);
    head.writeUInt32LE(message.length, 0);
    head.writeUInt32LE(0, 4);
    this.#socket.write(message.length < 4096 ? Buffer.concat([head, message]) : head);
    if (message.length >= 4096) this.#socket.write(message);
  }

  /** Kills the process at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lowers the priority of the process for good: raising it again needs a right that servers do not have. */
  yieldProcessor(): void {
    try {
      if (this.#child.pid !== undefined) setPriority(this.#child.pid, constants.priority.PRIORITY_LOW);
    } catch {
      // It has ended.
    }
  }

  /** The event loop does not wait for its end. */
  unref(): void {
    this.#child.unref();
  }
}

/** The variables that Node itself and the time zone need, without secrets. */
function environment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TZ', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
}

/** Puts frames together. Bytes are copied once where a frame came in several pieces, and not at all where it came in one. */
class FrameReader {
  readonly #receive: (message: unknown, bytes: Buffer) => void;
  #pending: Buffer = Buffer.alloc(0);
  /** A frame whose length is known, and how much of it is there. */
  #frame: Buffer | undefined;
  #filled = 0;

  constructor(receive: (message: unknown, bytes: Buffer) => void) {
    this.#receive = receive;
  }

  push(piece: Buffer): void {
    let chunk = piece;
    while (chunk.length > 0) {
      if (this.#frame !== undefined) {
        const taken = chunk.copy(this.#frame, this.#filled);
        this.#filled += taken;
        chunk = chunk.subarray(taken);
        if (this.#filled < this.#frame.length) return;
        const frame = this.#frame;
        this.#frame = undefined;
        this.#deliver(frame);
        continue;
      }
      if (this.#pending.length > 0) {
        chunk = Buffer.concat([this.#pending, chunk]);
        this.#pending = Buffer.alloc(0);
      }
      if (chunk.length < lengths) {
        this.#pending = chunk;
        return;
      }
      const size = frameLength(chunk);
      if (chunk.length >= size) {
        this.#deliver(chunk.subarray(0, size));
        chunk = chunk.subarray(size);
      } else {
        this.#frame = Buffer.allocUnsafeSlow(size);
        this.#filled = chunk.copy(this.#frame);
        return;
      }
    }
  }

  #deliver(frame: Buffer): void {
    const end = lengths + frame.readUInt32LE(0);
    this.#receive(deserialize(frame.subarray(lengths, end)), frame.subarray(end));
  }
}

const frameLength = (head: Buffer): number => lengths + head.readUInt32LE(0) + head.readUInt32LE(4);
