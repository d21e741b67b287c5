/** The server, as the thread sees it: what code asks of it, and streams of responses. */
import { DocumentError } from './define.ts';
import type { Ask, FromThread, ToThread } from './protocol.ts';

interface Asked {
  resolve(body: string | null): void;
  reject(error: Error): void;
}

export interface ChunkStream {
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
  /** Resolves when another chunk may be sent. */
  write(bytes: Uint8Array): Promise<void>;
  end(stack?: string): void;
}

export class ServerLink {
  readonly #post: (message: FromThread) => void;
  readonly #asked = new Map<number, Asked>();
  readonly #waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  #last = 0;

  constructor(post: (message: FromThread) => void) {
    this.#post = post;
  }

  ask(ask: Ask, call: number): Promise<string | null> {
    this.#last++;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#post({ kind: 'ask', id, call, ask });
    });
  }

  receive(message: Exclude<ToThread, { kind: 'ping' | 'call' | 'abort' }>): void {
    if (message.kind === 'more') {
      this.#waiting.get(message.id)?.resolve();
      this.#waiting.delete(message.id);
      return;
    }
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (message.kind === 'answer') asked?.resolve(message.body);
    else asked?.reject(new DocumentError(message.error));
  }

  stream(id: number, signal: AbortSignal): ChunkStream {
    return {
      signal,
      write: (bytes) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) {
            reject(new Error('the client has left'));
            return;
          }
          this.#waiting.set(id, { resolve, reject });
          this.#post({ kind: 'chunk', id, bytes });
        }),
      end: (stack) => this.#post({ kind: 'end', id, stack }),
    };
  }

  abortStream(id: number): void {
    this.#waiting.get(id)?.reject(new Error('the client has left'));
    this.#waiting.delete(id);
  }
}
