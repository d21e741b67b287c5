/** Hands events to the `committed` functions of hooks, as messages of webhooks are sent: at least
 *  once, in order for each document, and again with growing pauses. */
import { performance } from 'node:perf_hooks';
import type { CodeRun } from './answer-code.ts';
import type { Receipt, Sender, WebhookMessage } from './events/webhooks/send-webhook.ts';
import { eventNames, type Webhook } from './events/webhooks/webhook.ts';
import { manager } from './identity/actor.ts';
import { fileUid, userUid } from './model/built-in-types.ts';
import { type OwnCode, timeLimits } from './own-code/own-code.ts';
import type { Ask } from './own-code/protocol.ts';
import type { CommittedEvent } from './own-code/types.ts';

const prefix = 'hook:';
/** How many times in a row hooks may lead to each other by their writes. */
const mostInARow = 5;

/** The hooks as receivers of events. */
export const hookReceivers = ({ manifest }: OwnCode): readonly Webhook[] =>
  manifest.hooks
    .filter(({ committed }) => committed.length > 0)
    .map(({ file, uid, committed, populate }) => ({
      ...{ key: `${prefix}${file}`, name: file, url: '', types: [uid], headers: {}, secrets: [], payload: 'entry', as: 'full-access' },
      events: committed.flatMap((event) => eventNames.get(nameOf(event, uid)) ?? []),
      query: populate.map((name) => `populate[${encodeURIComponent(name)}]=true`).join('&'),
    }));

const nameOf = (event: CommittedEvent, uid: string): string =>
  uid === fileUid ? `media.${event}` : uid === userUid ? `user.${event}` : event;

/** `entry.draft-discard` → `discard`. */
const eventOf = (name: string): CommittedEvent => (name.split('.').at(-1) ?? '').replace('draft-', '') as CommittedEvent;

/** Sends messages of webhooks by `others`, and events for hooks to their thread. */
export class HookSender implements Sender {
  readonly #code: OwnCode;
  readonly #others: Sender;
  readonly #answerFor: (run: CodeRun) => (ask: Ask) => Promise<string | null>;

  constructor(code: OwnCode, others: Sender, answerFor: (run: CodeRun) => (ask: Ask) => Promise<string | null>) {
    this.#code = code;
    this.#others = others;
    this.#answerFor = answerFor;
  }

  async send(webhook: Webhook, message: WebhookMessage, stopped: AbortSignal): Promise<Receipt> {
    if (!webhook.key.startsWith(prefix)) return this.#others.send(webhook, message, stopped);
    const started = performance.now();
    const receipt = (isDelivered: boolean, response: string): Receipt => ({
      ...{ isDelivered, response: response.slice(0, 1024), status: undefined, retryAfter: undefined },
      took: Math.round(performance.now() - started),
    });
    const { event, entry } = message;
    const { caller, createdAt, paths, ...others } = event;
    const depth = caller.kind === 'hook' ? Number(caller.id) : 0;
    if (depth >= mostInARow) return { ...receipt(false, `hooks have led to each other ${mostInARow} times in a row`), isFinal: true };
    const file = webhook.key.slice(prefix.length);
    const timeLimit = this.#code.manifest.hooks.find((each) => each.file === file)?.timeLimit ?? timeLimits.committed;
    try {
      await this.#code.committed.call(
        {
          ...{ kind: 'committed', file, event: eventOf(message.name) },
          detail: JSON.stringify({ ...others, changed: paths, caller, createdAt: new Date(createdAt).toISOString() }),
          document: entry === undefined ? undefined : JSON.stringify(entry),
        },
        {
          timeLimit,
          signal: stopped,
          answer: this.#answerFor({ actor: manager, caller: { key: 'hooks', hasLeft: () => false }, by: { kind: 'hook', id: depth + 1 } }),
        },
      );
      return receipt(true, '');
    } catch (error) {
      return receipt(false, error instanceof Error ? error.message : String(error));
    }
  }

  close(): void {
    this.#others.close();
  }
}
