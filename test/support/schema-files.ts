/** Schema files of small projects that one test file needs: types and components by name, written as short as they can be. */
import type { Files } from './write-files.ts';

export type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface WrittenType {
  /** Default: the singular name with an `s`. */
  readonly plural?: string;
  readonly single?: true;
  readonly drafts?: true;
  readonly localized?: true;
  readonly attributes: Attributes;
}

export function schemaFiles(
  types: Readonly<Record<string, WrittenType>>,
  components: Readonly<Record<string, Attributes>> = {},
  /** The folder of all components. */
  category = 'part',
): Files {
  return {
    'package.json': { name: 'small', private: true },
    ...Object.fromEntries(
      Object.entries(types).map(([name, { single, plural = `${name}s`, drafts, localized, attributes }]) => [
        `src/api/${name}/content-types/${name}/schema.json`,
        {
          kind: single ? 'singleType' : 'collectionType',
          collectionName: plural.replaceAll('-', '_'),
          info: { singularName: name, pluralName: plural, displayName: name },
          options: { draftAndPublish: drafts === true },
          pluginOptions: localized ? { i18n: { localized: true } } : {},
          attributes,
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(components).map(([name, attributes]) => [
        `src/components/${category}/${name}.json`,
        { collectionName: `components_${category}_${name}s`, info: { displayName: name }, options: {}, attributes },
      ]),
    ),
  };
}

/** Attributes of the types whose values are no texts. */
export const plainAttributes = {
  whole: { type: 'integer' },
  big: { type: 'biginteger' },
  flt: { type: 'float' },
  dec: { type: 'decimal' },
  flag: { type: 'boolean' },
  day: { type: 'date' },
  clock: { type: 'time' },
  moment: { type: 'datetime' },
  stamp: { type: 'timestamp' },
  doc: { type: 'json' },
} as const;

export const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});
export const component = (name: string, more: object = {}) => ({
  type: 'component',
  component: `part.${name}`,
  repeatable: false,
  ...more,
});
export const translated = { pluginOptions: { i18n: { localized: true } } };
export const shared = { pluginOptions: { i18n: { localized: false } } };
