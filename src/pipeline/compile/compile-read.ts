/** The fourth stage: makes the statements of a plan, and the shapes of their rows. */

import { fileUid } from '../../model/built-in-types.ts';
import type { ScalarAttribute, Schema } from '../../model/content-model.ts';
import { sql } from '../../sql/sql.ts';
import type { Status } from '../parse/types.ts';
import type { Node, PlannedLink, ReadPlan } from '../plan/types.ts';
import type { Assembly } from './assembly.ts';
import { whereClause } from './compile-conditions.ts';
import { hasCostly } from './costly.ts';
import { type CompileParts, ReadFragments, selectedColumns } from './fragments.ts';
import { type ParentIds, referenceSource, rowSource } from './links.ts';
import { OneStatement } from './one-statement.ts';
import { SeparateStatements } from './separate-statements.ts';
import type { CompiledLink, CompiledRead, RowsFrom, Shape, ShapeColumn } from './types.ts';

/** Makes the statements of a plan, and the shapes by which `render` writes their rows.
 *
 *  One tag with its name gives on SQLite `SELECT t1."id", t1."document_id", t1."name", t1."updated_at" FROM "tags" t1 WHERE t1."document_id" = ? AND
 *  t1."published_at" IS NOT NULL ORDER BY +t1."id" ASC LIMIT 1`, with the key of the path as its parameter. */
export function compileRead(plan: ReadPlan, parts: CompileParts): CompiledRead {
  const { wholeReads } = parts.dialect;
  const fragments = new ReadFragments(parts);
  const assembly = wholeReads === undefined ? new SeparateStatements(fragments) : new OneStatement(fragments, wholeReads);
  const updatedAt = versionColumn(plan);
  const selected = updatedAt === undefined ? plan.root : withColumn(plan.root, updatedAt);
  const ids = assembly.root({ ...plan, root: selected });
  const shape = new ReadCompiler(fragments, assembly, parts.status).shape(plan.root, 0, ids);
  const statements = assembly.statements();
  return {
    target: plan.target,
    envelope: plan.envelope,
    statements,
    shape,
    tables: [...new Set([...rootTables(statements), ...tablesOfShape(shape)])],
    updatedAt: updatedAt === undefined ? undefined : selectedColumns(selected).indexOf(updatedAt) + 1,
    valuesDecideTime: hasCostly(plan.root),
    withIsUrlSigned: parts.withIsUrlSigned,
  };
}

function rootTables(statements: CompiledRead['statements']): readonly string[] {
  return statements.kind === 'whole' ? statements.statement.tables : [statements.rows, statements.list?.ids].flatMap(tablesOf);
}

/** A part of the whole statement is no statement of its own. */
const tablesOf = (rows: RowsFrom | undefined): readonly string[] => (typeof rows === 'object' ? rows.tables : []);

const tablesOfShape = ({ links }: Shape): readonly string[] => links.flatMap(tablesOfLink);

function tablesOfLink(link: CompiledLink): readonly string[] {
  const tablesOfLevel = ({ rows, shape }: { readonly rows: RowsFrom; readonly shape: Shape }) => [
    ...tablesOf(rows),
    ...tablesOfShape(shape),
  ];
  switch (link.kind) {
    case 'count':
      return tablesOf(link.rows);
    case 'rows':
      return tablesOfLevel(link);
    case 'polymorphic':
      return [...tablesOf(link.references), ...[...link.branches.values()].flatMap(tablesOfLevel)];
  }
}

/** Returns the column that, together with the row id, identifies the state of one document. Users and files have no envelope and no entity tags. */
function versionColumn({ target, envelope, root }: ReadPlan): ScalarAttribute | undefined {
  if (target === 'list' || envelope === 'bare') return undefined;
  const attribute = root.schema.attributes.get('updatedAt');
  return attribute?.kind === 'scalar' ? attribute : undefined;
}

/** Adds a column to those that are selected. The shape decides what is shown. */
const withColumn = (node: Node, column: ScalarAttribute): Node =>
  node.columns.includes(column) ? node : { ...node, columns: [...node.columns, column] };

class ReadCompiler {
  readonly #fragments: ReadFragments;
  readonly #assembly: Assembly;
  readonly #status: Status;

  constructor(fragments: ReadFragments, assembly: Assembly, status: Status) {
    this.#fragments = fragments;
    this.#assembly = assembly;
    this.#status = status;
  }

  /** Returns the shape of a node. `offset` is the number of columns before the row id. */
  shape(node: Node, offset: number, ids: ParentIds): Shape {
    let index = offset;
    const columns = node.columns.map((attribute): ShapeColumn => {
      if (attribute.name === 'id') return { key: 'id', type: 'integer', index: offset, holds: undefined };
      index++;
      return { key: attribute.name, type: attribute.type, index, holds: urlsIn(node.schema, attribute) };
    });
    return {
      id: offset,
      columns,
      links: node.links.map((link) => this.#link(link, node.schema, ids)),
      component: node.schema.kind === 'component',
    };
  }

  #link(link: PlannedLink, owner: Schema, ids: ParentIds): CompiledLink {
    const { attribute } = link;
    const key = attribute.name;
    const conditions = this.#fragments.conditions;
    if (link.kind === 'polymorphic') {
      const targets = [...link.branches.values()].map(({ schema }) => schema);
      const references = this.#assembly.references(referenceSource(conditions, link.attribute, { owner, targets, ids }));
      const zone = link.attribute.kind === 'dynamiczone';
      return {
        kind: 'polymorphic',
        key,
        cardinality: link.attribute.kind === 'dynamiczone' ? 'many' : link.attribute.cardinality,
        component: zone,
        count: link.count,
        typeKey: zone ? '__component' : '__type',
        references: references.rows,
        branches: new Map(
          [...link.branches].map(([uid, node]) => {
            // A number needs no columns of the rows.
            const shown = link.count ? { ...node, columns: [], links: [] } : node;
            const level = this.#assembly.branch(shown, references.idsOf(uid));
            return [uid, { rows: level.rows, shape: this.shape(shown, 0, level.ids) }];
          }),
        ),
        zone: link.zone,
      };
    }
    const { node } = link;
    const source = rowSource(conditions, link.attribute, { owner, target: node.schema, status: this.#status, ids });
    const where = conditions.where(node.where, source.target, node.schema);
    const filters = whereClause(where === undefined ? source.where : [...source.where, where]);
    if (link.kind === 'count') return { kind: 'count', key, rows: this.#assembly.count(source, sql`${source.from}${filters}`) };
    const { terms, joins } = this.#fragments.orders.compile(node.order, source.target, node.schema, source.order);
    const level = this.#assembly.linked({
      node,
      source,
      found: sql`${source.from}${sql.join(joins, '')}${filters}`,
      order: node.order.length + source.order.length === 0 ? undefined : terms,
    });
    return {
      kind: 'rows',
      key,
      cardinality: link.attribute.cardinality,
      component: link.attribute.kind === 'component',
      keyInRow: link.attribute.kind === 'relation' && link.attribute.storage.kind === 'ownColumn',
      rows: level.rows,
      shape: this.shape(node, 1, level.ids),
    };
  }
}

function urlsIn({ uid }: Schema, { name }: ScalarAttribute): ShapeColumn['holds'] {
  if (uid !== fileUid) return undefined;
  return name === 'url' ? 'url' : name === 'formats' ? 'urls' : undefined;
}
