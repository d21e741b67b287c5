/** One write, one page: the stages in order. Their names are those of `Server-Timing`. */
import { LRUCache } from 'lru-cache';
import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/dialect.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Locales } from '../locales/locales.ts';
import type { ContentModel } from '../model/content-model.ts';
import { newDocumentId } from '../storage/document-id.ts';
import { authoriseWrite } from './authorise/authorise-write.ts';
import type { PermittedWrite } from './authorise/types.ts';
import type { AnswerWrite, WriteAction, WriteCall, WriteOutcome } from './call.ts';
import { compileRead } from './compile/compile-read.ts';
import { hashPasswords } from './hash-passwords.ts';
import { idempotentRequest } from './kept-answers.ts';
import { parseWrite } from './parse/parse-write.ts';
import { planRead } from './plan/plan-read.ts';
import { planWrite } from './plan/plan-write.ts';
import { sizeOf } from './plan-size.ts';
import { renderError } from './render/render-error.ts';
import type { CachedPlan } from './run-read.ts';
import type { Writer } from './run-write.ts';
import { type Timings, timed } from './timed.ts';

export interface AnswerWriteParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  readonly writer: Writer;
  readonly locales: { current(): Locales | Promise<Locales> };
}

const statusOf: Readonly<Record<WriteAction, number>> = {
  create: 201,
  update: 200,
  delete: 204,
  publish: 200,
  unpublish: 204,
  discardDraft: 200,
};
const withoutBody: ReadonlySet<WriteAction> = new Set<WriteAction>(['delete', 'unpublish']);

/** Plans that read answers, and the sum of their keys and statements in characters. */
const keptPlans = 500;
const keptCharacters = 4_000_000;

/** Makes the function that answers writes. Expected failures become their error bodies; anything else is thrown. */
export function createAnswerWrite(parts: AnswerWriteParts): AnswerWrite {
  const { config, model, database, writer } = parts;
  const plans = new LRUCache<string, CachedPlan>({ max: keptPlans, maxSize: keptCharacters });

  let made = 0;

  function answerPlan(call: WriteCall, { answer }: PermittedWrite, locales: Locales): CachedPlan {
    const { type, envelope, actor, query, action } = call;
    const key = [type.uid, action, answer.status, envelope, actor.rights.key, locales.key, query].join('\n');
    let plan = plans.get(key);
    if (plan === undefined) {
      const compiled = compileRead(planRead(answer, config.policies), {
        dialect: database.dialect,
        model,
        status: answer.status,
        constants: {},
      });
      made++;
      plan = { id: made, compiled, size: sizeOf(compiled) };
      plans.set(key, plan, { size: key.length + plan.size });
    }
    return plan;
  }

  return async (call: WriteCall): Promise<WriteOutcome> => {
    const timings: Timings = [];
    try {
      const located = parts.locales.current();
      const locales = located instanceof Promise ? await located : located;
      const request = timed(timings, 'parse', () => parseWrite(call, { model, config, locales }));
      const permitted = timed(timings, 'authorise', () => authoriseWrite(request, call.actor.rights, config.policies, model));
      const hashes = await hashPasswords(request.data, model);
      const plan = timed(timings, 'plan', () =>
        planWrite(permitted, { config, locales, hashes, newDocumentId: newDocumentId(), now: Date.now() }),
      );
      const read = withoutBody.has(call.action) ? undefined : timed(timings, 'compile', () => answerPlan(call, permitted, locales));
      const idempotent = call.idempotencyKey === undefined ? undefined : idempotentRequest(call.idempotencyKey, scopeOf(call), call.body);
      const result = await writer.write({ plan, read, status: statusOf[call.action], idempotent });
      timings.push(['execute', result.execute], ['render', result.render]);
      const { status, body, version, digest, statements, repeated } = result;
      return { status, body, timings, statements, version, digest, repeated };
    } catch (error) {
      if (error instanceof ApiError) return renderError(error, timings);
      throw error;
    }
  };
}

/** Who asks for what: a key means something to one caller on one path. */
function scopeOf({ actor, type, action, query }: WriteCall): string {
  const caller = actor.kind === 'token' ? `token ${actor.tokenId}` : actor.kind === 'user' ? `user ${actor.userId}` : 'public';
  return [caller, type.uid, action, query].join('\n');
}
