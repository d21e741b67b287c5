/** Everything that a migration could do, for a person to look at and choose from. */
import type { Connection, Database, Dialect, LiveTable } from '../dialects/dialect.ts';
import type { ContentModel, ContentType } from '../model/content-model.ts';
import { type DatabaseOrigin, originOf } from '../tables/database-origin.ts';
import { physicalSchema } from '../tables/physical-schema.ts';
import { Workbench } from './planned-database.ts';
import { type RecordedTable, type RecordedTables, readRecord, type TypeOptions } from './recorded/recorded-schema.ts';
import { anyRowOfField } from './recorded/stored-names.ts';
import { readStrapiRecord, type StrapiRecord } from './recorded/strapi-schema.ts';
import { findRowChanges, type RecordedOptions, type RowChange } from './rows/row-changes.ts';
import { rowSteps } from './rows/row-steps.ts';
import { type MigrationPlan, planMigration } from './schema/missing-tables.ts';
import { offeredRenames, takeRenames } from './schema/renames.ts';
import { destructiveSteps } from './schema/unneeded.ts';
import type { DestructiveStep, Step, Work } from './steps.ts';

export interface Choices {
  /** `old=new`, as `Renaming.name` has it. */
  readonly renames: readonly string[];
  readonly allowDestructive: boolean;
}

export interface Offer {
  readonly name: string;
  readonly step: Step;
}

export interface Changes {
  /** Renames that were asked for. */
  readonly renames: readonly Step[];
  readonly additions: MigrationPlan;
  /** Rows to migrate to the options of their type, without losing any. */
  readonly rows: readonly Step[];
  /** Done when they are allowed, otherwise left. */
  readonly destructive: readonly DestructiveStep[];
  readonly allowed: boolean;
  readonly offers: readonly Offer[];
  /** The offers that can still be taken afterwards: a table that was set aside cannot be renamed. */
  readonly offersLeft: readonly Offer[];
  /** Wishes that cannot be fulfilled; then nothing is done. */
  readonly problems: readonly string[];
  /** What would be run, in its order. */
  readonly work: readonly Work[];
  /** What is known after the renames and, where they are done, the destructive steps. */
  readonly record: RecordedTables;
  /** The tables then, without what is added. */
  readonly live: readonly LiveTable[];
}

/** What is known of a database. */
export interface Knowledge {
  readonly maker: DatabaseOrigin;
  readonly live: readonly LiveTable[];
  /** Lectern's own record; undefined where there is none. */
  readonly own: RecordedTables | undefined;
  readonly strapi: StrapiRecord;
  readonly occupied: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  /** Rows that do not match the options of their types. */
  readonly rowChanges: readonly RowChange[];
  /** Rows of recorded tables of relations that no schema file needs; `quickly`: 1 for any number. */
  readonly formerLinks: ReadonlyMap<string, number>;
  /** Single types that have several documents. */
  readonly crowded: readonly CrowdedType[];
}

export interface CrowdedType {
  readonly type: ContentType;
  /** At most 1,000 are counted. */
  readonly documents: number;
}

/** `quickly`: large tables are only looked into; `thoroughly`: for a person who asked. */
export type Care = 'quickly' | 'thoroughly';

export async function learn(database: Database, model: ContentModel, care: Care): Promise<Knowledge> {
  const live = await database.tables();
  return database.read(async (connection) => {
    const own = await readRecord(connection, live, database.dialect);
    const strapi = await readStrapiRecord(connection, live, model, database.dialect);
    const occupied = new Set<string>();
    const { quote } = database.dialect;
    // Only a table that came after the others can be one that was to have the rows of another.
    for (const { name } of live.filter((table) => own?.get(table.name)?.added !== undefined)) {
      const rows = await connection.query(`SELECT 1 FROM ${quote(name)} LIMIT 1`, []);
      if (rows.length > 0) occupied.add(name);
    }
    const named = await namedFields(connection, live, model, [...strapi.tables.values(), ...(own?.values() ?? [])], database.dialect);
    const options = recordedOptions(own, strapi);
    const rowChanges = await findRowChanges(connection, model, live, options, database.dialect, care === 'thoroughly');
    const recorded = [...(own?.values() ?? []), ...strapi.tables.values()];
    const formerLinks = await countFormerLinks(connection, live, model, recorded, database.dialect, care);
    const crowded = await crowdedTypes(connection, live, model, database.dialect);
    return { maker: originOf(live, model), live, own, strapi, occupied, named, rowChanges, formerLinks, crowded };
  });
}

async function countFormerLinks(
  connection: Connection,
  live: readonly LiveTable[],
  model: ContentModel,
  recorded: readonly RecordedTable[],
  { quote }: Dialect,
  care: Care,
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Set(physicalSchema(model).map(({ name }) => name));
  const present = new Set(live.map(({ name }) => name));
  const counts = new Map<string, number>();
  for (const { name, origin } of recorded) {
    if (origin.attribute === undefined || wanted.has(name) || !present.has(name) || counts.has(name)) continue;
    const rows = care === 'thoroughly' ? quote(name) : `(SELECT 1 FROM ${quote(name)} LIMIT 1) AS r`;
    const [[count] = []] = await connection.query(`SELECT count(*) FROM ${rows}`, []);
    counts.set(name, Number(count));
  }
  return counts;
}

