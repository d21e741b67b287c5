/** Starts a child process that runs one module and can be killed, and exchanges frames with it. A
 *  frame has eight bytes with two lengths, a message as `v8.serialize` writes it, and bytes that
 *  are passed on unread. Messages to a thread would be cheaper, but a thread inside a statement of
 *  the database cannot be ended, and its process cannot exit. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { type ChildKind, noteChild } from '../../../observe/figures.ts';
import { smallHeapOptions } from './small-heaps.ts';

const lengths = 8;
/** The file descriptor of the channel in the child process. */
export const channelDescriptor = 3;

export interface ChannelEvents<Message> {
  readonly message: (message: Message, bytes: Buffer) => void;
  /** Called when the process has ended, after every message that it sent. */
  readonly ended: () => void;
}

/** Child processes that are running. They are killed when this process exits. */
const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

export class ProcessChannel<Request, Message> {
  readonly #child: ChildProcess;
  readonly #socket: Duplex;
  readonly #frames: FrameReader;
  #ended = false;

  /** Starts `module` in a process and sends it `setup` as the first message. */
  constructor(kind: ChildKind, module: URL, setup: unknown, events: ChannelEvents<Message>) {
    this.#frames = new FrameReader((message, bytes) => events.message(message as Message, bytes));
    // The child ignores the signals of a terminal (see `process-channel-child.ts`): the creator of
    // the channel decides when it ends.
    this.#child = spawn(process.execPath, [...smallHeapOptions, ...ownOptions(process.execArgv), fileURLToPath(module)], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
      env: environment(),
    });
    alive.add(this.#child);
    noteChild(kind, this.#child);
    this.#socket = this.#child.stdio[channelDescriptor] as Duplex;
    this.#socket.on('data', (chunk: Buffer) => this.#frames.push(chunk));
    // The process ended during a write; the event `close` follows.
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

  /** Lets this process exit without waiting for the child to end. */
  unref(): void {
    this.#child.unref();
  }
}

/** Returns the environment variables that Node.js and the time zone need, without secrets. */
function environment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TZ', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
  const environment = Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const { NODE_OPTIONS: options } = environment;
  return options === undefined ? environment : { ...environment, NODE_OPTIONS: options.replaceAll(preload, ' ') };
}

/** What is loaded into a server, such as an SDK of OpenTelemetry, has nothing to do in a process
 *  that runs statements, and takes its memory. */
const preload = /(?:^|\s)(?:--import|--require|-r)(?:=|\s+)(?:"(?:\\.|[^"])*"|\S+)/g;

function ownOptions(options: readonly string[]): readonly string[] {
  const own = options.filter((option) => !option.startsWith('--inspect'));
  return own.filter((option, index) => !isPreload(option) && !(isPreload(own[index - 1] ?? '') && !own[index - 1]?.includes('=')));
}

const isPreload = (option: string) => /^(?:--import|--require|-r)(?:=|$)/.test(option);

/** Puts frames together. A frame that arrives in one piece is not copied; one in
 *  several pieces is copied once. */
class FrameReader {
  readonly #receive: (message: unknown, bytes: Buffer) => void;
  #pending: Buffer = Buffer.alloc(0);
  /** A frame that has arrived in part; `#filled` is the number of bytes that are there. */
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
