/** Hashes a body's passwords before the transaction begins: each takes about fifty milliseconds,
 *  during which others would wait. */
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors/api-error.ts';
import { loadBcrypt } from '../identity/password.ts';
import { hashingQueue } from '../identity/password-queues.ts';
import { passwordRounds } from '../model/attributes/password-rounds.ts';
import { type ContentModel, schemaOf } from '../model/content-model.ts';
import { objectsOf } from './body/body-targets.ts';
import type { BodyData, BodyEntry } from './parse/body/types.ts';
import type { Caller } from './run/queue/caller.ts';

export interface HashParts {
  readonly model: ContentModel;
  readonly config: Config;
  /** The caller on whose behalf the work is done. */
  readonly caller: Caller;
  /** Whether nothing is stored, so that no hash is needed. */
  readonly dryRun?: boolean;
}

/** Returns hashes by plain text; none for a body with wrong values, which is refused anyway. */
export async function hashPasswords(
  data: BodyData | undefined,
  { model, config, caller, dryRun = false }: HashParts,
): Promise<ReadonlyMap<string, string>> {
  const limit = config.limits.passwords;
  const hashes = new Map<string, string>();
  if (data?.kind !== 'entry') return hashes;
  const plain = new Map(passwordsOf(data.entry, model));
  if (plain.size > limit) throw ApiError.of('limit.passwords', { limit });
  if (hasProblems(data.entry)) return hashes;
  if (dryRun) return new Map([...plain.keys()].map((password) => [password, '']));
  for (const [password, cost] of plain) {
    const hash = await hashingQueue.run(caller.key, async () => (caller.hasLeft() ? undefined : (await loadBcrypt()).hash(password, cost)));
    if (hash === undefined) throw ApiError.of('request.left');
    hashes.set(password, hash);
  }
  return hashes;
}

/** Whether the body has values that do not match their attributes, as far as this is known now. */
export const hasProblems = (body: BodyEntry): boolean =>
  [...objectsOf(body)].some(
    ({ scalars, components }) =>
      [...scalars.values()].some(({ ok }) => ok === false || ok === 'unread') ||
      [...components.values()].some(({ items }) => items.some(({ kind }) => kind !== 'entry')),
  );

function* passwordsOf(body: BodyEntry, model: ContentModel): Generator<[password: string, rounds: number]> {
  for (const { uid, scalars } of objectsOf(body)) {
    for (const [name, value] of scalars) {
      const attribute = schemaOf(model, uid)?.attributes.get(name);
      if (attribute?.kind !== 'scalar' || attribute.type !== 'password' || value.ok !== true) continue;
      if (typeof value.value === 'string') yield [value.value, passwordRounds(attribute.options)];
    }
  }
}
