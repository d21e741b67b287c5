/** What schema files say about how editors see types and attributes (`lectern`). Its mistakes are
 *  warnings: nothing but the look of forms depends on it. */
import type { JsonObject } from '../../text/json.ts';
import type { AttributePresentation, PresentedGroup, SchemaPresentation } from '../content-model.ts';
import type { ValuesOf } from '../schema-file/key.ts';
import { type lecternOfAttribute, type lecternOfSchema, writtenIn } from '../schema-file/lectern-keys.ts';
import { suggest } from '../schema-file/read-keys.ts';
import type { WrittenAttribute } from './resolution.ts';
import type { SchemaProblems } from './schema-problems.ts';

type Written<Keys> = { readonly lectern: ValuesOf<Keys>; readonly pluginOptions: { readonly lectern: ValuesOf<Keys> } };

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

export function presentationOfAttribute(
  attribute: WrittenAttribute,
  values: Written<typeof lecternOfAttribute.inner.keys>,
): AttributePresentation | undefined {
  const written = writtenIn(values.lectern, values.pluginOptions.lectern);
  if (written === undefined) return undefined;
  const { group, ...others } = written;
  const groups = attribute.owner.lectern?.groups?.map(({ name }) => name) ?? [];
  if (group === undefined || groups.includes(group)) return written as AttributePresentation;
  const key = values.lectern.group === undefined ? ['pluginOptions', 'lectern', 'group'] : ['lectern', 'group'];
  attribute.warn(
    key,
    `${JSON.stringify(group)} has no effect: lectern.groups of the file has no such group`,
    suggest(group, groups, `add { "name": ${JSON.stringify(group)}, "label": "…" } to lectern.groups`),
  );
  return others as AttributePresentation;
}
