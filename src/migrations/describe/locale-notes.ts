/** Finds attributes that locales should share but do not, as they were localized when written. */
import { columnTypeOf } from '../../dialects/column-type.ts';
import { literal } from '../../dialects/quote.ts';
import { type Attribute, componentsColumns, type Schema } from '../../model/content-model.ts';
import type { Question, QuestionContext } from './relation-notes.ts';

export function localeQuestions(schema: Schema, attribute: Attribute, context: QuestionContext): Question[] {
  if (schema.kind === 'component' || !schema.localized || attribute.localized) return [];
  const signature = signatureOf(schema, attribute, context);
  if (signature === undefined) return [];
  const { values, differ, what } = signature;
  const rows = `SELECT r.document_id, CASE WHEN r.published_at IS NULL THEN 0 ELSE 1 END AS version, ${values} FROM ${context.dialect.quote(schema.table)} r`;
  return [
    {
      query:
        `SELECT count(DISTINCT document_id) FROM (SELECT document_id FROM (${rows}) AS v ` +
        `GROUP BY document_id, version HAVING ${differ}) AS g`,
      say: (count) =>
        `${schema.uid}.${attribute.name} is not localized; documents whose locales have different ${what}: ${count}. ` +
        'Each locale keeps its own until one is written; the others then get the same.',
    },
  ];
}

interface Signature {
  /** The columns to compare: they are equal if the values are equal. */
  readonly values: string;
  /** A condition: the rows of a group do not all have the same value. */
  readonly differ: string;
  readonly what: string;
}

function signatureOf(schema: Schema, attribute: Attribute, { live, dialect }: QuestionContext): Signature | undefined {
  const { quote } = dialect;
  if (attribute.kind === 'scalar') {
    if (attribute.system || !live.get(schema.table)?.columns.has(attribute.column)) return undefined;
    return {
      values: `${dialect.asText(`r.${quote(attribute.column)}`, columnTypeOf(attribute))} AS a`,
      differ: 'count(DISTINCT a) > 1 OR count(a) BETWEEN 1 AND count(*) - 1',
      what: 'values',
    };
  }
  if (attribute.kind === 'media') {
    const { table, idColumn, targetColumn, typeColumn, fieldColumn } = attribute.storage;
    if (!live.has(table)) return undefined;
    const isOf = `m.${quote(idColumn)} = r.id AND m.${quote(typeColumn)} = ${literal(schema.uid)} AND m.${quote(fieldColumn)} = ${literal(attribute.name)}`;
    const of = (what: string) => `(SELECT ${what} FROM ${quote(table)} m WHERE ${isOf})`;
    return {
      values: `${of('count(*)')} AS a, ${of(`coalesce(sum(m.${quote(targetColumn)}), 0)`)} AS b`,
      differ: 'min(a) <> max(a) OR min(b) <> max(b)',
      what: 'files',
    };
  }
  if (attribute.kind === 'relation' || schema.componentsTable === undefined || !live.has(schema.componentsTable.table)) return undefined;
  const { owner, field } = componentsColumns;
  const isOf = `c.${quote(owner)} = r.id AND c.${quote(field)} = ${literal(attribute.name)}`;
  return {
    values: `(SELECT count(*) FROM ${quote(schema.componentsTable.table)} c WHERE ${isOf}) AS a`,
    differ: 'min(a) <> max(a)',
    what: 'numbers of components',
  };
}
