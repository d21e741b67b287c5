/** The keys of attributes in schema files, for each type of attribute. */
import type { ScalarType } from '../content-model.ts';
import { relationKinds } from '../scalar-types.ts';
import {
  anyObject,
  anything,
  bound,
  byDefault,
  checkedByLoader,
  flag,
  integer,
  type Key,
  object,
  oneOf,
  rule,
  strapiOnly,
  text,
  texts,
} from './key.ts';
import { lecternOfAttribute, pluginOptionOfAttribute } from './lectern-keys.ts';

export interface AttributeDefinition<Keys> {
  readonly description: string;
  /** The value in requests and responses, as documentation text. */
  readonly inJson: string;
  readonly keys: Keys;
  readonly required: readonly string[];
}

const pluginOptions = object(
  {
    i18n: object(
      { localized: flag(false, 'Whether each locale of a document has a value of its own; the type has to be localized, too.') },
      '',
    ),
    lectern: pluginOptionOfAttribute,
  },
  'Options of plugins. Lectern reads `i18n.localized` and `lectern`.',
  { open: true },
);

/** The keys of every attribute. */
const common = {
  type: checkedByLoader(text('The type of the attribute.')),
  required: flag(false, 'Whether a published entry must have a value. Drafts may be without one.'),
  private: flag(
    false,
    'Hides the attribute from every caller of the API: it is neither returned nor filtered, sorted, populated or searched. Bodies may set it.',
  ),
  writable: flag(true, '`false`: a body that names the attribute is refused.'),
  lectern: lecternOfAttribute,
  pluginOptions,
  searchable: flag(true, '`false`: `_q` does not search the attribute. It counts for texts and numbers.'),
  configurable: strapiOnly(flag(true, "Whether Strapi's panel may change the attribute.")),
  visible: strapiOnly(flag(true, "Whether Strapi's panel shows the attribute.")),
  conditions: strapiOnly(anyObject("When Strapi's panel shows the attribute.")),
  description: text('A note for people. `lectern types` and the OpenAPI document show it.'),
  column: strapiOnly(anyObject('The column in the tables that Strapi makes.')),
} as const;

const defaultValue = (shape: string): Key => rule({ ...anything('The value of new entries whose body has none.'), shape });

/** The keys of every attribute with a column. */
const scalar = {
  ...common,
  unique: flag(
    false,
    'Refuses a value that another published document of the same locale has. No effect on `json`, `blocks` and `password`, nor in profile `strapi` on `enumeration` and `boolean`.',
  ),
  columnName: byDefault('the name in snake case', text('The column, if its name differs from that of the attribute.')),
} as const;

const lengths = {
  minLength: rule(integer(0, 'The fewest characters of a published value.')),
  maxLength: rule(integer(0, 'The most characters.')),
} as const;
const pattern = {
  regex: rule(checkedByLoader(text('A regular expression of JavaScript, without slashes, that a published value has to match.'))),
} as const;
const written = { ...scalar, default: defaultValue('text'), ...lengths, ...pattern } as const;
const bounds = {
  min: rule(bound('The least value of a published entry.')),
  max: rule(bound('The greatest value.')),
} as const;
const numeric = { ...scalar, default: defaultValue('a number'), ...bounds } as const;
const counts = {
  min: integer(0, 'The fewest components of a published entry.'),
  max: integer(0, 'The most components.'),
} as const;

type ScalarKeys = typeof scalar & { readonly default: Key } & Readonly<Record<string, Key>>;

const define = <Keys>(description: string, inJson: string, keys: Keys, required: readonly string[] = []): AttributeDefinition<Keys> => ({
  description,
  inJson,
  keys,
  required: ['type', ...required],
});

/** Every type with a column of its own. */
export const scalarAttributes: Readonly<Record<ScalarType, AttributeDefinition<ScalarKeys>>> = {
  string: define('A short text of at most 255 characters.', 'text', {
    ...written,
    maxLength: byDefault('`255`', lengths.maxLength),
  }),
  text: define('A text of any length.', 'text', written),
  richtext: define('A text in Markdown, stored and returned as it is.', 'text', written),
  blocks: define("The blocks of Strapi's editor: paragraphs, headings, lists, quotes, code, images and links.", 'a list of blocks', {
    ...scalar,
    default: defaultValue('a list of blocks'),
  }),
  email: define('An e-mail address.', 'text', {
    ...written,
    minLength: strapiOnly(integer(0, 'No effect on e-mail addresses, as in Strapi.')),
  }),
  password: define(
    'A text that is stored as a hash by bcrypt. It can be written and is never returned or filtered.',
    'text; responses leave it out',
    {
      ...written,
      encryption: rule(anyObject('`{ "rounds": 10 }`, from 4 to 15: the cost of the hash.')),
    },
  ),
  uid: define(
    'A text for URLs, of letters, digits and `-_.~`: no other published document of the same locale may have the same. In a localized type, each locale has its own.',
    'text',
    {
      ...written,
      targetField: rule(text('The attribute of the same file that the value is made from.')),
      options: rule(
        anyObject('How the value is made: `separator`, `lowercase`, `decamelize`, `customReplacements`, `preserveLeadingUnderscore`.'),
      ),
    },
  ),
  enumeration: define(
    'One of a list of texts.',
    'text',
    {
      ...scalar,
      default: defaultValue('one of `enum`'),
      enum: checkedByLoader(texts('The values, in any order. A list without values refuses every value.')),
      enumName: strapiOnly(text("The name of the enumeration in Strapi's GraphQL.")),
    },
    ['enum'],
  ),
  integer: define('A whole number within ±2⁵³; a column of PostgreSQL holds ±2³¹.', 'a number', numeric),
  biginteger: define('A whole number of 64 bits. `min` and `max` are not checked, as in Strapi.', 'the digits as text', {
    ...numeric,
    default: defaultValue('a whole number, or its digits as text'),
  }),
  float: define('A number with a fraction, in binary.', 'a number', numeric),
  decimal: define('A number with two decimal places on PostgreSQL; a binary number on SQLite.', 'a number', numeric),
  boolean: define('True or false.', '`true` or `false`', { ...scalar, default: defaultValue('true or false') }),
  date: define('A day.', '`"2024-02-29"`', { ...scalar, default: defaultValue('a date, such as `"2024-02-29"`') }),
  time: define('A time of day, to the millisecond.', '`"10:20:30.500"`', {
    ...scalar,
    default: defaultValue('a time, such as `"10:20:30.500"`'),
  }),
  datetime: define('An instant, to the millisecond. Bodies may use any offset; responses have UTC.', '`"2024-02-29T10:20:30.500Z"`', {
    ...scalar,
    default: defaultValue('an instant, such as `"2024-02-29T10:20:30.500Z"`'),
  }),
  timestamp: define('An instant, in milliseconds since 1970.', 'the milliseconds as text', {
    ...scalar,
    default: defaultValue('an instant, as for `datetime`'),
  }),
  json: define('Any JSON value.', 'the value', { ...scalar, default: defaultValue('any JSON value') }),
};

