/** Makes uids unique that were made for a new document, or for a new locale of one. */
import type { ScalarAttribute } from '../../../model/content-model.ts';
import { sql } from '../../../sql/sql.ts';
import { withSuffix } from '../../../text/uid-text.ts';
import { isMadeUid } from '../../body/make-uid.ts';
import type { Entry } from '../../entry/entry.ts';
import { emptyEntry } from '../../entry/entry.ts';
import { uniqueValues } from '../../entry/unique-values.ts';
import type { BodyEntry } from '../../parse/body/types.ts';
import { uniqueKeys } from './check/check-unique-values.ts';
import { writtenLocale } from './versions.ts';
import type { WriteContext } from './write-context.ts';

/** Suffixes by look-up: none and -1 to -31; -32 to -1023; then a part of the documentId. */
const lookUps = [
  [0, 32],
  [32, 1024],
] as const;

/** Changes the values in `entry`. Other writers of the same values wait. */
export async function fillUids(entry: Entry, body: BodyEntry, documentId: string, context: WriteContext): Promise<void> {
  for (const attribute of context.type.attributes.values()) {
    if (!isMadeUid(attribute, { body, path: [] }, context.plan.rules)) continue;
    const made = entry.values.get(attribute.name);
    if (typeof made === 'string') entry.values.set(attribute.name, await freeUid(made, attribute, documentId, context));
  }
}

async function freeUid(made: string, attribute: ScalarAttribute, documentId: string, context: WriteContext): Promise<string> {
  // Writers of the same text look for a free value one after the other.
  lock(made, attribute, context);
  for (const [from, to] of lookUps) {
    const candidates = Array.from({ length: to - from }, (_, index) =>
      withSuffix(made, from + index === 0 ? '' : `-${from + index}`, attribute.options.maxLength),
    );
    const taken = await takenOf(candidates, attribute, context);
    for (const candidate of candidates) {
      if (taken.has(candidate)) continue;
      if (candidate === made) return candidate;
      // Another text can lead to this value without a suffix.
      lock(candidate, attribute, context);
      if ((await takenOf([candidate], attribute, context)).size === 0) return candidate;
    }
  }
  return withSuffix(made, `-${documentId.slice(0, 10)}`, attribute.options.maxLength);
}

function lock(value: string, { name }: ScalarAttribute, { rows, type }: WriteContext): void {
  const entry = emptyEntry(type);
  entry.values.set(name, value);
  rows.lock(uniqueKeys([...uniqueValues(entry, true)]));
}

/** Returns those values that a row has, in the locale of the write. Rows that the caller may not
 *  read as drafts do not count: a suffix would reveal them. */
async function takenOf(values: readonly string[], { column }: ScalarAttribute, context: WriteContext): Promise<ReadonlySet<string>> {
  const { rows, type, plan } = context;
  const locale = writtenLocale(context);
  const conditions = [
    ...(plan.rules.fillUids === 'published' ? [sql` AND r.published_at IS NOT NULL`] : []),
    ...(locale === null ? [] : [sql` AND r.locale = ${sql.value(locale, 'string')}`]),
  ];
  const isWanted = sql.isOneOf(sql`r.${sql.id(column)}`, values, 'wanted');
  // If the collation ignores case, DISTINCT would return only one of several spellings.
  const spelled = sql.ask((dialect, text) => dialect.exactly(text, 'uid', 'names') ?? text, sql`r.${sql.id(column)}`);
  const found = await rows.run(
    sql`SELECT DISTINCT ${spelled} FROM ${sql.id(type.table)} AS r WHERE ${isWanted}${sql.join(conditions, '')}`,
  );
  return new Set(found.map(([value]) => String(value)));
}
