/** Plans everything that a migration could do; a person chooses which steps to apply. */
import type { Connection, Database, LiveIndex, LiveTable } from '../dialects/database.ts';
import { conditionOf, ownIndexesOf } from '../indexes/live-indexes.ts';
import type { ContentModel, ContentType } from '../model/content-model.ts';
import { type DatabaseOrigin, originOf } from '../tables/database-origin.ts';
import { physicalSchema } from '../tables/physical-schema.ts';
import type { Index } from '../tables/table.ts';
import { type ChangedType, changedTypesOf, withColumnTypes } from './changed-types.ts';
import { type Interrupted, readJournal } from './journal.ts';
import { PlannedDatabase } from './planned-database.ts';
import { type RecordedTable, type RecordedTables, readRecord, type TypeOptions } from './recorded/recorded-schema.ts';
import { anyRowOfField } from './recorded/stored-names.ts';
import { readStrapiRecord, type StrapiRecord } from './recorded/strapi-schema.ts';
import { findRowChanges, type RecordedOptions, type RowChange, type Thoroughness } from './rows/row-changes.ts';
import { rowSteps } from './rows/row-steps.ts';
import { type MigrationPlan, planMigration } from './schema/additions.ts';
import { offeredRenames, takeRenames } from './schema/renames.ts';
import { destructiveSteps } from './schema/set-aside.ts';
import type { DestructiveStep, Step, Work } from './steps.ts';

export interface Choices {
  /** `old=new`, in the form of `Renaming.name`. */
  readonly renames: readonly string[];
  readonly allowDestructive: boolean;
}

export interface OfferedRename {
  readonly name: string;
  readonly step: Step;
}

export interface Changes {
  /** The requested renames. */
  readonly renames: readonly Step[];
  readonly additions: MigrationPlan;
  /** Steps that migrate rows to the options of their type and remove none. */
  readonly rows: readonly Step[];
  /** Removes the log of writes of earlier versions. */
  readonly formerLog: readonly Step[];
  /** Carried out only if `allowed`. */
  readonly destructive: readonly DestructiveStep[];
  readonly allowed: boolean;
  /** Attributes whose columns have the type of a former schema file, also after this migration. */
  readonly changedTypes: readonly ChangedType[];
  readonly offers: readonly OfferedRename[];
  /** The offers that remain after this migration: a table that was set aside cannot be renamed. */
  readonly offersLeft: readonly OfferedRename[];
  /** Choices that cannot be carried out. If there are any, nothing is done. */
  readonly problems: readonly string[];
  /** The statements and row changes, in their order. */
  readonly work: readonly Work[];
  /** The same without `formerLog`, which comes first. */
  readonly main: readonly Work[];
  /** True if the steps only add something: halfway, a new plan has the others. */
  readonly isRepeatable: boolean;
  /** The record after the renames and, if allowed, the destructive steps. */
  readonly record: RecordedTables;
  /** The live tables at that point, without additions. */
  readonly live: readonly LiveTable[];
}

/** The tables of a database, and the records of Lectern and Strapi about them. */
export interface DatabaseState {
  readonly origin: DatabaseOrigin;
  readonly live: readonly LiveTable[];
  /** Lectern's own record; undefined where there is none. */
  readonly own: RecordedTables | undefined;
  /** Indexes that Lectern added, at the start or by `lectern indexes apply`. */
  readonly ownIndexes: readonly LiveIndex[];
  readonly strapi: StrapiRecord;
  readonly occupied: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  /** Rows that do not match the options of their types. */
  readonly rowChanges: readonly RowChange[];
  /** Rows in recorded link tables that no schema file needs; `quickly`: 1 for any number. */
  readonly formerLinks: ReadonlyMap<string, number>;
  /** The statements of `Database.formerLogRemoval`. */
  readonly formerLogRemoval: readonly string[];
  /** An unfinished migration; only on engines that commit each change of a table. */
  readonly interrupted: Interrupted | undefined;
  /** Single types that have several documents. */
  readonly severalDocuments: readonly SingleTypeWithSeveralDocuments[];
}

export interface SingleTypeWithSeveralDocuments {
  readonly type: ContentType;
  /** The number of documents, counted up to 1,000. */
  readonly documents: number;
}

