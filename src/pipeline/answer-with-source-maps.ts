/** Adds source maps to responses whose caller asks for them. */
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ContentModel, ContentType } from '../model/content-model.ts';
import { digestOf } from '../text/digest.ts';
import { textOfBody } from '../text/text-of-body.ts';
import type { Caller, WriteOutcome } from './call.ts';
import { encodeSourceMaps } from './render/encode-source-maps.ts';
import { renderError } from './render/render-error.ts';
import type { FairConnections } from './run/queue/fair-connections.ts';

interface Mapped {
  readonly type: ContentType;
  readonly withSourceMaps?: boolean;
}

export interface SourceMapParts {
  readonly config: Config;
  readonly model: ContentModel;
  /** Encodes reads one by one, with callers in turn: one with many must not delay the others.
   *  Undefined for writes: they are already done, and neither wait nor are refused. */
  readonly queue: FairConnections | undefined;
}

/** Bytes of a response before and after encoding: texts grow by about 1,500 bytes each, and the
 *  work is done between other requests. */
const maxBytes = 4 * 1024 * 1024;

export function withSourceMaps<Call extends Mapped, Answer extends WriteOutcome>(
  answer: (call: Call, caller: Caller) => Promise<Answer>,
  { config, model, queue }: SourceMapParts,
): (call: Call, caller: Caller) => Promise<Answer> {
  const limit = Math.min(maxBytes, config.limits.responseBytes);

  async function mapped(outcome: Answer, type: ContentType): Promise<Answer> {
    if (outcome.body === null || outcome.status >= 300) return outcome;
    let left = limit;
    const spend = (bytes: number) => {
      left -= bytes;
      if (left < 0) throw ApiError.of('limit.source-maps', { limit });
    };
    try {
      spend(outcome.body.length);
      const parsed = JSON.parse(textOfBody(outcome.body));
      const body = JSON.stringify(await encodeSourceMaps(parsed, type, { model, spend }));
      return { ...outcome, body, digest: outcome.digest === undefined ? undefined : digestOf(body) };
    } catch (error) {
      // What is written is not reported as refused: its response stays as it is.
      if (error instanceof ApiError && queue === undefined) return outcome;
      if (error instanceof ApiError)
        return {
          ...outcome,
          ...renderError(error, config.policies, outcome.timings, outcome.statements),
          version: undefined,
          digest: undefined,
        };
      throw error;
    }
  }

  return async (call, caller) => {
    const outcome = await answer(call, caller);
    if (!call.withSourceMaps) return outcome;
    if (queue === undefined) return mapped(outcome, call.type);
    return queue.run(caller, { timedBy: call.type }, async () => {
      // Whatever else has arrived goes first.
      await setImmediate();
      return mapped(outcome, call.type);
    });
  };
}
