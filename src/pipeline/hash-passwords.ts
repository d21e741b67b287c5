/** Hashes the passwords of a body before the transaction begins: each hash takes about fifty milliseconds, during which other writers would wait. */
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors/api-error.ts';
import { loadBcrypt } from '../identity/password.ts';
import { hashingQueue } from '../identity/password-queues.ts';
import { passwordRounds } from '../model/attributes/password-rounds.ts';
import type { ContentModel, Schema } from '../model/content-model.ts';
import type { BodyData, BodyEntry } from './parse/body/types.ts';
import type { Caller } from './run/queue/caller.ts';

export interface HashParts {
  readonly model: ContentModel;
  readonly config: Config;
  /** The caller on whose behalf the work is done. */
  readonly caller: Caller;
}

/** Returns the hashes by plain text. A body with wrong values is refused anyway, so its passwords are not hashed. */
export async function hashPasswords(
  data: BodyData | undefined,
  { model, config, caller }: HashParts,
): Promise<ReadonlyMap<string, string>> {
  const limit = config.limits.passwords;
  const hashes = new Map<string, string>();
  if (data?.kind !== 'entry') return hashes;
  const plain = new Map(passwordsOf(data.entry, model));
  if (plain.size > limit) throw ApiError.of('limit.passwords', { limit });
  if (hasProblems(data.entry)) return hashes;
  for (const [password, cost] of plain) {
    const hash = await hashingQueue.run(caller.key, async () => (caller.hasLeft() ? undefined : (await loadBcrypt()).hash(password, cost)));
    if (hash === undefined) throw ApiError.of('request.left');
    hashes.set(password, hash);
  }
  return hashes;
}

/** Whether the body has values that do not match their attributes, as far as this is known before the transaction. */
const hasProblems = ({ scalars, components }: BodyEntry): boolean =>
  [...scalars.values()].some(({ ok }) => ok === false || ok === 'unread') ||
  [...components.values()].some(({ items }) => items.some((item) => item.kind !== 'entry' || hasProblems(item.entry)));

function* passwordsOf(entry: BodyEntry, model: ContentModel): Generator<[password: string, rounds: number]> {
  const schema: Schema | undefined = model.contentTypes.get(entry.uid) ?? model.components.get(entry.uid);
  for (const [name, value] of entry.scalars) {
    const attribute = schema?.attributes.get(name);
    if (attribute?.kind !== 'scalar' || attribute.type !== 'password' || value.ok !== true) continue;
    if (typeof value.value === 'string') yield [value.value, passwordRounds(attribute.options)];
  }
  for (const { items } of entry.components.values()) {
    for (const item of items) if (item.kind === 'entry') yield* passwordsOf(item.entry, model);
  }
}
