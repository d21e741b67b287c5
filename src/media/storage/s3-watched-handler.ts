/** Sends the requests of the SDK, and ends them all when the bucket has fallen silent: by itself,
 *  the SDK would wait for minutes. */
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';
import { ServerWatch } from '../../dialects/server-watch.ts';

/** After the bucket has fallen silent, requests fail at once for this long. Milliseconds. */
const retryAfter = 1000;

type Request = Parameters<NodeHttpHandler['handle']>[0];
type Options = Parameters<NodeHttpHandler['handle']>[1];

export class WatchedHandler extends NodeHttpHandler {
  /** When each request was sent that has no response yet. */
  readonly #running = new Map<AbortController, number>();
  readonly #watch: ServerWatch;
  #retryAt = 0;

  /** `responds` asks the bucket through another handler, and waits for some seconds at most. */
  constructor(options: NodeHttpHandlerOptions, responds: () => Promise<boolean>) {
    super(options);
    this.#watch = new ServerWatch({
      look: (now) => Math.min(now, ...this.#running.values()),
      responds,
      fallSilent: () => this.#fallSilent(),
    });
  }

  override async handle(request: Request, { abortSignal, ...options }: Options = {}): ReturnType<NodeHttpHandler['handle']> {
    const ending = new AbortController();
    if (performance.now() < this.#retryAt) ending.abort(silent);
    // The SDK has signals of its own type: those of Node.js are among them.
    const given = abortSignal instanceof AbortSignal ? [abortSignal] : [];
    this.#running.set(ending, performance.now());
    try {
      const response = await super.handle(request, { ...options, abortSignal: AbortSignal.any([ending.signal, ...given]) });
      this.#watch.noteResponse();
      return response;
    } finally {
      this.#running.delete(ending);
    }
  }

  override destroy(): void {
    this.#watch.stop();
    super.destroy();
  }

  #fallSilent(): void {
    this.#retryAt = performance.now() + retryAfter;
    for (const ending of this.#running.keys()) ending.abort(silent);
  }
}

const silent = 'not even to a check';
