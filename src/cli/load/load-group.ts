/** Writes a group of lines: finds the documents that are there, and makes one batch of all lines. */
import { isDeepStrictEqual } from 'node:util';
import { manager } from '../../identity/actor.ts';
import type { Documents } from '../../open-documents.ts';
import type { Caller, WriteCall } from '../../pipeline/call.ts';
import { type JsonObject, objectAt, objectsAt, parsedObject } from '../../text/json.ts';
import { textOfBody } from '../../text/text-of-body.ts';
import type { Failure, LoadedLine, LoadedType, Problem } from './load-lines.ts';

export interface LoadedGroup {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failures: readonly Failure[];
}

export interface GroupOptions {
  readonly dryRun: boolean;
  /** Whether a line that fails keeps all lines of the group from being written. */
  readonly allOrNone: boolean;
}

const caller: Caller = { key: 'load', hasLeft: () => false, isCurrent: true };
/** At most this many entries are looked up for a group: some values are in several locales. */
const mostFound = 10_000;

type Documented = Pick<Documents, 'answerRead' | 'answerBatch'>;

export async function loadGroup(
  lines: readonly LoadedLine[],
  loaded: LoadedType,
  documents: Documented,
  options: GroupOptions,
): Promise<LoadedGroup> {
  const found = await findDocuments(lines, loaded, documents);
  const failures: Failure[] = [];
  let unchanged = 0;
  let writes: readonly Write[] = lines.flatMap((line): Write[] => {
    const write = writeOf(line, loaded, found, options.dryRun);
    if (write === 'unchanged') unchanged++;
    else if ('problems' in write) failures.push(write);
    else return [{ line, call: write }];
    return [];
  });
  for (;;) {
    if (options.allOrNone && failures.length > 0) return { created: 0, updated: 0, unchanged: 0, failures };
    if (writes.length === 0) return { created: 0, updated: 0, unchanged, failures };
    const outcome = await documents.answerBatch(
      {
        operations: writes.map(({ call }) => call),
        ...{ body: undefined, idempotencyKey: undefined, dryRun: options.dryRun, dataVersion: undefined, isWithoutReferences: true },
      },
      caller,
    );
    if (outcome.refused === undefined && outcome.status === 200) {
      const created = writes.filter(({ call }) => call.action === 'create').length;
      return { created, updated: writes.length - created, unchanged, failures };
    }
    const refused = new Map<number, Problem[]>();
    for (const { operation, code, path, message } of outcome.refused?.errors ?? [])
      refused.set(operation, [...(refused.get(operation) ?? []), { code, path, message }]);
    if (refused.size === 0) throw new Error(`a group of lines cannot be written: ${textOfBody(outcome.body ?? '')}`);
    for (const [operation, problems] of refused) failures.push(failureOf((writes[operation] as Write).line, problems));
    // The others are written without them; a line that needs one of them fails then.
    writes = writes.filter((_, operation) => !refused.has(operation));
  }
}

interface Write {
  readonly line: LoadedLine;
  readonly call: WriteCall;
}

const failureOf = ({ number, text }: LoadedLine, problems: readonly Problem[]): Failure => ({ line: number, text, problems });

interface Found {
  /** By locale and value. */
  readonly byKey: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
  readonly byDocumentId: ReadonlyMap<string, JsonObject>;
}

/** Values that all locales share are looked up in all of them. */
const scopeOf = ({ locale }: LoadedLine, { type, by }: LoadedType): string => (type.localized && by.localized ? (locale ?? '') : '*');

async function findDocuments(lines: readonly LoadedLine[], loaded: LoadedType, documents: Documented): Promise<Found> {
  const { by } = loaded;
  const byKey = new Map<string, Map<string, JsonObject>>();
  const fields = comparedNames(lines, loaded);
  const named = lines.filter(({ documentId }) => documentId === undefined);
  for (const scope of new Set(named.map((line) => scopeOf(line, loaded)))) {
    const keys = named.flatMap((line) => (scopeOf(line, loaded) === scope ? line.key : []));
    for (const row of await entriesWith(by.name, keys, { scope, fields }, loaded, documents)) {
      const at = `${scope}\n${String(row[by.name])}`;
      byKey.set(at, (byKey.get(at) ?? new Map<string, JsonObject>()).set(String(row.documentId), row));
    }
  }
  const ids = lines.flatMap(({ documentId }) => documentId ?? []);
  const rows = await entriesWith('documentId', ids, { scope: '*', fields }, loaded, documents);
  return { byKey, byDocumentId: new Map(rows.map((row) => [String(row.documentId), row])) };
}

