/** The statement of a list that is counted in groups. Its inner SELECT is the list, with the same
 *  conditions; it has a column for each key and each number. */
import { type ColumnType, columnTypeOf } from '../../dialects/column-type.ts';
import type { ScalarType } from '../../model/content-model.ts';
import { type Sql, sql, statementOf } from '../../sql/sql.ts';
import type { GroupFunction } from '../parse/types.ts';
import type { PlannedGrouping, PlannedKey, ReadPlan } from '../plan/types.ts';
import { DependencyCollector } from './dependencies.ts';
import { type CompileParts, ReadFragments } from './fragments.ts';
import type { CompiledGroups, CompiledRead } from './types.ts';

/** A column of the inner SELECT. */
interface InnerColumn {
  readonly name: Sql;
  readonly expression: Sql;
}

/** A key in the outer SELECT. */
interface KeyColumns {
  readonly inner: readonly InnerColumn[];
  readonly groupedBy: Sql;
  readonly selected: readonly Sql[];
  /** What groups are sorted by, before the direction. */
  readonly order: readonly { readonly expression: Sql; readonly type: ColumnType }[];
  readonly shape: (index: number) => CompiledGroups['keys'][number];
}

/** `groupBy=category&count` gives on SQLite `SELECT g.k0, min(g.t0), count(*) FROM (SELECT t1.id,
 *  (SELECT …) AS k0, (SELECT …) AS t0 FROM articles t1 WHERE …) g GROUP BY g.k0 ORDER BY …`. */
export function compileGroups(plan: ReadPlan, grouping: PlannedGrouping, parts: CompileParts): CompiledRead {
  const { dialect } = parts;
  const fragments = new ReadFragments(parts);
  const row = fragments.alias();
  const keys = grouping.by.map((key, index) => keyColumns(key, { fragments, plan, row, index }));
  const values = grouping.functions.map(({ attribute }, index): InnerColumn => {
    return { name: sql`v${sql.integer(index)}`, expression: fragments.conditions.column(row, attribute.column) };
  });
  const inner = [...keys.flatMap((key) => key.inner), ...values].map(({ name, expression }) => sql`, ${expression} AS ${name}`);
  const list = sql`SELECT ${fragments.id(row)} AS id${sql.join(inner, '')} ${fragments.filtered(plan)(row)}`;

  const selected = keys.flatMap((key) => key.selected);
  const functions = grouping.functions.map(({ name, attribute }, index) => {
    const value = sql`${group}.v${sql.integer(index)}`;
    const type = columnTypeOf(attribute);
    return { computed: computed(name, value, type), type: name === 'avg' || name === 'sum' ? ('float' as const) : attribute.type };
  });
  const columns = [...selected, sql`count(*)`, ...functions.map((each) => each.computed)];
  const groupedBy = keys.length === 0 ? sql.empty : sql` GROUP BY ${sql.join(keys.map((key) => key.groupedBy))}`;
  const text = sql`SELECT ${sql.join(columns)} FROM (${list}) ${group}${groupedBy}${orderOf(grouping, keys)} LIMIT ${sql.limit(sql.parameter('limit'))}`;
  const rows = statementOf(dialect, text);

  const dependencies = new DependencyCollector(dialect);
  dependencies.grouped(rows.tables);
  let index = 0;
  const shapes = keys.map(({ shape, selected: { length } }) => {
    index += length;
    return shape(index - length);
  });
  return {
    target: plan.target,
    envelope: plan.envelope,
    statements: { kind: 'separate', rows, count: undefined, found: undefined },
    shape: { table: plan.root.schema.table, id: selected.length, columns: [], links: [], component: false },
    groups: {
      keys: shapes,
      count: grouping.withCount ? selected.length : undefined,
      functions: grouping.functions.map(({ name, attribute }, position) => ({
        ...{ name, attribute: attribute.name, index: selected.length + 1 + position },
        type: functions[position]?.type ?? attribute.type,
      })),
    },
    dependencies: dependencies.result(),
    total: undefined,
    cursor: undefined,
    estimate: undefined,
    updatedAt: undefined,
    withIsUrlSigned: false,
  };
}

const group = sql.raw('g');

interface KeyParts {
  readonly fragments: ReadFragments;
  readonly plan: ReadPlan;
  readonly row: Sql;
  readonly index: number;
}

function keyColumns(key: PlannedKey, { fragments, plan, row, index }: KeyParts): KeyColumns {
  const name = sql`k${sql.integer(index)}`;
  const groupedBy = sql`${group}.${name}`;
  if (key.kind === 'value') {
    const { attribute, step } = key;
    const own = columnTypeOf(attribute);
    const column = fragments.conditions.column(row, attribute.column);
    const type: ColumnType = step === undefined ? own : 'string';
    const value = step === undefined ? exactly(column, own) : sql.ask((dialect, text) => dialect.dateStep(text, own, step), column);
    const written: ScalarType = step === undefined ? attribute.type : 'string';
    return {
      inner: [{ name, expression: value }],
      groupedBy,
      selected: [sql.read(groupedBy, type)],
      order: [{ expression: groupedBy, type }],
      shape: (at) => ({ name: attribute.name, value: { index: at, type: written }, related: undefined }),
    };
  }
  const { documentId, title } = key;
  const related = (order: typeof documentId) => fragments.orders.terms([order], row, plan.root.schema)[0]?.expression ?? sql.empty;
  const inner = [{ name, expression: exactly(related(documentId), 'string') }];
  const shape = (at: number): ReturnType<KeyColumns['shape']> => ({
    name: key.name,
    value: { index: at, type: 'string' },
    related: { title: title && { name: title.attribute.name, index: at + 1, type: title.attribute.type } },
  });
  const order = { expression: groupedBy, type: 'string' as const };
  if (title === undefined) return { inner, groupedBy, selected: [groupedBy], order: [order], shape };
  const titleName = sql`t${sql.integer(index)}`;
  const type = columnTypeOf(title.attribute);
  // In several locales, a document has several titles.
  const first = sql`min(${sql.ask((dialect, text) => dialect.extremum(text, type), sql`${group}.${titleName}`)})`;
  return {
    inner: [...inner, { name: titleName, expression: related(title) }],
    groupedBy,
    selected: [groupedBy, first],
    order: [{ expression: first, type }, order],
    shape,
  };
}

/** Texts are different groups where a filter would tell them apart. */
const exactly = (column: Sql, type: ColumnType): Sql => sql.ask((dialect, text) => dialect.exactly(text, type, 'values') ?? text, column);

/** Sums and averages are floating-point numbers: sums of integers may exceed 64 bits. */
function computed(name: GroupFunction, value: Sql, type: ColumnType): Sql {
  if (name === 'avg' || name === 'sum')
    return sql.ask((dialect, text) => dialect.comparand(text, 'float', 0), sql`${sql.raw(name)}(${value} * 1e0)`);
  return sql.read(sql`${sql.raw(name)}(${value})`, type);
}

function orderOf({ order: { by, direction } }: PlannedGrouping, keys: readonly KeyColumns[]): Sql {
  if (keys.length === 0) return sql.empty;
  const byKeys = (each: 'asc' | 'desc') =>
    keys.flatMap(({ order }) =>
      order.map(({ expression, type }) => sql`${expression}${sql.ask((dialect) => dialect.ordering(each, type))}`),
    );
  const counted = sql`count(*) ${sql.raw(direction === 'asc' ? 'ASC' : 'DESC')}`;
  return sql` ORDER BY ${sql.join(by === 'key' ? byKeys(direction) : [counted, ...byKeys('asc')])}`;
}
