/** Finds possible renames, and plans those that a person requests:
 *  `api::article.article.title=headline` for an attribute, `api::article.article=api::post.post`
 *  for a type or component. */
import type { ContentModel, Schema, Uid } from '../../model/content-model.ts';
import type { Column, Table } from '../../tables/table.ts';
import { nearest } from '../../text/nearest.ts';
import type { PlannedDatabase } from '../planned-database.ts';
import { purposeOf, type RecordedTable, type RecordedTables, type RecordedTimes, recordOf } from '../recorded/recorded-schema.ts';
import { relabel, renameAwaitedField, renameAwaitingTable, renameFieldValues, renameRuleFields } from '../recorded/stored-names.ts';
import type { Step } from '../steps.ts';
import { fillColumn, moveColumns, moveTable, pairsOf } from './rename-columns.ts';

/** A rename that could be made. */
export interface Renaming {
  /** As it is written on the command line. */
  readonly name: string;
  /** Whether it is offered: only names differ, and one was removed when the other was added. */
  readonly obvious: boolean;
  plan(planned: PlannedDatabase): Step;
}

export interface Renamable {
  readonly model: ContentModel;
  readonly wanted: readonly Table[];
  /** Tables that have rows. */
  readonly occupied: ReadonlySet<string>;
  /** Attributes without a schema that rows of components or media name, as `type.attribute`. */
  readonly named: ReadonlySet<string>;
  /** False if only Strapi's record exists: it is of Strapi's last start, without later renames. */
  readonly ownRecord: boolean;
}

/** Plans the requested renames, types before attributes. One that is not possible is a problem. */
export function takeRenames(
  planned: PlannedDatabase,
  requested: readonly string[],
  state: Renamable,
): { steps: Step[]; problems: string[] } {
  const steps: Step[] = [];
  const problems: string[] = [];
  const isType = (text: string) => !text.slice(text.indexOf('=') + 1).match(/^\w*$/);
  for (const text of [...requested].sort((a, b) => Number(isType(b)) - Number(isType(a)))) {
    const possible = renamings(planned, state);
    const found = possible.find(({ name }) => name === text);
    if (found === undefined) problems.push(whyNot(text, possible));
    else steps.push(found.plan(planned));
  }
  return { steps, problems };
}

function whyNot(text: string, possible: readonly Renaming[]): string {
  const names = possible.map(({ name }) => name);
  const like = nearest(text, names);
  const list =
    like === undefined
      ? names.length === 0
        ? 'Nothing can be renamed now.'
        : `What can be: ${names.join(', ')}.`
      : `Did you mean ${like}?`;
  return `--rename ${text}: nothing recorded under the old name is missing from the schema files, or nothing new of the same kind has the new name. ${list}`;
}

export function offeredRenames(planned: PlannedDatabase, state: Renamable): Renaming[] {
  return renamings(planned, state).filter(({ obvious }) => obvious);
}

function renamings(planned: PlannedDatabase, state: Renamable): Renaming[] {
  const schemas: readonly Schema[] = [...state.model.contentTypes.values(), ...state.model.components.values()];
  const record = recordOf(state.model);
  return [...typeRenamings(planned, state, schemas), ...schemas.flatMap((schema) => attributeRenamings(planned, state, schema, record))];
}

/** Whether one was added when the other was lost, or later, by a start after the rename. */
const cameAsWent = (added: RecordedTimes | undefined, lost: RecordedTimes): boolean =>
  added?.added !== undefined && lost.lost !== undefined && added.added >= lost.lost;

interface Group {
  readonly attribute: string;
  readonly columns: readonly (Column & RecordedTimes)[];
}

function grouped(columns: readonly (Column & RecordedTimes)[]): Group[] {
  const groups = new Map<string, (Column & RecordedTimes)[]>();
  for (const column of columns) {
    const attribute = column.attribute ?? column.name;
    groups.set(attribute, [...(groups.get(attribute) ?? []), column]);
  }
  return [...groups].map(([attribute, members]) => ({ attribute, columns: members }));
}

function attributeRenamings(planned: PlannedDatabase, state: Renamable, schema: Schema, record: RecordedTables): Renaming[] {
  const table = state.wanted.find((each) => each.name === schema.table);
  const recorded = planned.recorded(schema.table);
  if (table === undefined || recorded === undefined || !planned.has(schema.table)) return [];
  return [
    ...columnRenamings(planned, schema, table, recorded),
    ...relationRenamings(planned, state, schema),
    ...fieldRenamings(state, schema, recorded, record.get(schema.table)?.fields ?? []),
  ];
}

