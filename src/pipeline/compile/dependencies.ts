/** Finds what a response depends on beside the rows that it shows: the tables of its lists,
 *  conditions and orders, as other rows of these may come into it. */
import { columnTypeOf } from '../../dialects/column-type.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { namesRowByText } from '../../model/names-rows.ts';
import { type Sql, sql, statementOf } from '../../sql/sql.ts';
import { columnKey, rowsKey, tableKey, unknownRowsKey } from '../data-keys.ts';
import type { Condition, Node, Order, ReadPlan } from '../plan/types.ts';
import { type ColumnsRead, columnsRead } from './columns-read.ts';
import { someLeaf } from './costly.ts';
import type { Dependencies } from './types.ts';

export class DependencyCollector {
  readonly #dialect: Dialect;
  /** Any change of these tables may change the response. */
  readonly #listed = new Set<string>();
  /** Changes of these columns may change which rows are requested, or their order. */
  #columns: ColumnsRead = new Map();
  /** All tables that the statements read. */
  readonly #read = new Set<string>();
  #named: Dependencies['named'];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** `found`: everything after FROM that decides which rows are requested, with its order. */
  root({ target, root }: ReadPlan, found: Sql): void {
    const tables = this.#tablesOf(found);
    const own = root.schema.table;
    this.#named = target === 'list' ? namedBy(root, this.#dialect, isInFirstLocale(root)) : undefined;
    // A response with one document depends on its row, which it shows. A write to the document
    // counts as one to all of its rows.
    const canGainRows = target === 'single' || (target === 'list' && this.#named === undefined);
    // A condition may lead from the table back to itself.
    const isListed = canGainRows || isReached(root, own);
    const columns = columnsRead(root.schema, root.where, root.order);
    this.#columns = isListed ? columns : new Map([...columns].filter(([table]) => table !== own));
    for (const table of tables) if ((table !== own || isListed) && dependsOnAnyChange(this.#columns, table)) this.#listed.add(table);
  }

  /** Groups show values of all rows that they count. */
  grouped(tables: readonly string[]): void {
    for (const table of tables) {
      this.#read.add(table);
      this.#listed.add(table);
    }
  }

  /** The rows of a populated path. A write to a link counts as one to the rows at both ends, and
   *  these are shown. So tables count only where conditions, an order through relations, a number
   *  or other rows of the documents are looked at. */
  linked(node: Node, found: Sql, { isCount }: { readonly isCount: boolean }): void {
    const tables = this.#tablesOf(found);
    const throughRelations = node.order.some((term) => term.kind === 'attribute' && term.path.length > 0);
    if (isCount || node.linked !== undefined || hasConditions(node.where) || throughRelations)
      for (const table of tables) this.#listed.add(table);
  }

  result(): Dependencies {
    const listed = [...this.#columns].flatMap(([table, columns]) =>
      columns === 'all' || this.#listed.has(table) ? [] : [rowsKey(table), ...[...columns].map((column) => columnKey(table, column))],
    );
    return {
      tables: [...[...this.#listed].map(tableKey), ...[...this.#read].map(unknownRowsKey), ...listed],
      named: this.#named,
    };
  }

  #tablesOf(found: Sql): readonly string[] {
    const { tables } = statementOf(this.#dialect, found);
    for (const table of tables) this.#read.add(table);
    return tables;
  }
}

/** Whether any change of a table's rows counts. */
function dependsOnAnyChange(columns: ColumnsRead, table: string): boolean {
  const read = columns.get(table);
  return read === undefined || read === 'all';
}

/** Whether a condition looks at anything that may change in a row. */
const hasConditions = (condition: Condition): boolean => someLeaf(condition, ({ kind }) => kind !== 'status' && kind !== 'locales');

/** Whether a condition or the order of the rows looks at other rows of a table. */
function isReached({ where, order }: Node, table: string): boolean {
  const passes = (term: Order) =>
    term.kind === 'attribute' && term.path.some(({ target, scope }) => target.table === table || scopeReaches(scope, table));
  return conditionReaches(where, table) || order.some(passes);
}

const scopeReaches = (scope: Condition | undefined, table: string): boolean => scope !== undefined && conditionReaches(scope, table);

const conditionReaches = (condition: Condition, table: string): boolean =>
  someLeaf(
    condition,
    (leaf) =>
      leaf.kind === 'publication' ||
      leaf.kind === 'related' ||
      (leaf.kind === 'exists' && (leaf.target.table === table || scopeReaches(leaf.scope, table))) ||
      (leaf.kind === 'fallback' && scopeReaches(leaf.scope, table)),
  );

const isInFirstLocale = ({ where }: Node): boolean => someLeaf(where, ({ kind }) => kind === 'fallback');

/** Returns the value that all rows of a list have in an attribute that tells rows apart: a slug, a
 *  documentId. With `fallback`, a row with another value may take the place of one of them. */
function namedBy({ schema, where }: Node, dialect: Dialect, byDocument: boolean): Dependencies['named'] {
  if (where.kind !== 'and') return undefined;
  for (const condition of where.operands) {
    if (condition.kind === 'and') {
      const named = namedBy({ schema, where: condition } as Node, dialect, byDocument);
      if (named !== undefined) return named;
    }
    if (condition.kind !== 'compare' || condition.negated || condition.comparison.operator !== '=') continue;
    const { attribute, comparison, isExact = false } = condition;
    const isOfRow = namesRowByText(attribute) && (isExact || isPlain(dialect)) && !byDocument;
    const isName = attribute.name === 'documentId' || isOfRow;
    if (!isName) continue;
    const [value] = statementOf(dialect, sql.value(comparison.value, columnTypeOf(attribute))).parameters;
    if (value !== undefined) return { table: schema.table, column: attribute.column, value };
  }
  return undefined;
}

/** Whether `=` is true of equal texts only, whatever the collation. */
const isPlain = (dialect: Dialect): boolean => dialect.exactly('', 'string', 'values') === undefined;