/** The attributes of lines that a read shows as they are written. */
const comparedNames = (lines: readonly LoadedLine[], { type }: LoadedType): ReadonlySet<string> =>
  new Set(
    lines.flatMap(({ data }) =>
      Object.keys(data).filter((name) => {
        const attribute = type.attributes.get(name);
        return attribute?.kind === 'scalar' && !attribute.private && attribute.type !== 'password';
      }),
    ),
  );

/** Whether a line says what is stored. With relations, components and publication it is written. */
function saysTheSame({ data, status }: LoadedLine, stored: JsonObject, scope: string, { type }: LoadedType): boolean {
  if (status === 'published' || (type.localized && scope === '*')) return false;
  return Object.entries(data).every(([name, value]) => {
    const attribute = type.attributes.get(name);
    return attribute?.kind === 'scalar' && Object.hasOwn(stored, name) && isDeepStrictEqual(stored[name], value);
  });
}

interface Wanted {
  readonly scope: string;
  readonly fields: ReadonlySet<string>;
}

async function entriesWith(
  name: string,
  values: readonly string[],
  { scope, fields }: Wanted,
  { type }: LoadedType,
  { answerRead }: Documented,
) {
  if (values.length === 0) return [];
  const query = [
    ...values.map((value) => `filters[${name}][$in][]=${encodeURIComponent(value)}`),
    `fields=${[...new Set(['documentId', name, ...fields])].join(',')}`,
    ...['populate=', 'sort=id', 'status=draft'],
    ...(type.localized ? [`locale=${encodeURIComponent(scope)}`] : []),
  ].join('&');
  const target = { kind: 'list', most: mostFound } as const;
  const outcome = await answerRead(
    { type, target, query, actor: manager, restriction: undefined, envelope: 'flat', isAfterWrite: true },
    caller,
  );
  const body = parsedObject(textOfBody(outcome.body)) ?? {};
  if (outcome.status !== 200) throw new Error(`documents cannot be looked up: ${String(objectAt(body, 'error').message)}`);
  return objectsAt(body, 'data');
}

/** The write of a line, or why there is none: a failure, or nothing to do. */
function writeOf(line: LoadedLine, loaded: LoadedType, found: Found, dryRun: boolean): WriteCall | Failure | 'unchanged' {
  const { type, by } = loaded;
  const { documentId, locale, status, data, key } = line;
  const scope = documentId === undefined ? scopeOf(line, loaded) : '*';
  const same = [...(found.byKey.get(`${scope}\n${key}`)?.values() ?? [])];
  if (documentId === undefined && same.length > 1) {
    const message = `${same.length} documents have this ${by.name}: name one of them by documentId`;
    return failureOf(line, [{ path: [by.name], message }]);
  }
  const stored = documentId === undefined ? same[0] : found.byDocumentId.get(documentId);
  if (stored !== undefined && saysTheSame(line, stored, scope, loaded)) return 'unchanged';
  const isThere = stored !== undefined;
  const query = [
    ...(status === undefined ? [] : [`status=${status}`]),
    ...(locale === undefined ? [] : [`locale=${encodeURIComponent(locale)}`]),
  ].join('&');
  return {
    ...{ type, action: isThere ? 'update' : 'create', partial: true, query, body: { data } },
    documentId: isThere ? String(stored.documentId) : undefined,
    newDocumentId: isThere ? undefined : documentId,
    ...{ actor: manager, restriction: undefined, envelope: 'flat', ifMatch: undefined, idempotencyKey: undefined, dryRun },
  };
}
