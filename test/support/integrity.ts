/** Invariants of a database, whatever was written to it: derived from the model, table by table, in SQL that every engine understands. */
import type { Connection } from '../../src/dialects/database.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import {
  type Attribute,
  type ContentModel,
  type ContentType,
  componentsColumns,
  type InverseMorphLink,
  type LinkTable,
  type MorphLink,
  type Schema,
} from '../../src/model/content-model.ts';
import { loadModel } from '../../src/model/load/load-model.ts';
import type { Project } from './project.ts';
import { withDatabase } from './with-database.ts';

/** Everything that is wrong in the database that a project's settings name, as sentences with the number of rows; nothing for a sound one. `env` is the
 *  environment of its server. */
export function projectProblems(project: Pick<Project, 'dir' | 'env'>): Promise<string[]> {
  const loaded = loadModel(project.dir, { customFields: {}, asStrapi: false });
  if (!loaded.ok) throw new Error(`${project.dir} does not load`);
  return withDatabase(project, (database) =>
    database.read((connection) => new Checker(connection, database.dialect, loaded.model).problems()),
  );
}

class Checker {
  readonly #connection: Connection;
  readonly #dialect: Dialect;
  readonly #model: ContentModel;
  readonly #found: string[] = [];
  readonly #seen = new Set<string>();

  constructor(connection: Connection, dialect: Dialect, model: ContentModel) {
    this.#connection = connection;
    this.#dialect = dialect;
    this.#model = model;
  }

  async problems(): Promise<string[]> {
    const { contentTypes, components } = this.#model;
    const schemas: readonly Schema[] = [...contentTypes.values(), ...components.values()];
    for (const type of contentTypes.values()) if (type.routed) await this.#documents(type);
    for (const schema of schemas) {
      if (schema.componentsTable !== undefined) await this.#joins(schema, schema.componentsTable.table);
      for (const attribute of schema.attributes.values()) await this.#links(schema, attribute);
    }
    for (const component of components.values()) await this.#uses(component, schemas);
    return this.#found;
  }