/** The types of files that a media attribute may accept. */
const fileTypes = ['images', 'videos', 'audios', 'files'] as const;

export const relationAttribute = define(
  'Links to documents of another type, or of the same.',
  'left out unless populated',
  {
    ...common,
    relation: checkedByLoader(oneOf(Object.keys(relationKinds), undefined, 'The kind of relation.')),
    target: checkedByLoader(
      text('The uid of the content type at the other end: `api::category.category`. `morphToOne` and `morphToMany` have none.'),
    ),
    inversedBy: checkedByLoader(text('The attribute of the target that shows the same links. It stands on the side that owns them.')),
    mappedBy: checkedByLoader(text('The attribute of the target that owns the links. It stands on the other side.')),
    morphBy: checkedByLoader(text('For `morphOne` and `morphMany`: the `morphToOne` or `morphToMany` attribute of the target.')),
    morphColumn: anyObject('For `morphToOne`: the columns, as `{ "idColumn": { "name": "…" }, "typeColumn": { "name": "…" } }`.'),
    useJoinTable: flag(true, '`false`: a one-way relation to one document is stored in a column of its own table.'),
    joinColumn: anyObject('With `useJoinTable: false`: the column, as `{ "name": "…" }`.'),
    joinTable: checkedByLoader(anyObject('A link table of another form; not supported.')),
    autoPopulate: strapiOnly(anything('An option of Strapi 3.')),
    dominant: strapiOnly(anything('An option of Strapi 3.')),
    unstable_virtual: strapiOnly(anything('Strapi makes no table for the relation.')),
  } as const,
  ['relation'],
);

export const mediaAttribute = define('One or more files of the media library.', 'left out unless populated', {
  ...common,
  multiple: flag(false, 'Whether the attribute holds a list of files.'),
  allowedTypes: byDefault('every type', texts('The types of files that it accepts.', fileTypes)),
} as const);

export const componentAttribute = define(
  'A component, or a list of them, that belongs to the entry.',
  'left out unless populated',
  {
    ...common,
    component: checkedByLoader(text('The component: `shared.seo` is the file `src/components/shared/seo.json`.')),
    repeatable: flag(false, 'Whether the attribute holds a list of components.'),
    displayName: strapiOnly(text("The name of the component, as Strapi's panel wrote it when it made the component.")),
    ...counts,
  } as const,
  ['component'],
);

export const dynamicZoneAttribute = define(
  'A list of components of several kinds, in any order. Each has its `__component`.',
  'left out unless populated',
  { ...common, components: checkedByLoader(texts('The components that the zone may hold.')), ...counts } as const,
  ['components'],
);

/** The keys of a custom field, besides those of its base type. */
const customFieldAttribute = define(
  'A field of a plugin of Strapi. It is stored and returned as its base type, and has the keys of that type.',
  'that of the base type',
  {
    ...scalar,
    customField: checkedByLoader(text('The field: `plugin::color-picker.color`.')),
    options: strapiOnly(anything("Options of the plugin's widget.")),
  } as const,
  ['customField'],
);

export type AttributeTypeName = ScalarType | 'relation' | 'media' | 'component' | 'dynamiczone' | 'customField';

export const attributeDefinitions: Readonly<Record<AttributeTypeName, AttributeDefinition<Readonly<Record<string, Key>>>>> = {
  ...scalarAttributes,
  relation: relationAttribute,
  media: mediaAttribute,
  component: componentAttribute,
  dynamiczone: dynamicZoneAttribute,
  customField: customFieldAttribute,
};

export const attributeTypeNames: readonly string[] = Object.keys(attributeDefinitions);

const customFields = new Map<ScalarType, ScalarKeys>();

/** The keys of a custom field and of its base type. */
export function customFieldKeys(base: ScalarType): ScalarKeys {
  const keys = customFields.get(base) ?? { ...scalarAttributes[base].keys, ...customFieldAttribute.keys };
  customFields.set(base, keys);
  return keys;
}