function columnRenamings(planned: PlannedDatabase, schema: Schema, table: Table, recorded: RecordedTable): Renaming[] {
  const earlier = new Map(recorded.columns.map((column) => [column.name, column]));
  const needed = new Set(table.columns.map((column) => column.name));
  const lost = grouped(recorded.columns.filter(({ name }) => !needed.has(name) && planned.has(table.name, name)));
  const gained = grouped(
    table.columns
      .filter(({ name }) => !planned.has(table.name, name) || earlier.get(name)?.added !== undefined)
      .map((column) => ({ ...column, ...earlier.get(column.name) })),
  );
  const shape = (owner: Pick<Table, 'foreignKeys'>, { columns }: Group) =>
    columns
      .map(({ name, type }) =>
        [planned.dialect.tables.columnDefinition(type), owner.foreignKeys.find((key) => key.column === name)?.references].join(' '),
      )
      .join(', ');
  return lost.flatMap((old) =>
    gained
      .filter((candidate) => shape(recorded, old) === shape(table, candidate))
      .map((candidate): Renaming => {
        const pairs = old.columns.map((column, index) => [column.name, candidate.columns[index]?.name ?? ''] as const);
        return {
          name: `${schema.uid}.${old.attribute}=${candidate.attribute}`,
          obvious: pairs.every(
            ([, to], index) => !planned.has(table.name, to) || cameAsWent(candidate.columns[index], old.columns[index] ?? {}),
          ),
          plan: (on) => attributeStep(on, schema, { from: old.attribute, to: candidate.attribute }, moveColumns(on, table, pairs)),
        };
      }),
  );
}

const attributeStep = (
  planned: PlannedDatabase,
  schema: Schema,
  { from, to }: { readonly from: string; readonly to: string },
  work: Step['work'],
): Step => ({
  reason: `The attribute "${from}" of ${schema.uid} becomes "${to}".`,
  work: [...work, ...renameRuleFields(planned, schema, from, to), ...renameAwaitedField(planned, schema, from, to)],
});

function relationRenamings(planned: PlannedDatabase, { wanted }: Renamable, schema: Schema): Renaming[] {
  const owned = (origin: RecordedTable['origin']) => origin.uid === schema.uid && origin.attribute !== undefined;
  const names = new Set(wanted.map((table) => table.name));
  const lost = [...planned.record().values()].filter(({ name, origin }) => owned(origin) && !names.has(name) && planned.has(name));
  const gained = wanted.filter(({ name, origin }) => owned(origin) && (!planned.has(name) || planned.recorded(name)?.added !== undefined));
  return lost.flatMap((old) =>
    gained
      .filter((table) => pairsOf(old, table, planned.dialect) !== undefined)
      .map(
        (table): Renaming => ({
          name: `${schema.uid}.${old.origin.attribute}=${table.origin.attribute}`,
          obvious: !planned.has(table.name) || cameAsWent(planned.recorded(table.name), old),
          plan: (on) =>
            attributeStep(
              on,
              schema,
              { from: old.origin.attribute ?? '', to: table.origin.attribute ?? '' },
              moveTable(on, old.name, table, 'fill'),
            ),
        }),
      ),
  );
}

function fieldRenamings({ named }: Renamable, schema: Schema, recorded: RecordedTable, wanted: RecordedTable['fields']): Renaming[] {
  const earlier = new Map(recorded.fields.map((field) => [field.name, field]));
  const lost = recorded.fields.filter(({ name }) => !schema.attributes.has(name));
  const gained = wanted.filter(({ name }) => earlier.get(name)?.added !== undefined || !earlier.has(name));
  return lost.flatMap((old) =>
    gained
      .filter(({ kind }) => kind === old.kind)
      .map(
        ({ name }): Renaming => ({
          name: `${schema.uid}.${old.name}=${name}`,
          obvious: named.has(`${schema.uid}.${old.name}`) && (!earlier.has(name) || cameAsWent(earlier.get(name), old)),
          plan: (on) => {
            on.renameField(schema.table, old.name, name);
            return attributeStep(
              on,
              schema,
              { from: old.name, to: name },
              renameFieldValues(on, schema, { kind: old.kind, from: old.name, to: name }),
            );
          },
        }),
      ),
  );
}

function typeRenamings(planned: PlannedDatabase, state: Renamable, schemas: readonly Schema[]): Renaming[] {
  const known = new Set(schemas.map((schema) => schema.uid));
  const lost = [...planned.record().values()].filter(
    (table) =>
      table.origin.uid !== undefined &&
      table.origin.uid !== 'system' &&
      !known.has(table.origin.uid) &&
      purposeOf(table) === 'type' &&
      planned.has(table.name),
  );
  return [...lost, ...movedTables(planned, state, schemas)].flatMap((old) =>
    schemas.flatMap((schema): Renaming[] => {
      if (known.has(old.origin.uid ?? '') && old.origin.uid !== schema.uid) return [];
      const table = state.wanted.find((each) => each.name === schema.table);
      if (table === undefined || !isFree(planned, state, old, table) || isComponent(old) !== (schema.kind === 'component')) return [];
      const uid = old.origin.uid ?? '';
      return [
        {
          name: `${uid}=${schema.uid}`,
          obvious: uid === schema.uid || (sameColumns(planned, old, table) && cameInItsPlace(planned, state, old, table)),
          plan: (on) => typeStep(on, state, { old, uid, schema }),
        },
      ];
    }),
  );
}

