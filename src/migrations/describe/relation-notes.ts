/** Counts links that the kind of their relation no longer allows. They are not removed. */
import type { LiveTable } from '../../dialects/database.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { literal } from '../../dialects/quote.ts';
import type { ContentModel, RelationAttribute, Schema } from '../../model/content-model.ts';

/** A query that counts rows, and the note that reports the count. */
export interface Question {
  /** Selects one number. */
  readonly query: string;
  say(count: string): string;
}

export interface QuestionContext {
  readonly model: ContentModel;
  readonly live: ReadonlyMap<string, LiveTable>;
  readonly dialect: Dialect;
}

export function relationQuestions(schema: Schema, attribute: RelationAttribute, context: QuestionContext): Question[] {
  const target = context.model.contentTypes.get(attribute.target ?? '')?.table;
  const query = target === undefined || attribute.cardinality === 'many' ? undefined : severalTargets(attribute, target, context);
  if (query === undefined) return [];
  return [
    {
      query,
      say: (count) =>
        `${schema.uid}.${attribute.name} is ${attribute.relation}; rows with several links: ${count}. ` +
        'The first link is served, and a write of the attribute removes the others.',
    },
  ];
}

const has = ({ live }: QuestionContext, table: string, ...columns: readonly string[]) =>
  columns.every((column) => live.get(table)?.columns.has(column));

/** A document has a row for each status and locale: links to several of them count as one. */
const groupsWithSeveral = (rows: string, group: string, documentId: string) =>
  `SELECT count(*) FROM (SELECT 1 FROM ${rows} GROUP BY ${group} HAVING count(DISTINCT ${documentId}) > 1) AS g`;

function severalTargets({ storage }: RelationAttribute, target: string, context: QuestionContext): string | undefined {
  const { quote } = context.dialect;
  if (!has(context, target, 'document_id')) return undefined;
  const joined = (table: string, column: string) => `${quote(table)} l JOIN ${quote(target)} t ON t.id = l.${quote(column)}`;
  switch (storage.kind) {
    case 'linkTable': {
      const { table, sourceColumn, targetColumn } = storage;
      if (!has(context, table, sourceColumn, targetColumn)) return undefined;
      return groupsWithSeveral(joined(table, targetColumn), `l.${quote(sourceColumn)}`, 't.document_id');
    }
    case 'inverseMorphLink': {
      const { table, targetColumn, idColumn, typeColumn, typeValue, fieldColumn, fieldValue } = storage;
      if (!has(context, table, targetColumn, idColumn)) return undefined;
      const condition = `l.${quote(typeColumn)} = ${literal(typeValue)} AND l.${quote(fieldColumn)} = ${literal(fieldValue)}`;
      return groupsWithSeveral(`${joined(table, targetColumn)} WHERE ${condition}`, `l.${quote(idColumn)}`, 't.document_id');
    }
    case 'inverseMorphColumns': {
      const { idColumn, typeColumn, typeValue } = storage;
      if (!has(context, target, idColumn, typeColumn)) return undefined;
      const rows = `${quote(target)} t WHERE t.${quote(typeColumn)} = ${literal(typeValue)}`;
      return groupsWithSeveral(rows, `t.${quote(idColumn)}`, 't.document_id');
    }
    default:
      return undefined;
  }
}