export async function readDatabaseState(database: Database, model: ContentModel, thoroughness: Thoroughness): Promise<DatabaseState> {
  const live = await database.tables();
  const ownIndexes = ownIndexesOf(await database.indexes());
  const formerLogRemoval = await database.formerLogRemoval();
  return database.read(async (connection) => {
    const interrupted = database.dialect.tables.undoesTables ? undefined : await readJournal(connection, live);
    const own = await readRecord(connection, live);
    const strapi = await readStrapiRecord(connection, live, model);
    const occupied = new Set<string>();
    const { quote } = database.dialect;
    // Only a table that was added later can be the new name of another.
    for (const { name } of live.filter((table) => own?.get(table.name)?.added !== undefined)) {
      const rows = await connection.query(`SELECT 1 FROM ${quote(name)} LIMIT 1`, []);
      if (rows.length > 0) occupied.add(name);
    }
    const recorded = [...(own?.values() ?? []), ...strapi.tables.values()];
    const named = await namedFields(connection, { live, model, recorded });
    const options = recordedOptions(own, strapi);
    const rowChanges = await findRowChanges(connection, { model, live, recorded: options }, thoroughness);
    const formerLinks = await countFormerLinks(connection, { live, model, recorded }, thoroughness);
    const severalDocuments = await singleTypesWithSeveralDocuments(connection, live, model);
    return {
      origin: originOf(live, model),
      live,
      own,
      ownIndexes,
      strapi,
      occupied,
      named,
      rowChanges,
      formerLinks,
      formerLogRemoval,
      interrupted,
      severalDocuments,
    };
  });
}

interface RecordedDatabase {
  readonly live: readonly LiveTable[];
  readonly model: ContentModel;
  readonly recorded: readonly RecordedTable[];
}

async function countFormerLinks(
  connection: Connection,
  { live, model, recorded }: RecordedDatabase,
  thoroughness: Thoroughness,
): Promise<ReadonlyMap<string, number>> {
  const { quote } = connection.dialect;
  const wanted = new Set(physicalSchema(model).map(({ name }) => name));
  const present = new Set(live.map(({ name }) => name));
  const counts = new Map<string, number>();
  for (const { name, origin } of recorded) {
    if (origin.attribute === undefined || wanted.has(name) || !present.has(name) || counts.has(name)) continue;
    const rows = thoroughness === 'thoroughly' ? quote(name) : `(SELECT 1 FROM ${quote(name)} LIMIT 1) AS r`;
    const [[count] = []] = await connection.query(`SELECT count(*) FROM ${rows}`, []);
    counts.set(name, Number(count));
  }
  return counts;
}

/** More documents than this are not counted at each start. */
const countedDocuments = 1000;

async function singleTypesWithSeveralDocuments(
  connection: Connection,
  live: readonly LiveTable[],
  model: ContentModel,
): Promise<readonly SingleTypeWithSeveralDocuments[]> {
  const { quote } = connection.dialect;
  const present = new Map(live.map(({ name, columns }) => [name, columns]));
  const found: SingleTypeWithSeveralDocuments[] = [];
  for (const type of model.contentTypes.values()) {
    if (type.kind !== 'singleType' || !type.routed || !present.get(type.table)?.has('document_id')) continue;
    const documents = `SELECT DISTINCT document_id FROM ${quote(type.table)} LIMIT ${countedDocuments}`;
    const [[count] = []] = await connection.query(`SELECT count(*) FROM (${documents}) AS d`, []);
    if (Number(count) > 1) found.push({ type, documents: Number(count) });
  }
  return found;
}

export const removesRowsOf = ({ destructive }: Changes, { table }: ContentType): boolean =>
  destructive.some((step) => step.kind === 'rows' && step.table === table);

function recordedOptions(own: RecordedTables | undefined, strapi: StrapiRecord): RecordedOptions {
  const options = new Map<string, TypeOptions[]>([...strapi.options].map(([uid, each]) => [uid, [each]]));
  for (const table of own?.values() ?? []) {
    const { uid } = table.origin;
    if (table.options !== undefined && uid !== undefined) options.set(uid, [...(options.get(uid) ?? []), table.options]);
  }
  return options;
}

/** Removed attributes that rows of components or media still name: `api::article.article.seo`. */
async function namedFields(connection: Connection, { live, model, recorded }: RecordedDatabase): Promise<Set<string>> {
  const named = new Set<string>();
  const tables = new Set(live.map((table) => table.name));
  for (const schema of [...model.contentTypes.values(), ...model.components.values()]) {
    const fields = recorded.filter((table) => table.name === schema.table).flatMap((table) => table.fields);
    for (const { name, kind } of fields.filter((field) => !schema.attributes.has(field.name))) {
      const search = anyRowOfField(schema, kind, name, connection.dialect);
      if (search === undefined || !tables.has(search.table)) continue;
      const rows = await connection.query(search.text, []);
      if (rows.length > 0) named.add(`${schema.uid}.${name}`);
    }
  }
  return named;
}

