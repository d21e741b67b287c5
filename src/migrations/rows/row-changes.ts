/** Finds rows that do not match the options of their type: whether its documents have drafts, and
 *  whether they have locales. When one is switched, the rows have to be migrated. The rows
 *  themselves show whether that was done, since both Strapi and Lectern may do it. If records show
 *  that nothing was switched, the project may have written a row without a draft on purpose. */
import type { Connection, LiveTable } from '../../dialects/database.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { literal } from '../../dialects/quote.ts';
import type { ContentModel, ContentType, Uid } from '../../model/content-model.ts';
import { readSetting } from '../../tables/settings-store.ts';
import { settingsTable } from '../../tables/system-tables.ts';
import type { TypeOptions } from '../recorded/recorded-schema.ts';
import { isSibling, lacksDraft } from './make-drafts.ts';

export type RowChangeKind = 'makeDrafts' | 'removeDrafts' | 'setLocale' | 'removeLocales';

export interface RowChange {
  readonly kind: RowChangeKind;
  readonly type: ContentType;
  readonly defaultLocale: string;
  /** The rows to migrate. */
  readonly rows: number;
  /** Rows that would be lost. `removeDrafts`: never published drafts; `setLocale`: rows of
   *  documents with another row in the default locale; `removeLocales`: rows in other locales. */
  readonly lost: number;
  /** `removeLocales`: documents that have no entry in the default locale. */
  readonly documents: number;
}

/** A table to check, and the option to check it for. */
interface Question {
  readonly kind: RowChangeKind;
  readonly type: ContentType;
  /** Whether every record has the present value of the option. */
  readonly isRecorded: boolean;
}

/** The options of a type in each record. */
export type RecordedOptions = ReadonlyMap<Uid, readonly TypeOptions[]>;

function questions(model: ContentModel, live: readonly LiveTable[], recorded: RecordedOptions): Question[] {
  const tables = new Map(live.map((table) => [table.name, table]));
  return [...model.contentTypes.values()].flatMap((type): Question[] => {
    const columns = tables.get(type.table)?.columns;
    const isThere = ['id', 'document_id', 'published_at', 'locale'].every((column) => columns?.has(column));
    if (!type.routed || !isThere) return [];
    const before = recorded.get(type.uid) ?? [];
    const isRecorded = (option: keyof TypeOptions) => before.length > 0 && before.every((each) => each[option] === type[option]);
    // Locales come first, as in Strapi's own migrations.
    return [
      { type, kind: type.localized ? 'setLocale' : 'removeLocales', isRecorded: isRecorded('localized') },
      { type, kind: type.draftAndPublish ? 'makeDrafts' : 'removeDrafts', isRecorded: isRecorded('draftAndPublish') },
    ];
  });
}

/** Conditions on a row, called `r`. */
interface Signs {
  /** The row does not match the option. */
  readonly wrong: string;
  /** Like `wrong`, but without doubt: a project's code may write single rows without a publication
   *  date, or with a locale. */
  readonly surelyWrong: string;
  /** The row shows that the option already had its present value before. */
  readonly contrary: string;
}

function signsOf({ kind, type }: Question, dialect: Dialect): Signs {
  const sibling = (condition: string) =>
    `EXISTS (SELECT 1 FROM ${dialect.quote(type.table)} o WHERE o.document_id = r.document_id AND ${condition})`;
  switch (kind) {
    case 'makeDrafts': {
      const wrong = lacksDraft(type, 'r', dialect);
      return { wrong, surelyWrong: wrong, contrary: 'r.published_at IS NULL' };
    }
    case 'removeDrafts':
      return {
        wrong: 'r.published_at IS NULL',
        surelyWrong: `r.published_at IS NULL AND ${sibling('o.published_at IS NOT NULL')}`,
        contrary: 'FALSE',
      };
    case 'setLocale':
      return { wrong: 'r.locale IS NULL', surelyWrong: 'r.locale IS NULL', contrary: 'r.locale IS NOT NULL' };
    case 'removeLocales':
      return {
        wrong: 'r.locale IS NOT NULL',
        surelyWrong: `r.locale IS NOT NULL AND ${sibling('o.locale <> r.locale')}`,
        contrary: 'FALSE',
      };
    default:
      return kind satisfies never;
  }
}

/** Rows in each sample, and samples: enough to find rows from before and after a switch. */
const [rowsPerSample, samples] = [250, 8];

