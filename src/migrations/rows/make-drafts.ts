/** Creates drafts of published rows after Draft & Publish was switched on. A draft links to drafts,
 *  a published row to published rows, and a row of a type without drafts to both. */
import type { Connection } from '../../dialects/database.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { literal } from '../../dialects/quote.ts';
import { type ContentModel, type ContentType, componentsColumns, type LinkTable, type Schema } from '../../model/content-model.ts';
import { hasDrafts, type Relations, relationsOf, typesWithDrafts } from './relations-of.ts';
import { createPairs, pairsTable, RowPairs } from './row-pairs.ts';

/** A condition on a row of a type: it is published, and its document has no draft in its locale. */
export const lacksDraft = (type: ContentType, alias: string, dialect: Dialect): string =>
  `${alias}.published_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${dialect.quote(type.table)} d WHERE ${isSibling('d', alias, dialect)} AND d.published_at IS NULL)`;

/** A condition: two rows are of the same document and locale. */
export const isSibling = (one: string, other: string, { same }: Dialect): string =>
  `${one}.document_id = ${other}.document_id AND ${one}.locale ${same} ${other}.locale`;

/** Creates the temporary tables that `makeDrafts` fills. They belong to the connection. */
export async function createTablesForDrafts(connection: Connection): Promise<void> {
  await createPairs(connection);
  await connection.query(
    `CREATE TEMPORARY TABLE ${componentsTable} (uid varchar(255) NOT NULL, id integer NOT NULL, state varchar(255) NOT NULL, depth integer NOT NULL)${connection.dialect.tables.tableOptions}`,
    [],
  );
  await connection.query(`CREATE INDEX ${componentsTable}_id ON ${componentsTable} (uid, id)`, []);
}

export async function dropTablesForDrafts(connection: Connection): Promise<void> {
  for (const table of [pairsTable, componentsTable]) await connection.query(`DROP TABLE ${table}`, []);
}

export async function makeDrafts(connection: Connection, model: ContentModel, types: readonly ContentType[]): Promise<void> {
  const pairs = new RowPairs(connection, model);
  const { dialect } = connection;
  for (const type of types) {
    await pairs.pair(type, `SELECT r.id FROM ${dialect.quote(type.table)} r WHERE ${lacksDraft(type, 'r', dialect)} ORDER BY r.id`);
  }
  await pairs.copyRows(types, { published_at: 'NULL' });
  const links = new DraftLinks(pairs, types);
  await links.copyOwn(new Set(await pairs.schemas()));
  await links.takeAlongOthers();
  await links.leadToDrafts();
}

class DraftLinks {
  readonly #pairs: RowPairs;
  readonly #types: ReadonlySet<Schema>;
  readonly #relations: Relations;

  constructor(pairs: RowPairs, types: readonly ContentType[]) {
    this.#pairs = pairs;
    this.#types = new Set(types);
    this.#relations = relationsOf(pairs.model);
  }

