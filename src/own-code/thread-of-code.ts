/** A thread that runs code of the project, as the server sees it: calls with a time limit, and a
 *  new thread after one that loops for ever or has no memory left. */
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { textOf } from './failure.ts';
import type { Ask, AskError, CodeSetup, Failure, FromThread, LogLevel, Manifest, ToThread, Work } from './protocol.ts';

export interface CallOptions {
  /** Milliseconds. */
  readonly timeLimit: number;
  /** Answers what the code asks: a JSON text, or null. Rejects with an `AskError`. */
  readonly answer: (ask: Ask) => Promise<string | null>;
  /** Aborted when the client has left. */
  readonly signal?: AbortSignal;
}

export interface CallResult {
  /** JSON, as the kind of work has it. */
  readonly text: string;
  /** The body of a response that is sent in parts. */
  readonly body: Readable;
}

export type ThreadLog = (
  level: LogLevel,
  entry: { readonly file: string; readonly message: string; readonly details: string | undefined },
) => void;

/** Why a call has no result. */
export class CodeFailure extends Error {
  readonly failure: Failure | { readonly kind: 'time' } | { readonly kind: 'ended'; readonly why: string };

  constructor(failure: CodeFailure['failure'], message: string) {
    super(message);
    this.failure = failure;
  }
}

interface Call {
  readonly work: Work;
  readonly options: CallOptions;
  /** Whether the thread has begun it: what was not begun is begun again by the next thread. */
  isBegun: boolean;
  readonly body: Readable;
  timer: NodeJS.Timeout;
  resolve(result: CallResult): void;
  reject(error: Error): void;
  /** Takes the listener from the signal, which may outlive many calls. */
  forgetSignal(): void;
}

/** How often the thread is asked whether it responds, while it has calls. Milliseconds. */
const lookEvery = 100;
/** Milliseconds until the files have to be loaded. */
const loadTime = 30_000;
/** Megabytes that the objects of code may take. */
const mostMemory = 256;
const clientLeft = 'the client has left';

export interface ThreadOptions {
  readonly setup: CodeSetup;
  /** `process.env` of the code. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A thread that does not respond for so long is ended. Milliseconds. */
  readonly blockedAfter: number;
}

export class ThreadOfCode {
  readonly #setup: CodeSetup;
  readonly #env: ThreadOptions['env'];
  readonly #log: ThreadLog;
  readonly #calls = new Map<number, Call>();
  /** Bodies of responses that are on their way. */
  readonly #bodies = new Map<number, Readable>();
  #worker: Worker | undefined;
  #loaded: Promise<Loaded> | undefined;
  #last = 0;
  /** Whether the thread has loaded the files. Until then it responds to nothing. */
  #isReady = false;
  #watch: NodeJS.Timeout | undefined;
  #pinged: number | undefined;
  /** Why the thread ends. */
  #why = '';
  #isClosed = false;

  readonly #blockedAfter: number;

  constructor({ setup, env, blockedAfter }: ThreadOptions, log: ThreadLog) {
    this.#setup = setup;
    this.#env = env;
    this.#blockedAfter = blockedAfter;
    this.#log = log;
  }

  /** What the files define, and the problems of those that cannot be loaded. */
  load(): Promise<Loaded> {
    this.#loaded ??= this.#start();
    return this.#loaded;
  }