/** Whether rows do not match an option; takes the same time for any number of rows. */
async function isPending(connection: Connection, question: Question): Promise<boolean> {
  const { dialect } = connection;
  const { wrong, surelyWrong, contrary } = signsOf(question, dialect);
  const table = dialect.quote(question.type.table);
  const [[from, to] = []] = await connection.query(`SELECT min(id), max(id) FROM ${table}`, []);
  if (from === null || from === undefined) return false;
  const [first, last] = [Number(from), Number(to)];
  const step = Math.max(rowsPerSample, Math.ceil((last - first) / samples));
  const starts = Array.from({ length: samples + 1 }, (_, index) => first + index * step).filter((start) => start <= last);
  const sign = (condition: string) => `max(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
  let found = false;
  for (const part of [...starts.map((start) => `id >= ${start} ORDER BY id`), 'TRUE ORDER BY id DESC']) {
    const rows = `SELECT * FROM ${table} WHERE ${part} LIMIT ${rowsPerSample}`;
    const [[isWrong, isContrary] = []] = await connection.query(
      `SELECT ${sign(question.isRecorded ? surelyWrong : wrong)}, ${sign(contrary)} FROM (${rows}) AS r`,
      [],
    );
    if (question.isRecorded && Number(isContrary) === 1) return false;
    found ||= Number(isWrong) === 1;
    if (found && !question.isRecorded) return true;
  }
  return found;
}

/** `quickly`, for a start, does not count the rows of large tables; `thoroughly` does. */
export type Thoroughness = 'quickly' | 'thoroughly';

/** Counts the rows that have to be migrated: in tables whose options seem to have been switched,
 *  and `thoroughly` also in tables without a record of their options. */
export async function findRowChanges(
  connection: Connection,
  { model, live, recorded }: { readonly model: ContentModel; readonly live: readonly LiveTable[]; readonly recorded: RecordedOptions },
  thoroughness: Thoroughness,
): Promise<readonly RowChange[]> {
  const changes: RowChange[] = [];
  for (const question of questions(model, live, recorded)) {
    const isCounted = thoroughness === 'thoroughly' && !question.isRecorded;
    if (!isCounted && !(await isPending(connection, question))) continue;
    const change = await counted(connection, question, await readDefaultLocale(connection, live));
    if (change.rows > 0) changes.push(change);
  }
  return changes;
}

async function counted(connection: Connection, question: Question, defaultLocale: string): Promise<RowChange> {
  const { dialect } = connection;
  const { kind, type } = question;
  const table = dialect.quote(type.table);
  const count = async (what: string, condition: string): Promise<number> => {
    const [[number] = []] = await connection.query(`SELECT count(${what}) FROM ${table} r WHERE ${condition}`, []);
    return Number(number);
  };
  const { wrong } = signsOf(question, dialect);
  const none = (condition: string) => `NOT EXISTS (SELECT 1 FROM ${table} o WHERE ${condition})`;
  const change = { kind, type, defaultLocale, rows: await count('*', wrong), lost: 0, documents: 0 };
  if (kind === 'removeDrafts') {
    const lost = await count('*', `${wrong} AND ${none(`${isSibling('o', 'r', dialect)} AND o.published_at IS NOT NULL`)}`);
    return { ...change, lost };
  }
  if (kind === 'setLocale') return { ...change, lost: await count('*', `${wrong} AND ${hasTwin(type, defaultLocale, dialect)}`) };
  if (kind !== 'removeLocales') return change;
  const foreign = isForeign(defaultLocale);
  const stays = `o.document_id = r.document_id AND (o.locale IS NULL OR o.locale = ${literal(defaultLocale)})`;
  return { ...change, lost: await count('*', foreign), documents: await count('DISTINCT r.document_id', `${foreign} AND ${none(stays)}`) };
}

export const isForeign = (defaultLocale: string): string => `r.locale <> ${literal(defaultLocale)}`;

/** The row has no locale, and its document another row of its status in the default locale. */
export const hasTwin = (type: ContentType, defaultLocale: string, { quote }: Dialect): string =>
  `EXISTS (SELECT 1 FROM ${quote(type.table)} o WHERE o.document_id = r.document_id AND o.locale = ${literal(defaultLocale)} ` +
  `AND (o.published_at IS NULL) = (r.published_at IS NULL))`;

async function readDefaultLocale(connection: Connection, live: readonly LiveTable[]): Promise<string> {
  if (!live.some(({ name }) => name === settingsTable)) return 'en';
  const locale = await readSetting(connection, 'plugin_i18n_default_locale');
  return typeof locale === 'string' ? locale : 'en';
}
