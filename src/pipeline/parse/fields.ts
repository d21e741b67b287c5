import { ApiError } from '../../errors/api-error.ts';
import { invalidKey, type QueryParameter } from '../../errors/invalid-key.ts';
import type { ScalarAttribute, Schema } from '../../model/content-model.ts';
import { isScalar, type ParseContext, visibleAttribute } from './context.ts';
import type { QueryObject, QueryValue } from './query-string.ts';

/** Reads `fields=title,slug` or `fields[0]=title&fields[1]=slug` into attributes; undefined for `*`
 *  and without `fields`: every default field. A relation or an unknown name throws
 *  `query.invalid-key`. */
export function parseFields(
  value: QueryValue | undefined,
  schema: Schema,
  context: Pick<ParseContext, 'known'>,
  parameter: QueryParameter,
): readonly ScalarAttribute[] | undefined {
  if (value === undefined || value === null) return undefined;
  const names = typeof value === 'string' ? value.split(',') : stringList(value);
  const trimmed = names.map((name) => name.trim());
  // Names besides `*` are checked as well.
  const fields = trimmed.flatMap((name) => (name === '*' ? [] : field(schema, name, context, parameter)));
  return trimmed.includes('*') ? undefined : fields;
}

/** The fields that layers of options name together (`withSelections`); undefined for every default
 *  field, which is what a level without `fields` has. */
export function fieldsOf(
  layers: readonly QueryObject[],
  schema: Schema,
  context: Pick<ParseContext, 'known'>,
  parameter: QueryParameter,
): readonly ScalarAttribute[] | undefined {
  const named = layers.filter(({ fields }) => fields !== undefined && fields !== null);
  const [first, ...others] = named.map(({ fields }) => parseFields(fields, schema, context, parameter));
  if (others.length === 0 || first === undefined) return first;
  return others.includes(undefined) ? undefined : [...new Set([...first, ...others.flatMap((each) => each ?? [])])];
}

function field(schema: Schema, name: string, context: Pick<ParseContext, 'known'>, parameter: QueryParameter): ScalarAttribute {
  const attribute = visibleAttribute(schema, name, '', parameter, context, isScalar);
  if (attribute.kind !== 'scalar') throw invalidKey(name, name, parameter);
  return attribute;
}

function stringList(value: QueryValue): string[] {
  if (Array.isArray(value) && value.every((item): item is string => typeof item === 'string'))
    return value.flatMap((item) => item.split(','));
  throw ApiError.of('fields.shape');
}