/** Tables of types whose `collectionName` has changed. */
const movedTables = (planned: PlannedDatabase, { wanted }: Renamable, schemas: readonly Schema[]): RecordedTable[] =>
  [...planned.record().values()].filter(
    (table) =>
      schemas.some(({ uid, table: name }) => uid === table.origin.uid && name !== table.name) &&
      purposeOf(table) === 'type' &&
      !wanted.some(({ name }) => name === table.name) &&
      planned.has(table.name),
  );

function cameInItsPlace(planned: PlannedDatabase, { ownRecord, wanted }: Renamable, old: RecordedTable, { name }: Table): boolean {
  if (old.name !== name) return !planned.has(name) || cameAsWent(planned.recorded(name), old);
  return ownRecord || wanted.some((table) => table.origin.attribute !== undefined && hasFormerLink(planned, table, name));
}

const hasFormerLink = (planned: PlannedDatabase, table: Table, target: string): boolean =>
  planned
    .recorded(table.name)
    ?.foreignKeys.some(
      ({ references, column }) =>
        references === target && planned.has(table.name, column) && !table.columns.some((each) => each.name === column),
    ) === true;

const isComponent = (table: Pick<Table, 'columns'>) => !table.columns.some(({ name }) => name === 'document_id');

/** Whether a type can take the table: it has none, or that one, or an empty one added later. */
function isFree(planned: PlannedDatabase, { occupied }: Renamable, old: RecordedTable, { name }: Table): boolean {
  if (!planned.has(name) || name === old.name) return true;
  return planned.recorded(name)?.added !== undefined && !occupied.has(name);
}

function sameColumns(planned: PlannedDatabase, old: RecordedTable, table: Table): boolean {
  const shape = (columns: readonly Column[]) =>
    columns
      .map(({ name, type }) => `${name} ${planned.dialect.tables.columnDefinition(type)}`)
      .sort()
      .join();
  return shape(old.columns) === shape(table.columns);
}

/** Renames columns of a link table that are named after the target type: id and position. */
function renameLinkColumns(planned: PlannedDatabase, table: Table, target: string): string[] {
  const keys = table.foreignKeys.filter(({ references }) => references === target);
  if (keys.length === 0) return [];
  const needed = new Set(table.columns.map(({ name }) => name));
  const unneeded = (column: string) => !needed.has(column) && planned.has(table.name, column);
  const ofKeys = keys.flatMap((key) => {
    const former = planned.recorded(table.name)?.foreignKeys.find(({ references, column }) => references === target && unneeded(column));
    return former === undefined ? [] : fillColumn(planned, table, { from: former.column, to: key.column, onExisting: 'replace' });
  });
  const recorded = planned.recorded(table.name)?.columns ?? [];
  const formerPositions = recorded.filter(({ name, type }) => type === 'order' && unneeded(name));
  const positions = table.columns.filter(
    ({ name, type }) =>
      type === 'order' && (!planned.has(table.name, name) || recorded.find((each) => each.name === name)?.added !== undefined),
  );
  const ofPositions = positions.flatMap(({ name }, index) => {
    const former = formerPositions[index];
    return former === undefined ? [] : fillColumn(planned, table, { from: former.name, to: name, onExisting: 'replace' });
  });
  return [...ofKeys, ...ofPositions];
}

function typeStep(
  planned: PlannedDatabase,
  { model, wanted }: Renamable,
  { old, uid, schema }: { readonly old: RecordedTable; readonly uid: Uid; readonly schema: Schema },
): Step {
  const work: Step['work'][number][] = [...renameAwaitingTable(planned, old.name, schema.table)];
  const names = new Set(uid === schema.uid ? wanted.map(({ name }) => name) : []);
  const ownedBy = [...planned.record().values()].filter(
    (table) => table.origin.uid === uid && planned.has(table.name) && !names.has(table.name),
  );
  for (const table of wanted.filter((each) => each.origin.uid === schema.uid)) {
    const role = purposeOf(table);
    const former =
      table.name === schema.table
        ? old
        : ownedBy.find((each) => purposeOf(each) === role && each.origin.attribute === table.origin.attribute && each !== old);
    if (former === undefined) continue;
    // If the table keeps its name, no column or index has the name of the type.
    if (former.name !== table.name || role === 'relation') work.push(...moveTable(planned, former.name, table, 'replace'));
    planned.assign(table.name, table.origin);
  }
  for (const table of wanted.filter((each) => each.origin.attribute !== undefined && planned.has(each.name))) {
    work.push(...renameLinkColumns(planned, table, schema.table));
  }
  if (uid === schema.uid) return { reason: `The table "${old.name}" of ${uid} becomes "${schema.table}".`, work };
  work.push(...relabel(planned, model, wanted, { from: uid, to: schema }));
  return { reason: `${schema.kind === 'component' ? 'The component' : 'The type'} ${uid} becomes ${schema.uid}.`, work };
}