  /** One row for each document, locale and status; a published version has a draft. */
  async #documents(type: ContentType): Promise<void> {
    const table = this.#quoted(type.table);
    const version = type.draftAndPublish ? ', CASE WHEN r.published_at IS NULL THEN 0 ELSE 1 END' : '';
    await this.#none(
      `${type.uid}: documents with the same locale and status twice`,
      `SELECT 1 FROM ${table} AS r GROUP BY r.document_id, r.locale${version} HAVING COUNT(*) > 1`,
    );
    if (!type.draftAndPublish) return;
    await this.#none(
      `${type.uid}: published versions without a draft`,
      `SELECT 1 FROM ${table} AS p WHERE p.published_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${table} AS d WHERE d.published_at IS NULL ` +
        'AND d.document_id = p.document_id AND (d.locale = p.locale OR (d.locale IS NULL AND p.locale IS NULL)))',
    );
  }

  /** Rows that join a schema's entries with their components. */
  async #joins(schema: Schema, table: string): Promise<void> {
    const own = componentsColumns;
    await this.#leadsNowhere(`${table}: the entry is gone`, table, own.owner, schema.table, '');
    const places: string[] = [];
    for (const attribute of schema.attributes.values()) {
      if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') continue;
      const uids = attribute.kind === 'component' ? [attribute.component] : attribute.components;
      for (const uid of uids) {
        const place = this.#place(attribute.name, uid);
        places.push(place);
        const component = this.#model.components.get(uid);
        if (component !== undefined)
          await this.#leadsNowhere(`${table}: the component ${uid} is gone`, table, own.component, component.table, ` AND ${place}`);
      }
      if (attribute.kind === 'component' && attribute.cardinality === 'one') {
        await this.#none(
          `${table}: several components in ${attribute.name}`,
          `SELECT 1 FROM ${this.#quoted(table)} AS r WHERE r.field = ${this.#text(attribute.name)} GROUP BY r.entity_id HAVING COUNT(*) > 1`,
        );
      } else {
        await this.#none(
          `${table}: two components in one place of ${attribute.name}`,
          `SELECT 1 FROM ${this.#quoted(table)} AS r WHERE r.field = ${this.#text(attribute.name)} GROUP BY r.entity_id, r.${this.#quoted(own.order)} HAVING COUNT(*) > 1`,
        );
      }
    }
    await this.#none(
      `${table}: a component in no attribute of ${schema.uid}`,
      `SELECT 1 FROM ${this.#quoted(table)} AS r WHERE NOT (${places.join(' OR ')})`,
    );
  }

  /** Every component row is used, and used once. */
  async #uses(component: Schema, schemas: readonly Schema[]): Promise<void> {
    const tables = schemas.flatMap(({ componentsTable }) => (componentsTable === undefined ? [] : [componentsTable.table]));
    const own = componentsColumns;
    const uses = tables
      .map((table) => `SELECT r.${own.component} AS id FROM ${this.#quoted(table)} AS r WHERE r.${own.type} = ${this.#text(component.uid)}`)
      .join(' UNION ALL ');
    await this.#none(`${component.uid}: used twice`, `SELECT 1 FROM (${uses}) AS u GROUP BY u.id HAVING COUNT(*) > 1`);
    await this.#none(
      `${component.uid}: used nowhere`,
      `SELECT 1 FROM ${this.#quoted(component.table)} AS c WHERE c.id NOT IN (SELECT u.id FROM (${uses}) AS u)`,
    );
  }

  async #links(schema: Schema, attribute: Attribute): Promise<void> {
    if (attribute.kind !== 'relation' && attribute.kind !== 'media') return;
    const { storage } = attribute;
    const target = attribute.target === undefined ? undefined : this.#model.contentTypes.get(attribute.target);
    const what = `${schema.uid}.${attribute.name}`;
    switch (storage.kind) {
      case 'linkTable':
        if (target !== undefined) await this.#linkTable(what, schema, storage, target);
        return;
      case 'ownColumn':
        if (target !== undefined) await this.#leadsNowhere(`${what}: the target is gone`, schema.table, storage.column, target.table, '');
        return;
      case 'morphColumns':
        await this.#morph(what, schema.table, storage.idColumn, storage.typeColumn);
        return;
      case 'morphLink':
        await this.#leadsNowhere(`${storage.table}: the source is gone`, storage.table, storage.sourceColumn, schema.table, '');
        await this.#morph(what, storage.table, storage.idColumn, storage.typeColumn);
        await this.#onePlace(storage);
        return;
      case 'inverseMorphLink':
        await this.#inverseMorph(what, schema, storage);
        return;
      case 'inverseMorphColumns':
      case 'sameDocument':
        // The other side says it.
        return;
    }
  }

  async #linkTable(what: string, schema: Schema, storage: LinkTable, target: ContentType): Promise<void> {
    const { table, sourceColumn, targetColumn } = storage;
    await this.#leadsNowhere(`${what}: the source is gone`, table, sourceColumn, schema.table, '');
    await this.#leadsNowhere(`${what}: the target is gone`, table, targetColumn, target.table, '');
    await this.#none(
      `${what}: linked twice`,
      `SELECT 1 FROM ${this.#quoted(table)} AS r GROUP BY r.${this.#quoted(sourceColumn)}, r.${this.#quoted(targetColumn)} HAVING COUNT(*) > 1`,
    );
    if (schema.kind === 'component' || !schema.draftAndPublish || !target.draftAndPublish) return;
    await this.#none(
      `${what}: between a draft and a published version`,
      `SELECT 1 FROM ${this.#quoted(table)} AS r JOIN ${this.#quoted(schema.table)} AS s ON s.id = r.${this.#quoted(sourceColumn)} ` +
        `JOIN ${this.#quoted(target.table)} AS t ON t.id = r.${this.#quoted(targetColumn)} WHERE (s.published_at IS NULL) <> (t.published_at IS NULL)`,
    );
  }

  /** A target of any type: known, and there. */
  async #morph(what: string, table: string, idColumn: string, typeColumn: string): Promise<void> {
    const types = [...this.#model.contentTypes.values(), ...this.#model.components.values()];
    const column = `r.${this.#quoted(typeColumn)}`;
    for (const { uid, table: target } of types)
      await this.#leadsNowhere(`${what}: the target (${uid}) is gone`, table, idColumn, target, ` AND ${column} = ${this.#text(uid)}`);
    await this.#none(
      `${what}: a target of an unknown type`,
      `SELECT 1 FROM ${this.#quoted(table)} AS r WHERE r.${this.#quoted(idColumn)} IS NOT NULL AND ${column} NOT IN (${types.map(({ uid }) => this.#text(uid)).join(', ')})`,
    );
  }

  async #inverseMorph(what: string, schema: Schema, storage: InverseMorphLink): Promise<void> {
    const type = `r.${this.#quoted(storage.typeColumn)} = ${this.#text(storage.typeValue)}`;
    const field = `r.${this.#quoted(storage.fieldColumn)} = ${this.#text(storage.fieldValue)}`;
    await this.#leadsNowhere(`${what}: the entry is gone`, storage.table, storage.idColumn, schema.table, ` AND ${type} AND ${field}`);
  }

  async #onePlace({ table, sourceColumn, idColumn, typeColumn, fieldColumn }: MorphLink): Promise<void> {
    const columns = [sourceColumn, idColumn, typeColumn, fieldColumn].map((name) => `r.${this.#quoted(name)}`).join(', ');
    await this.#none(`${table}: linked twice`, `SELECT 1 FROM ${this.#quoted(table)} AS r GROUP BY ${columns} HAVING COUNT(*) > 1`);
  }

  #leadsNowhere(what: string, table: string, column: string, target: string, condition: string): Promise<void> {
    const id = `r.${this.#quoted(column)}`;
    return this.#none(
      what,
      `SELECT 1 FROM ${this.#quoted(table)} AS r WHERE ${id} IS NOT NULL${condition} AND NOT EXISTS (SELECT 1 FROM ${this.#quoted(target)} AS t WHERE t.id = ${id})`,
    );
  }

  /** Both sides of a relation ask the same of their table. */
  async #none(what: string, rows: string): Promise<void> {
    if (this.#seen.has(rows)) return;
    this.#seen.add(rows);
    const [row] = await this.#connection.query(`SELECT COUNT(*) FROM (${rows}) AS wrong`, []);
    const count = Number(row?.[0]);
    if (count > 0) this.#found.push(`${what} (${count})`);
  }

  #place = (field: string, uid: string) =>
    `(r.${componentsColumns.field} = ${this.#text(field)} AND r.${componentsColumns.type} = ${this.#text(uid)})`;

  #quoted = (name: string) => this.#dialect.quote(name);
  /** Names of the model alone: no value of anybody's. */
  #text = (name: string) => `'${name.replaceAll("'", "''")}'`;
}
