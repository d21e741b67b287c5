/** Returns the keys of what a write has changed, for the cache of responses. Needs no database. */

import { oncePer } from '../../../../collections.ts';
import { type ContentModel, type ScalarAttribute, type Schema, schemasOf, type Uid } from '../../../../model/content-model.ts';
import { namesRowByText } from '../../../../model/names-rows.ts';
import type { Cell } from '../../../../sql/rows.ts';
import { columnKey, rowKey, rowsKey, tableKey, unknownRowsKey, valueKey } from '../../../data-keys.ts';
import { isLinkAttribute } from '../../../entry/entry.ts';
import type { Change, RowUpdate } from './types.ts';

export interface ChangedData {
  readonly keys: ReadonlySet<number>;
  /** The tables whose changes the keys name. */
  readonly tables: ReadonlySet<string>;
}

/** Returns the keys of changes that have been written, so that new rows have ids. A changed link
 *  counts as a change of the rows at both ends. A document whose links or components change is
 *  among the changed rows itself, with its new `updated_at`. */
export function changedKeys(changes: readonly Change[], model: ContentModel): ChangedData {
  const data = new ChangedKeys(model);
  for (const change of changes) data.add(change);
  return data;
}

/** The keys of rows of a table that a statement has changed and only the engine knows. */
export const unknownRows = (table: string): readonly number[] => [tableKey(table), unknownRowsKey(table)];

class ChangedKeys implements ChangedData {
  readonly keys = new Set<number>();
  readonly tables = new Set<string>();
  readonly #model: ContentModel;

  constructor(model: ContentModel) {
    this.#model = model;
  }

  add(change: Change): void {
    switch (change.kind) {
      case 'insert row': {
        const { schema } = change.entry;
        this.#rows(schema.table);
        this.#referred(schema, change.cells);
        this.#named(schema, change.cells);
        return;
      }
      case 'update row':
        this.#updated(change);
        return;
      case 'delete row':
        this.#rows(change.table);
        this.keys.add(rowKey(change.table, change.id));
        if (change.schema !== undefined) this.#deleted(change.schema);
        return;
      case 'move':
        this.#table(change.table);
        return;
      case 'insert component':
        this.#table(change.owner.schema.componentsTable?.table ?? '');
        return;
      case 'insert link':
      case 'insert morph link':
        this.#table(change.storage.table);
        this.#target(change.link.row.uid, change.link.row.id);
        return;
      case 'set inverse columns':
        this.#unknown(change.table);
        return;
      case 'remove references':
        this.#unknown(change.columns.table);
        return;
      case 'await link':
      case 'forget awaited links':
      // No response shows them.
    }
  }

  #table(table: string): void {
    this.tables.add(table);
    this.keys.add(tableKey(table));
  }

  #rows(table: string): void {
    this.#table(table);
    this.keys.add(rowsKey(table));
  }

  #unknown(table: string): void {
    this.#table(table);
    this.keys.add(unknownRowsKey(table));
  }

  #target(uid: Uid, id: number): void {
    const table = this.#model.contentTypes.get(uid)?.table;
    if (table !== undefined) this.keys.add(rowKey(table, id));
  }

  #updated({ table, id, schema, before, cells }: RowUpdate): void {
    this.#table(table);
    this.keys.add(rowKey(table, id));
    for (const { name } of cells) this.keys.add(columnKey(table, name));
    for (const { name, column } of namingAttributes(schema)) {
      const former = before?.names.get(name);
      if (former === undefined) this.keys.add(unknownRowsKey(table));
      else this.keys.add(valueKey(table, column, former));
    }
    this.#named(schema, cells);
    this.#referred(schema, cells);
  }

  /** Rows referred to by type and id in written columns: they may be shown with their sources. */
  #referred(schema: Schema, cells: readonly Cell[]): void {
    for (const [idColumn, typeColumn] of referringColumns(schema)) {
      const id = cells.find(({ name }) => name === idColumn)?.value;
      const uid = cells.find(({ name }) => name === typeColumn)?.value;
      if (typeof id === 'number' && typeof uid === 'string') this.#target(uid as Uid, id);
    }
  }

  #named(schema: Schema, cells: readonly Cell[]): void {
    const naming = namingAttributes(schema);
    for (const { name, value } of cells)
      if (naming.some(({ column }) => column === name)) this.keys.add(valueKey(schema.table, name, value));
  }

  /** Foreign keys delete the links of a deleted row, and changes do not list these. */
  #deleted(schema: Schema): void {
    if (schema.kind !== 'component') this.#unknown(schema.table);
    for (const table of linkTables(this.#model)(schema)) this.#table(table);
  }
}

/** The attributes by whose values a list may be named (`Dependencies.named`). */
export const namingAttributes = oncePer((schema: Schema): readonly ScalarAttribute[] =>
  schema.kind === 'component'
    ? []
    : [...schema.attributes.values()].filter((attribute) => attribute.kind === 'scalar').filter(namesRowByText),
);

/** The columns of relations that a row stores as the id and the type of its target. */
const referringColumns = ({ attributes }: Schema): (readonly [idColumn: string, typeColumn: string])[] =>
  [...attributes.values()].flatMap((attribute) =>
    attribute.kind === 'relation' && attribute.storage.kind === 'morphColumns'
      ? [[attribute.storage.idColumn, attribute.storage.typeColumn] as const]
      : [],
  );

/** The link tables whose rows may lead to a row of the schema. */
const linkTables = oncePer((model: ContentModel) =>
  oncePer((schema: Schema): ReadonlySet<string> => {
    const all = schemasOf(model);
    return new Set([
      ...all.flatMap((source) => linkTablesOf(source, source.uid === schema.uid ? undefined : schema.uid)),
      ...(schema.componentsTable === undefined ? [] : [schema.componentsTable.table]),
      ...(schema.kind === 'component' ? all.flatMap(({ componentsTable }) => componentsTable?.table ?? []) : []),
    ]);
  }),
);

/** With `target`, only those that lead to it. */
const linkTablesOf = ({ attributes }: Schema, target: Uid | undefined): string[] =>
  [...attributes.values()].flatMap((attribute) => {
    if (!isLinkAttribute(attribute)) return [];
    const { storage } = attribute;
    if (!('table' in storage)) return [];
    const leadsThere = target === undefined || attribute.kind === 'media' || attribute.target === undefined || attribute.target === target;
    return leadsThere ? [storage.table] : [];
  });