  /** Copies the links of the copied rows, and links to copied components. */
  async copyOwn(copied: ReadonlySet<Schema>): Promise<void> {
    const { quote } = this.#pairs.dialect;
    for (const { owner, target, storage } of this.#relations.tables) if (copied.has(owner)) await this.#copyLinks(owner, target, storage);
    for (const { owner, storage } of this.#relations.morphTables) {
      const { table, sourceColumn, idColumn, typeColumn, fieldColumn, orderColumn } = storage;
      const unchanged = [typeColumn, fieldColumn, orderColumn].map(quote);
      const columns = [sourceColumn, idColumn].map(quote).concat(unchanged).join(', ');
      const values = unchanged.map((column) => `l.${column}`);
      if (copied.has(owner)) {
        await this.#pairs.run(
          `INSERT INTO ${quote(table)} (${columns}) SELECT ${[`p.new_id`, `l.${quote(idColumn)}`, ...values].join(', ')} FROM ${quote(table)} l ` +
            `JOIN ${pairsTable} p ON p.uid = ${literal(owner.uid)} AND p.old_id = l.${quote(sourceColumn)} ORDER BY l.id`,
        );
      }
      // An owner without drafts, usually a file, belongs to both the published row and the draft.
      if (!hasDrafts(owner)) {
        await this.#pairs.run(
          `INSERT INTO ${quote(table)} (${columns}) SELECT ${[`l.${quote(sourceColumn)}`, 'p.new_id', ...values].join(', ')} FROM ${quote(table)} l ` +
            `JOIN ${pairsTable} p ON p.uid = l.${quote(typeColumn)} AND p.old_id = l.${quote(idColumn)} ORDER BY l.id`,
        );
      }
    }
  }

  async #copyLinks(owner: Schema, target: ContentType | undefined, link: LinkTable): Promise<void> {
    const { quote } = this.#pairs.dialect;
    const table = quote(link.table);
    const leadsTo = hasDrafts(target) ? 'd.id' : `l.${quote(link.targetColumn)}`;
    const drafts = hasDrafts(target)
      ? ` JOIN ${quote(target.table)} t ON t.id = l.${quote(link.targetColumn)} JOIN ${quote(target.table)} d ON ${isSibling('d', 't', this.#pairs.dialect)} AND d.published_at IS NULL`
      : '';
    const { orderColumn, inverseOrderColumn } = link;
    const position =
      'CASE WHEN s.position IS NULL THEN NULL ELSE row_number() OVER (PARTITION BY s.source ORDER BY s.position, s.target) END';
    await this.#pairs.run(
      `INSERT INTO ${table} (${linkColumns(link).map(quote).join(', ')}) ` +
        `SELECT s.source, s.target${orderColumn === undefined ? '' : `, ${position}`}${inverseOrderColumn === undefined ? '' : ', s.inverse'} ` +
        `FROM (SELECT p.new_id AS source, ${leadsTo} AS target, ${smallest(orderColumn, quote)} AS position, ${smallest(inverseOrderColumn, quote)} AS inverse ` +
        `FROM ${table} l JOIN ${pairsTable} p ON p.uid = ${literal(owner.uid)} AND p.old_id = l.${quote(link.sourceColumn)}${drafts} ` +
        `GROUP BY p.new_id, ${leadsTo}) AS s ORDER BY s.source, s.position, s.target`,
    );
  }

  /** Changes the links of other rows to rows that now have a draft: a draft links to the draft, a
   *  row of a type without drafts to both. */
  async takeAlongOthers(): Promise<void> {
    const { quote } = this.#pairs.dialect;
    const inComponents = this.#relations.tables.some(({ owner, target }) => owner.kind === 'component' && this.#isMeant(target));
    if (inComponents) await this.#findComponents();
    for (const { owner, target, storage } of this.#relations.tables) {
      if (!this.#isMeant(target)) continue;
      // EXISTS: with two lists of ids for one index, a database may try every combination.
      if (owner.kind === 'component') {
        const having = (state: string) => (source: string) =>
          `EXISTS (SELECT 1 FROM ${componentsTable} k WHERE k.uid = ${literal(owner.uid)} AND k.id = ${source} AND k.state = '${state}')`;
        await this.#leadToCopy(storage, target, having('draft'));
        await this.#addCopy(storage, target, having('plain'));
      } else if (owner.draftAndPublish) {
        const isDraft = (source: string) =>
          `EXISTS (SELECT 1 FROM ${quote(owner.table)} s WHERE s.id = ${source} AND s.published_at IS NULL)`;
        await this.#leadToCopy(storage, target, isDraft);
      } else await this.#addCopy(storage, target, () => '1 = 1');
    }
    for (const { owner, storage } of this.#relations.morphTables) {
      if (!hasDrafts(owner)) continue;
      const { table, sourceColumn, idColumn, typeColumn } = storage;
      await this.#pairs.run(
        `UPDATE ${quote(table)} SET ${quote(idColumn)} = (SELECT p.new_id FROM ${pairsTable} p WHERE p.uid = ${quote(table)}.${quote(typeColumn)} AND p.old_id = ${quote(table)}.${quote(idColumn)}) ` +
          `WHERE ${quote(sourceColumn)} IN (SELECT id FROM ${quote(owner.table)} WHERE published_at IS NULL) ` +
          `AND EXISTS (SELECT 1 FROM ${pairsTable} p WHERE p.uid = ${quote(table)}.${quote(typeColumn)} AND p.old_id = ${quote(table)}.${quote(idColumn)})`,
      );
    }
  }

  #isMeant(target: ContentType | undefined): target is ContentType {
    return target !== undefined && this.#types.has(target);
  }

  async #leadToCopy(
    { table, sourceColumn, targetColumn }: LinkTable,
    target: ContentType,
    condition: (source: string) => string,
  ): Promise<void> {
    const { quote } = this.#pairs.dialect;
    const column = `${quote(table)}.${quote(targetColumn)}`;
    const copy = `FROM ${pairsTable} p WHERE p.uid = ${literal(target.uid)} AND p.old_id = ${column}`;
    await this.#pairs.run(
      `UPDATE ${quote(table)} SET ${quote(targetColumn)} = (SELECT p.new_id ${copy}) ` +
        `WHERE EXISTS (SELECT 1 ${copy}) AND ${condition(`${quote(table)}.${quote(sourceColumn)}`)}`,
    );
  }

  async #addCopy(link: LinkTable, target: ContentType, condition: (source: string) => string): Promise<void> {
    const { quote } = this.#pairs.dialect;
    const [source = '', , ...orders] = linkColumns(link).map(quote);
    const values = [`l.${source}`, 'p.new_id', ...orders.map((column) => `l.${column}`)].join(', ');
    await this.#pairs.run(
      `INSERT INTO ${quote(link.table)} (${linkColumns(link).map(quote).join(', ')}) SELECT ${values} FROM ${quote(link.table)} l ` +
        `JOIN ${pairsTable} p ON p.uid = ${literal(target.uid)} AND p.old_id = l.${quote(link.targetColumn)} WHERE ${condition(`l.${source}`)} ORDER BY l.id`,
    );
  }

  /** Lists the components of drafts, and those of types without drafts, at any depth. */
  async #findComponents(): Promise<void> {
    const { quote } = this.#pairs.dialect;
    const { owner: entity, component, type } = componentsColumns;
    const insert = (joins: string, state: string, depth: number, owners: string) =>
      this.#pairs.run(
        `INSERT INTO ${componentsTable} (uid, id, state, depth) SELECT DISTINCT j.${quote(type)}, j.${quote(component)}, ${state}, ${depth} FROM ${quote(joins)} j ${owners}`,
      );
    for (const schema of this.#pairs.model.contentTypes.values()) {
      if (schema.componentsTable === undefined) continue;
      const condition = schema.draftAndPublish ? ' AND r.published_at IS NULL' : '';
      const owners = `JOIN ${quote(schema.table)} r ON r.id = j.${quote(entity)}${condition}`;
      await insert(schema.componentsTable.table, schema.draftAndPublish ? "'draft'" : "'plain'", 0, owners);
    }
    const known = `(SELECT 1 FROM ${componentsTable} k WHERE k.uid = j.${quote(type)} AND k.id = j.${quote(component)})`;
    for (let depth = 0; ; depth++) {
      const levels = await this.#pairs.run(`SELECT DISTINCT uid FROM ${componentsTable} WHERE depth = ${depth}`);
      if (levels.length === 0) return;
      for (const [uid] of levels) {
        const schema = this.#pairs.model.components.get(String(uid));
        if (schema?.componentsTable === undefined) continue;
        const owners = `JOIN ${componentsTable} o ON o.uid = ${literal(schema.uid)} AND o.depth = ${depth} AND o.id = j.${quote(entity)} WHERE NOT EXISTS ${known}`;
        await insert(schema.componentsTable.table, 'o.state', depth + 1, owners);
      }
    }
  }

  /** Makes own columns and polymorphic links of drafts and of copied components refer to drafts. */
  async leadToDrafts(): Promise<void> {
    const { quote } = this.#pairs.dialect;
    const targets = typesWithDrafts(this.#pairs.model);
    for (const { owner, target, storage } of this.#relations.columns) {
      if (!hasDrafts(target) || !(this.#isDraftOwner(owner) || this.#isMeant(target))) continue;
      await this.#followColumn(owner, target, storage.column, 'TRUE');
    }
    for (const { owner, storage } of this.#relations.morphColumns) {
      for (const target of targets) {
        await this.#followColumn(owner, target, storage.idColumn, `${quote(storage.typeColumn)} = ${literal(target.uid)}`);
      }
    }
    for (const { owner, storage } of this.#relations.morphTables) {
      for (const target of targets) {
        const { table, sourceColumn, idColumn, typeColumn } = storage;
        const isCopy = `${quote(sourceColumn)} IN (SELECT new_id FROM ${pairsTable} WHERE uid = ${literal(owner.uid)})`;
        await this.#follow(table, target, idColumn, `${quote(typeColumn)} = ${literal(target.uid)} AND ${isCopy}`);
      }
    }
  }

  #isDraftOwner(owner: Schema): boolean {
    return hasDrafts(owner) || owner.kind === 'component';
  }

  async #followColumn(owner: Schema, target: ContentType, column: string, condition: string): Promise<void> {
    if (!this.#isDraftOwner(owner)) return;
    const isCopy = `id IN (SELECT new_id FROM ${pairsTable} WHERE uid = ${literal(owner.uid)})`;
    const isDraft = this.#isMeant(target) && hasDrafts(owner) ? `(published_at IS NULL OR ${isCopy})` : isCopy;
    await this.#follow(owner.table, target, column, `${condition} AND ${isDraft}`);
  }

  /** Makes a column refer to the draft of the row that it refers to, if there is one. */
  async #follow(table: string, target: ContentType, column: string, condition: string): Promise<void> {
    const { quote } = this.#pairs.dialect;
    const own = `${quote(table)}.${quote(column)}`;
    // With ORDER BY and LIMIT in place of `min`, MariaDB may scan the table for each row.
    const draft =
      `SELECT min(d.id) FROM ${quote(target.table)} t JOIN ${quote(target.table)} d ON ${isSibling('d', 't', this.#pairs.dialect)} AND d.published_at IS NULL ` +
      `WHERE t.id = ${own}`;
    await this.#pairs.run(
      `UPDATE ${quote(table)} SET ${quote(column)} = coalesce((${draft}), ${own}) WHERE ${quote(column)} IS NOT NULL AND ${condition}`,
    );
  }
}

/** A temporary table of components with owners that are drafts (`draft`) or have none (`plain`). */
const componentsTable = 'lectern_components';

export const linkColumns = ({ sourceColumn, targetColumn, orderColumn, inverseOrderColumn }: LinkTable): string[] =>
  [sourceColumn, targetColumn, orderColumn, inverseOrderColumn].filter((column) => column !== undefined);

const smallest = (column: string | undefined, quote: (name: string) => string): string =>
  column === undefined ? 'NULL' : `min(l.${quote(column)})`;
