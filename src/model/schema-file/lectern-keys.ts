/** The key `lectern` of schema files: how editors see types, components and attributes. */
import { checkedByLoader, currency, inOneRow, object, objects, oneOf, text } from './key.ts';

const widths = ['full', 'half', 'third'] as const;

const schema = {
  label: text('The name in lists and headings for editors, such as `Articles`; otherwise `info.displayName`.'),
  title: checkedByLoader(
    text('The attribute whose value stands for a document in lists and relations; otherwise the first text that the caller may read.'),
  ),
  groups: inOneRow(
    objects(
      {
        name: text('The name that attributes refer to.'),
        label: text('The heading of the group.'),
      } as const,
      'Groups of attributes in forms, in their order: `[{ "name": "seo", "label": "Search engines" }]`. Attributes name theirs in `lectern.group`.',
      ['name'],
    ),
  ),
} as const;

const attribute = {
  label: text('The name in forms and lists; otherwise made from the name of the attribute: `readingMinutes` is `Reading minutes`.'),
  help: text('A sentence below the field, for editors.'),
  placeholder: text('An example in the empty field.'),
  group: checkedByLoader(text('The name of one of the groups of `lectern.groups`.')),
  width: oneOf(widths, undefined, 'How wide the field is in forms.'),
  currency: currency('For numbers: the currency of the amount, such as `EUR` (ISO 4217). The amount is in its unit: 12.5 is € 12.50.'),
} as const;

const meaning = 'How editors see it. It changes nothing else.';
const same = 'The same as `lectern`, for files that Strapi writes too: its Content-Type Builder may drop keys that it does not know.';

export const lecternOfSchema = object(schema, meaning);
export const lecternOfAttribute = object(attribute, meaning);

/** The same in `pluginOptions`. */
export const pluginOptionOfSchema = inOneRow(object(schema, same));
export const pluginOptionOfAttribute = inOneRow(object(attribute, same));

/** The values that a file has: `own` in the key itself, `other` in `pluginOptions`. Undefined if it has none. */
export function writtenIn<T extends object>(own: T, other: T): Partial<T> | undefined {
  const entries = Object.entries({ ...defined(other), ...defined(own) });
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<T>);
}

/** An empty text is the same as none. */
const defined = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