/** More documents than this are not counted at each start. */
const countedDocuments = 1000;

async function crowdedTypes(
  connection: Connection,
  live: readonly LiveTable[],
  model: ContentModel,
  { quote }: Dialect,
): Promise<readonly CrowdedType[]> {
  const present = new Map(live.map(({ name, columns }) => [name, columns]));
  const crowded: CrowdedType[] = [];
  for (const type of model.contentTypes.values()) {
    if (type.kind !== 'singleType' || !type.routed || !present.get(type.table)?.has('document_id')) continue;
    const documents = `SELECT DISTINCT document_id FROM ${quote(type.table)} LIMIT ${countedDocuments}`;
    const [[count] = []] = await connection.query(`SELECT count(*) FROM (${documents}) AS d`, []);
    if (Number(count) > 1) crowded.push({ type, documents: Number(count) });
  }
  return crowded;
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

/** Attributes that are gone, while rows of components or media still say that they are theirs. */
async function namedFields(
  connection: Connection,
  live: readonly LiveTable[],
  model: ContentModel,
  recorded: readonly RecordedTable[],
  dialect: Dialect,
): Promise<Set<string>> {
  const named = new Set<string>();
  const tables = new Set(live.map((table) => table.name));
  for (const schema of [...model.contentTypes.values(), ...model.components.values()]) {
    const fields = recorded.filter((table) => table.name === schema.table).flatMap((table) => table.fields);
    for (const { name, kind } of fields.filter((field) => !schema.attributes.has(field.name))) {
      const search = anyRowOfField(schema, kind, name, dialect);
      if (search === undefined || !tables.has(search.table)) continue;
      const rows = await connection.query(search.text, []);
      if (rows.length > 0) named.add(`${schema.uid}.${name}`);
    }
  }
  return named;
}

/** Plans in the order: renames, then what has to go, then what is missing. */
export function planChanges(
  database: Pick<Database, 'dialect'>,
  model: ContentModel,
  knowledge: Knowledge,
  choices: Choices,
  now: Date,
): Changes {
  const { dialect } = database;
  const { maker, live, strapi, occupied, named } = knowledge;
  const wanted = physicalSchema(model);
  const bench = new Workbench(live, combined(strapi.tables, knowledge.own), wanted, dialect, now);
  const again = () => new Workbench(bench.tables(), bench.record(), wanted, dialect, now);
  const state = { model, wanted, occupied, named, ownRecord: knowledge.own !== undefined };

  const { steps: renames, problems } = takeRenames(bench, choices.renames, state);
  const offers = offeredRenames(bench, state).map((offer) => ({ name: offer.name, step: offer.plan(again()) }));
  const followed = rowSteps(knowledge.rowChanges, model, bench, { isMaker: maker === 'strapi', options: strapi.options });
  const unneeded = destructiveSteps(choices.allowDestructive ? bench : again(), {
    model,
    wanted,
    formerLinks: knowledge.formerLinks,
    strapiKnows: (table, column) => maker === 'strapi' && strapi.knows(table, column),
  });
  const additions = planMigration(model, bench.tables(), dialect, { indexes: maker === 'strapi' ? 'strapi' : 'all' });
  const destructive = [...unneeded, ...followed.destructive];
  const namesLeft = new Set(offeredRenames(bench, state).map(({ name }) => name));
  const [ofTables, ofRows] = choices.allowDestructive ? [unneeded, followed.destructive] : [[], []];
  // Columns that are kept make room before others are added; what was added gets its values before anything else may need them.
  const work = [...renames, ...ofTables].flatMap((step) => step.work);
  // Rows follow when all tables are there.
  const rowWork = [...ofRows, ...followed.additions].flatMap((step) => step.work);
  return {
    renames,
    additions,
    rows: followed.additions,
    destructive,
    allowed: choices.allowDestructive,
    offers,
    offersLeft: offers.filter(({ name }) => namesLeft.has(name)),
    problems,
    work: [...work, ...additions.statements, ...rowWork],
    record: bench.record(),
    live: bench.tables(),
  };
}

/** Of a table that both know, each knows columns: Strapi may have started on a database of Lectern's. */
function combined(strapi: RecordedTables, own: RecordedTables | undefined): RecordedTables {
  const tables = new Map<string, RecordedTable>(strapi);
  for (const [name, table] of own ?? []) {
    const other = strapi.get(name);
    const more = (other?.columns ?? []).filter((column) => !table.columns.some((each) => each.name === column.name));
    tables.set(name, { ...table, columns: [...table.columns, ...more] });
  }
  return tables;
}
