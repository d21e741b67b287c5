/** Copies rows with components at any depth, links and media. A temporary table has the pairs. */
import type { Connection } from '../../dialects/database.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { literal } from '../../dialects/quote.ts';
import { type ContentModel, type ContentType, componentsColumns, type Schema } from '../../model/content-model.ts';
import { physicalSchema } from '../../tables/physical-schema.ts';
import type { Table } from '../../tables/table.ts';

/** The condition that selects pairs in a statement. */
export const pairsTable = 'lectern_pairs';

/** Makes the temporary table of the pairs. Statements look for both ids. */
export async function createPairs(connection: Connection): Promise<void> {
  await connection.query(
    `CREATE TEMPORARY TABLE ${pairsTable} (uid varchar(255) NOT NULL, old_id integer NOT NULL, new_id integer NOT NULL, depth integer NOT NULL, PRIMARY KEY (uid, old_id))${connection.dialect.tables.tableOptions}`,
    [],
  );
  await connection.query(`CREATE INDEX ${pairsTable}_new ON ${pairsTable} (uid, new_id)`, []);
}

export class RowPairs {
  readonly connection: Connection;
  readonly model: ContentModel;
  readonly #tables: ReadonlyMap<string, Table>;

  /** `createPairs` has made the table. */
  constructor(connection: Connection, model: ContentModel) {
    this.connection = connection;
    this.model = model;
    this.#tables = new Map(physicalSchema(model).map((table) => [table.name, table]));
  }

  get dialect(): Dialect {
    return this.connection.dialect;
  }

  run(text: string): Promise<readonly (readonly unknown[])[]> {
    return Promise.resolve(this.connection.query(text, []));
  }

  /** Makes a pair of each row that `rows` (a statement with one column) finds. */
  async pair(schema: Schema, rows: string, depth = 0): Promise<void> {
    await this.run(
      `INSERT INTO ${pairsTable} (uid, old_id, new_id, depth) SELECT ${literal(schema.uid)}, paired.id, ${this.dialect.nextId(schema.table, 'paired.id')}, ${depth} ` +
        `FROM (${rows}) AS paired`,
    );
  }

  /** Copies rows of these types' pairs, with components. `replaced`: other values of columns. */
  async copyRows(types: readonly ContentType[], replaced: Readonly<Record<string, string>>): Promise<void> {
    for (const type of types) await this.#copy(type, 0, replaced);
    for (let depth = 0; ; depth++) {
      const owners = await this.run(`SELECT DISTINCT uid FROM ${pairsTable} WHERE depth = ${depth}`);
      if (owners.length === 0) return;
      for (const [uid] of owners) await this.#copyComponents(this.#schema(String(uid)), depth);
    }
  }

  async #copy(schema: Schema, depth: number, replaced: Readonly<Record<string, string>> = {}): Promise<void> {
    const { quote } = this.dialect;
    const columns = (this.#tables.get(schema.table)?.columns ?? []).map(({ name }) => name).filter((name) => name !== 'id');
    const values = columns.map((name) => replaced[name] ?? `r.${quote(name)}`);
    await this.run(
      `INSERT INTO ${quote(schema.table)} (${['id', ...columns].map(quote).join(', ')}) SELECT ${['p.new_id', ...values].join(', ')} ` +
        `FROM ${pairsTable} p JOIN ${quote(schema.table)} r ON r.id = p.old_id WHERE p.uid = ${literal(schema.uid)} AND p.depth = ${depth} ORDER BY p.new_id`,
    );
  }

  async #copyComponents(owner: Schema | undefined, depth: number): Promise<void> {
    if (owner?.componentsTable === undefined) return;
    const { quote } = this.dialect;
    const joins = quote(owner.componentsTable.table);
    const { owner: entity, component, type, field, order } = componentsColumns;
    const ofPairs = `${joins} j JOIN ${pairsTable} o ON o.uid = ${literal(owner.uid)} AND o.depth = ${depth} AND o.old_id = j.${quote(entity)}`;
    const kinds = await this.run(`SELECT DISTINCT j.${quote(type)} FROM ${ofPairs}`);
    for (const [uid] of kinds) {
      const schema = this.model.components.get(String(uid));
      if (schema === undefined) continue;
      const isKnown = `EXISTS (SELECT 1 FROM ${pairsTable} k WHERE k.uid = ${literal(schema.uid)} AND k.old_id = j.${quote(component)})`;
      const exists = `EXISTS (SELECT 1 FROM ${quote(schema.table)} c WHERE c.id = j.${quote(component)})`;
      await this.pair(
        schema,
        `SELECT DISTINCT j.${quote(component)} AS id FROM ${ofPairs} WHERE j.${quote(type)} = ${literal(schema.uid)} AND ${exists} AND NOT ${isKnown} ORDER BY 1`,
        depth + 1,
      );
      await this.#copy(schema, depth + 1);
    }
    await this.run(
      `INSERT INTO ${joins} (${[entity, component, type, field, order].map(quote).join(', ')}) ` +
        `SELECT o.new_id, c.new_id, j.${quote(type)}, j.${quote(field)}, j.${quote(order)} FROM ${ofPairs} ` +
        `JOIN ${pairsTable} c ON c.uid = j.${quote(type)} AND c.old_id = j.${quote(component)} ORDER BY j.id`,
    );
  }

  #schema(uid: string): Schema | undefined {
    return this.model.contentTypes.get(uid) ?? this.model.components.get(uid);
  }

  /** The schemas that have pairs. */
  async schemas(): Promise<Schema[]> {
    const rows = await this.run(`SELECT DISTINCT uid FROM ${pairsTable} ORDER BY uid`);
    return rows.flatMap(([uid]) => this.#schema(String(uid)) ?? []);
  }
}