  /** Rejects with a `CodeFailure`. */
  async call(work: Work, options: CallOptions): Promise<CallResult> {
    // A call that comes after `close` must not start another thread.
    if (!this.#isClosed) await this.load();
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const worker = this.#worker;
      if (worker === undefined || this.#isClosed || signal?.aborted) {
        const why = signal?.aborted ? clientLeft : 'the thread has ended';
        reject(new CodeFailure({ kind: 'ended', why }, why));
        return;
      }
      this.#last++;
      const id = this.#last;
      const body = new Readable({ read: () => this.#post({ kind: 'more', id }), destroy: (error, done) => this.#left(id, error, done) });
      // An error in a body that nobody reads must not end the process.
      body.on('error', () => undefined);
      const timer = setTimeout(() => this.#late(id), options.timeLimit);
      const abort = () => this.#abort(id, clientLeft);
      signal?.addEventListener('abort', abort, { once: true });
      const forgetSignal = () => signal?.removeEventListener('abort', abort);
      this.#calls.set(id, { work, options, isBegun: false, body, timer, resolve, reject, forgetSignal });
      this.#bodies.set(id, body);
      this.#startWatch();
      worker.postMessage({ kind: 'call', id, work } satisfies ToThread);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    await this.#worker?.terminate();
  }

  #post(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  #start(): Promise<Loaded> {
    const worker = new Worker(new URL('./code-thread.js', import.meta.url), {
      workerData: this.#setup,
      env: this.#env,
      resourceLimits: { maxOldGenerationSizeMb: mostMemory },
      stdout: true,
    });
    // Standard output belongs to what a command prints, such as a document.
    worker.stdout.on('data', (bytes: Buffer) => process.stderr.write(bytes));
    worker.unref();
    this.#worker = worker;
    this.#isReady = false;
    this.#pinged = undefined;
    this.#why = 'the thread ended itself';
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new CodeFailure({ kind: 'time' }, `the files of lectern/ were not loaded within ${loadTime / 1000} seconds`));
        void worker.terminate();
      }, loadTime);
      worker.on('error', (error) => {
        this.#why = error.message;
      });
      worker.on('message', (message: FromThread) => {
        if (message.kind === 'ready') {
          clearTimeout(late);
          this.#isReady = true;
          resolve(message);
        } else this.#receive(message, worker);
      });
      worker.on('exit', () => {
        clearTimeout(late);
        const why = this.#why;
        reject(new CodeFailure({ kind: 'ended', why }, why));
        this.#ended(worker, why);
      });
    });
  }

  /** The next call starts another thread. */
  #ended(worker: Worker, why: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#isReady = false;
    this.#loaded = undefined;
    const unbegun = [...this.#calls].filter(([, { isBegun }]) => !isBegun && !this.#isClosed);
    for (const [id, call] of this.#calls) if (call.isBegun || this.#isClosed) this.#fail(id, { kind: 'ended', why }, why);
    const moved = new Set(unbegun.map(([id]) => id));
    for (const [id, body] of this.#bodies) {
      if (moved.has(id)) continue;
      this.#bodies.delete(id);
      body.destroy(new Error(why));
    }
    if (unbegun.length > 0) void this.#move(unbegun);
  }

  async #move(calls: readonly (readonly [number, Call])[]): Promise<void> {
    // They have their time when the next thread is there.
    for (const [, { timer }] of calls) clearTimeout(timer);
    try {
      await this.load();
      for (const [id, call] of calls) {
        if (!this.#calls.has(id)) continue;
        call.timer = setTimeout(() => this.#late(id), call.options.timeLimit);
        this.#post({ kind: 'call', id, work: call.work });
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      for (const [id] of calls) this.#fail(id, { kind: 'ended', why }, why);
    }
  }

  #fail(id: number, failure: CodeFailure['failure'], message: string): void {
    this.#settle(id)?.reject(new CodeFailure(failure, message));
  }

  #receive(message: Exclude<FromThread, { kind: 'ready' }>, worker: Worker): void {
    // Between two calls the thread was not blocked; the ping waits behind those that came before it.
    const isBetween = message.kind === 'begun' || message.kind === 'done' || message.kind === 'failed';
    if (isBetween && this.#pinged !== undefined) this.#pinged = performance.now();
    switch (message.kind) {
      case 'pong':
        this.#pinged = undefined;
        break;
      case 'begun': {
        const call = this.#calls.get(message.id);
        if (call === undefined) break;
        call.isBegun = true;
        // What came before it took its own time.
        call.timer.refresh();
        break;
      }
      case 'log':
        this.#log(message.level, message);
        break;
      case 'ask':
        void this.#answer(message, worker);
        break;
      case 'chunk':
        this.#bodies.get(message.id)?.push(message.bytes);
        break;
      case 'end':
        this.#endBody(message.id, message.stack);
        break;
      case 'done': {
        const call = this.#settle(message.id);
        call?.resolve({ text: message.result, body: call.body });
        if (!message.isStreamed) this.#bodies.delete(message.id);
        break;
      }
      case 'failed': {
        this.#bodies.delete(message.id);
        this.#settle(message.id)?.reject(new CodeFailure(message.failure, textOfFailure(message.failure)));
      }
    }
  }

  #endBody(id: number, stack: string | undefined): void {
    const body = this.#bodies.get(id);
    // Nobody waits for the rest of a body after the client has left.
    if (body === undefined) return;
    this.#bodies.delete(id);
    if (stack === undefined) body.push(null);
    else {
      this.#log('error', { file: '', message: 'the body of a response failed', details: stack });
      body.destroy(new Error('the body of the response failed'));
    }
  }

  /** Answers the thread that asks: the next one may ask with the same id for another caller. */
  async #answer({ id, call, ask }: Extract<FromThread, { kind: 'ask' }>, worker: Worker): Promise<void> {
    const asking = this.#calls.get(call);
    const post = (message: ToThread) => worker.postMessage(message);
    try {
      if (asking === undefined) throw askError('call.ended', 'the call has ended');
      post({ kind: 'answer', id, body: await asking.options.answer(ask) });
    } catch (error) {
      const isExpected = isAskError(error);
      // The code learns nothing of the cause, and may catch the error.
      if (!isExpected) this.#log('error', { file: asking?.work.file ?? '', message: `${ask.kind} failed`, details: textOf(error) });
      post({ kind: 'refused', id, error: isExpected ? error : askError('server.error', 'Internal Server Error') });
    }
  }

  #settle(id: number): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    clearTimeout(call?.timer);
    call?.forgetSignal();
    return call;
  }

  #late(id: number): void {
    // A result that has arrived meanwhile counts.
    setImmediate(() => this.#abort(id, 'the time is over', { kind: 'time' }));
  }

  #abort(id: number, reason: string, failure: CodeFailure['failure'] = { kind: 'ended', why: reason }): void {
    const call = this.#settle(id);
    if (call === undefined) return;
    this.#bodies.delete(id);
    this.#post({ kind: 'abort', id, reason });
    call.reject(new CodeFailure(failure, reason));
    // The code may be blocked.
    this.#ping();
    this.#startWatch();
  }

  #left(id: number, error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#bodies.delete(id)) this.#post({ kind: 'abort', id, reason: clientLeft });
    done(error);
  }

  #startWatch(): void {
    this.#watch ??= setInterval(() => setImmediate(() => this.#look()), lookEvery).unref();
  }

  #ping(): void {
    if (this.#pinged !== undefined || !this.#isReady) return;
    this.#pinged = performance.now();
    this.#post({ kind: 'ping' });
  }

  /** Ends a thread that does not respond: a loop that never ends would stop all calls. */
  #look(): void {
    if (this.#pinged === undefined) {
      if (this.#calls.size > 0) this.#ping();
      else {
        clearInterval(this.#watch);
        this.#watch = undefined;
      }
    } else if (performance.now() - this.#pinged > this.#blockedAfter) {
      const begun = [...this.#calls.values()].filter(({ isBegun }) => isBegun);
      const file = [...new Set(begun.map(({ work }) => work.file))].join(', ');
      this.#pinged = undefined;
      this.#why = 'the code blocked its thread';
      this.#log('error', { file, message: 'the code blocked its thread, which was ended', details: undefined });
      void this.#worker?.terminate();
    }
  }
}

export interface Loaded {
  readonly manifest: Manifest;
  readonly problems: readonly string[];
}

export const askError = (code: string, message: string, status = 500): AskError => ({ status, code, message, details: {} });

const isAskError = (error: unknown): error is AskError =>
  typeof error === 'object' && error !== null && !(error instanceof Error) && 'status' in error && 'code' in error;

const textOfFailure = (failure: Failure): string => (failure.kind === 'thrown' ? failure.stack : failure.kind);
