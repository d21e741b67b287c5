/** Runs the functions of a hooks file for one write: `before`, in the order of the actions, then
 *  `compute`. */
import { isDeepStrictEqual } from 'node:util';
import type { DefinedHooks } from './define.ts';
import type { AlsoMessage, BeforeOutcome, BeforeWork } from './protocol.ts';
import type { BeforeContext, BeforeResult, ComputeRule } from './types.ts';

type Data = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: the types of a project are not known here.
type Context = BeforeContext<any>;

export async function runBefore(
  hooks: DefinedHooks,
  work: BeforeWork,
  contextOf: (data: Data, asSystem?: true) => Context,
): Promise<BeforeOutcome> {
  // A change of it would be lost: functions return what changes.
  const sent = frozen(JSON.parse(work.context.data)) as Data;
  let data = sent;
  const computed = new Set<string>();
  const also: AlsoMessage[] = [];
  const add = (result: BeforeResult<string> | undefined, from: string): Data => {
    const { data: changed, also: more } = checked(result, from);
    data = Object.freeze({ ...data, ...frozen(changed) });
    also.push(...more);
    return changed;
  };
  for (const action of work.actions) {
    const run = hooks.before?.[action];
    if (run !== undefined) add((await run(contextOf(data) as never)) as BeforeResult<string> | undefined, `before.${action}`);
  }
  const writes = work.actions.includes('create') || work.actions.includes('update');
  for (const [name, rule] of writes ? Object.entries(hooks.compute ?? {}) : []) {
    // What is computed does not depend on who writes.
    const context = contextOf(data, true);
    if (!isDue(rule, name, data, context)) continue;
    const entry = { ...((context.document ?? {}) as Data), ...data };
    const from = `compute.${name}`;
    const result =
      typeof rule === 'function'
        ? { data: { [name]: (await rule(entry as never, context as never)) ?? null } }
        : await rule.values(entry, name, context);
    const first = also.length;
    for (const key of Object.keys(add(result, from))) computed.add(key);
    for (const [index, each] of also.entries()) if (index >= first) also[index] = { ...each, asSystem: true };
  }
  const changed = Object.fromEntries(
    Object.entries(data).filter(([key, value]) => !Object.hasOwn(sent, key) || !isDeepStrictEqual(value, sent[key])),
  );
  return { data: changed, computed: [...computed].filter((name) => Object.hasOwn(changed, name)), also };
}

/** A rule with `from` runs for a new document, and when an attribute that it reads is written. */
function isDue(rule: ComputeRule | ((...given: never[]) => unknown), name: string, data: Data, { document }: Context): boolean {
  if (typeof rule === 'function' || document === undefined) return true;
  return [...rule.from, ...(rule.own === true ? [name] : [])].some((each) => Object.hasOwn(data, each));
}

/** JSON that cannot be changed. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(Object.freeze(value))) frozen(each);
  return value;
}

const kinds = ['create', 'update', 'publish', 'unpublish', 'delete'] as const;

/** What a function has returned, as JSON. Throws for anything else. */
function checked(result: unknown, from: string): { readonly data: Data; readonly also: readonly AlsoMessage[] } {
  // `false` comes from `isWrong && fail(…)`.
  if (result === undefined || result === null || result === false) return { data: {}, also: [] };
  const value: unknown = typeof result === 'object' ? JSON.parse(JSON.stringify(result)) : result;
  const unknown = isObject(value) ? Object.keys(value).find((key) => key !== 'data' && key !== 'also') : '';
  if (!isObject(value) || unknown !== undefined)
    throw new TypeError(
      `${from} returned ${isObject(value) ? `the key ${JSON.stringify(unknown)}` : describe(value)}: it has to return nothing, or { data, also }`,
    );
  const { data = {}, also = [] } = value;
  if (!isObject(data)) throw new TypeError(`${from} returned data that is not an object`);
  if (!Array.isArray(also))
    throw new TypeError(`${from} returned also, which has to be a list: also: [update('api::author.author', id, {…})]`);
  for (const each of also)
    if (!isWrite(each))
      throw new TypeError(
        `${from} returned also with ${describe(each)}: create, update, publish, unpublish and remove of 'lectern' make its items`,
      );
  return { data, also };
}

const isWrite = (value: unknown): value is AlsoMessage =>
  isObject(value) &&
  kinds.some((kind) => kind === value.write) &&
  typeof value.uid === 'string' &&
  (value.data === undefined || isObject(value.data)) &&
  (value.write === 'create' || typeof value.documentId === 'string');

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);
const describe = (value: unknown) => (JSON.stringify(value) ?? String(value)).slice(0, 100);
