/** What schema files say about how editors see types and attributes (`lectern`). Its mistakes are
 *  warnings: nothing but the look of forms depends on it. */
import type { JsonObject } from '../../text/json.ts';
import type { PresentedGroup, SchemaPresentation } from '../content-model.ts';
import type { ValuesOf } from '../schema-file/key.ts';
import { type lecternOfSchema, writtenIn } from '../schema-file/lectern-keys.ts';
import { suggest } from '../schema-file/read-keys.ts';
import type { SchemaProblems } from './schema-problems.ts';

/** The key in a file, and the same in `pluginOptions`. */
export type Written<Keys> = { readonly lectern: ValuesOf<Keys>; readonly pluginOptions: { readonly lectern: ValuesOf<Keys> } };

export function presentationOf(
  values: Written<typeof lecternOfSchema.inner.keys>,
  attributes: JsonObject,
  source: string,
  problems: SchemaProblems,
): SchemaPresentation | undefined {
  const written = writtenIn(values.lectern, values.pluginOptions.lectern);
  if (written === undefined) return undefined;
  const { label, title, groups } = written;
  const isAttribute = title !== undefined && Object.hasOwn(attributes, title);
  if (title !== undefined && !isAttribute) {
    const key = values.lectern.title === undefined ? ['pluginOptions', 'lectern', 'title'] : ['lectern', 'title'];
    problems.warn(
      source,
      key,
      `${JSON.stringify(title)} has no effect: it is not an attribute`,
      suggest(title, Object.keys(attributes), 'name one of the attributes'),
    );
  }
  return {
    ...(label === undefined ? {} : { label }),
    ...(isAttribute ? { title } : {}),
    ...(groups === undefined ? {} : { groups: groups.flatMap(groupOf) }),
  };
}

const groupOf = ({ name, label }: { readonly name: string | undefined; readonly label: string | undefined }): readonly PresentedGroup[] =>
  name === undefined || name === '' ? [] : [{ name, label: label === undefined || label === '' ? name : label }];
