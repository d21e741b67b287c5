/** What schema files say about how editors see attributes. */
import type { AttributePresentation } from '../content-model.ts';
import { type lecternOfAttribute, writtenIn } from '../schema-file/lectern-keys.ts';
import { suggest } from '../schema-file/read-keys.ts';
import type { Written } from './presentation.ts';
import type { WrittenAttribute } from './resolution.ts';

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