/** Plans renames first, then what is set aside, then what is added. */
export function planChanges(
  database: Pick<Database, 'dialect'>,
  model: ContentModel,
  state: DatabaseState,
  { choices, now }: { readonly choices: Choices; readonly now: Date },
): Changes {
  const { dialect } = database;
  const { origin, live, strapi, occupied, named } = state;
  const wanted = physicalSchema(model);
  const record = withOwnIndexes(combined(strapi.tables, state.own), state.ownIndexes);
  const planned = new PlannedDatabase({ live, record, wanted, today: now }, dialect);
  const createPlanned = () => new PlannedDatabase({ live: planned.tables(), record: planned.record(), wanted, today: now }, dialect);
  const renamable = { model, wanted, occupied, named, ownRecord: state.own !== undefined };

  const { steps: renames, problems } = takeRenames(planned, choices.renames, renamable);
  const offers = offeredRenames(planned, renamable).map((offer) => ({ name: offer.name, step: offer.plan(createPlanned()) }));
  const followed = rowSteps(state.rowChanges, model, planned, { madeByStrapi: origin === 'strapi', options: strapi.options });
  const unneeded = destructiveSteps(choices.allowDestructive ? planned : createPlanned(), {
    model,
    wanted,
    formerLinks: state.formerLinks,
    strapiKnows: (table, column) => origin === 'strapi' && strapi.knows(table, column),
  });
  const changedTypes = choices.allowDestructive
    ? []
    : changedTypesOf(unneeded, model, (table, column) => planned.declared(table, column), dialect);
  // Indexes are those of the columns as they are.
  const additions = planMigration(withColumnTypes(model, changedTypes), planned.tables(), dialect, origin === 'strapi' ? 'strapi' : 'all');
  const { formerLogRemoval } = state;
  const formerLog = formerLogRemoval.length === 0 ? [] : [{ reason: formerLogReason, work: formerLogRemoval }];
  const destructive = [...unneeded, ...followed.destructive];
  const namesLeft = new Set(offeredRenames(planned, renamable).map(({ name }) => name));
  const [ofTables, ofRows] = choices.allowDestructive ? [unneeded, followed.destructive] : [[], []];
  // Columns are set aside before others with their names are added.
  const work = workOf([...renames, ...ofTables]);
  const isRefused = !dialect.changesWhatItReads && followed.additions.length + ofRows.length > 0;
  // Rows are migrated when all tables exist.
  const rowWork = workOf([...ofRows, ...followed.additions]);
  const main = [...work, ...additions.statements, ...rowWork];
  return {
    renames,
    additions,
    rows: followed.additions,
    formerLog,
    destructive,
    allowed: choices.allowDestructive,
    changedTypes,
    offers,
    offersLeft: offers.filter(({ name }) => namesLeft.has(name)),
    problems: [...problems, ...(isRefused ? [cannotMove] : [])],
    work: [...workOf(formerLog), ...main],
    main,
    isRepeatable: work.length + rowWork.length === 0,
    record: planned.record(),
    live: planned.tables(),
  };
}

const formerLogReason = 'The log of writes of an earlier version (database.tableVersions) and its triggers are removed.';

const cannotMove =
  'This database cannot change rows of a table that the same statement reads, so Lectern does not migrate rows to switched options of their types on it. Start Strapi once with these schema files.';

export const workOf = (steps: readonly Step[]): Work[] => steps.flatMap((step) => step.work);

/** The columns of both records: Strapi may have started on a database that Lectern made. */
function combined(strapi: RecordedTables, own: RecordedTables | undefined): RecordedTables {
  const tables = new Map<string, RecordedTable>(strapi);
  for (const [name, table] of own ?? []) {
    const other = strapi.get(name);
    const more = (other?.columns ?? []).filter((column) => !table.columns.some((each) => each.name === column.name));
    tables.set(name, { ...table, columns: [...table.columns, ...more] });
  }
  return tables;
}

/** No record has the indexes that `lectern indexes apply` created. */
function withOwnIndexes(record: RecordedTables, ownIndexes: readonly LiveIndex[]): RecordedTables {
  const tables = new Map(record);
  for (const { table: name, name: index, columns, where } of ownIndexes) {
    const table = tables.get(name);
    if (table === undefined) continue;
    const condition = conditionOf(where);
    const live: Index = {
      name: index,
      columns: columns.filter((column) => column !== null),
      unique: false,
      ...(condition === undefined ? {} : { where: condition }),
    };
    tables.set(name, { ...table, indexes: [...table.indexes.filter((each) => each.name !== index), live] });
  }
  return tables;
}
