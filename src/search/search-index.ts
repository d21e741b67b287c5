/** The full-text indexes that the configuration asks for, as values. */
import type { SearchByType, SearchedAttributes } from '../config/search.ts';
import { searchPrefix } from '../dialects/search/index-parts.ts';
import type { IndexDefinition, TextSource } from '../dialects/search/types.ts';
import type { Attribute, ContentModel, ContentType, ScalarType, Schema, Uid } from '../model/content-model.ts';
import { isVisible } from '../model/visibility.ts';

export interface SearchIndex {
  readonly type: ContentType;
  readonly definition: IndexDefinition;
  /** By falling weight. */
  readonly columns: readonly SearchColumn[];
  /** The tables that the entries are made of. */
  readonly tables: readonly string[];
}

export interface SearchColumn {
  /** In the index table. */
  readonly name: string;
  readonly attribute: string;
  readonly weight: number;
}

export type SearchIndexes = ReadonlyMap<Uid, SearchIndex>;

/** Attributes of a type that are searched if the configuration names them. */
const searchable: ReadonlySet<ScalarType> = new Set<ScalarType>(['string', 'text', 'richtext', 'blocks', 'email', 'uid', 'enumeration']);
/** Attributes of components that are text for readers. */
const textsInComponents: ReadonlySet<ScalarType> = new Set<ScalarType>(['string', 'text', 'richtext', 'blocks']);

/** The table of the index of a type. */
const indexTableOf = ({ table }: Pick<ContentType, 'table'>): string => `${searchPrefix}${table}`;

/** Throws nothing: `searchProblems` reports what is wrong with the configuration. */
export function searchIndexes(search: SearchByType, model: ContentModel): SearchIndexes {
  const indexes = new Map<Uid, SearchIndex>();
  for (const [uid, attributes] of Object.entries(search)) {
    const type = model.contentTypes.get(uid);
    if (type !== undefined) indexes.set(uid, indexOf(type, attributes, model));
  }
  return indexes;
}

function indexOf(type: ContentType, attributes: SearchedAttributes, model: ContentModel): SearchIndex {
  const columns = Object.entries(attributes)
    .sort(([, one], [, other]) => other - one)
    .map(([attribute, weight], index): SearchColumn => ({ name: `c${index}`, attribute, weight }));
  const least = columns.at(-1)?.weight;
  const tables = new Set([type.table]);
  const definition: IndexDefinition = {
    table: indexTableOf(type),
    rows: type.table,
    columns: columns.map(({ name, attribute, weight }) => ({
      name,
      isRanked: weight !== least,
      texts: textsOf(type, type.attributes.get(attribute), { model, tables, inside: [] }),
    })),
  };
  return { type, definition, columns, tables: [...tables] };
}

interface Way {
  readonly model: ContentModel;
  /** Gets the tables that are read. */
  readonly tables: Set<string>;
  /** The components on the way: one that contains itself is not followed. */
  readonly inside: readonly Uid[];
}

function textsOf(owner: Schema, attribute: Attribute | undefined, way: Way): TextSource[] {
  switch (attribute?.kind) {
    case 'scalar':
      return [
        { kind: 'column', attribute: attribute.name, column: attribute.column, holds: attribute.type === 'blocks' ? 'blocks' : 'text' },
      ];
    case 'component':
      return textsOfComponent(owner, attribute.name, attribute.component, way);
    case 'dynamiczone':
      return attribute.components.flatMap((component) => textsOfComponent(owner, attribute.name, component, way));
    default:
      return [];
  }
}

function textsOfComponent(owner: Schema, field: string, uid: Uid, { model, tables, inside }: Way): TextSource[] {
  const component = model.components.get(uid);
  if (component === undefined || owner.componentsTable === undefined || inside.includes(uid)) return [];
  const read = new Set<string>();
  const texts = [...component.attributes.values()].flatMap((attribute) =>
    isVisible(attribute) && (attribute.kind !== 'scalar' || textsInComponents.has(attribute.type))
      ? textsOf(component, attribute, { model, tables: read, inside: [...inside, uid] })
      : [],
  );
  if (texts.length === 0) return [];
  const { table } = owner.componentsTable;
  for (const each of [table, component.table, ...read]) tables.add(each);
  return [{ kind: 'components', link: { table, field, component: uid }, table: component.table, texts }];
}

/** What is wrong with the setting `search`, one line each. */
export function searchProblems(search: SearchByType, model: ContentModel): readonly string[] {
  return Object.entries(search).flatMap(([uid, attributes]) => {
    const type = model.contentTypes.get(uid);
    if (type === undefined) return [`search: there is no content type ${JSON.stringify(uid)}`];
    if (!type.routed) return [`search: ${JSON.stringify(uid)} has no endpoints of its own, so nothing can be searched there`];
    const index = indexOf(type, attributes, model);
    return Object.keys(attributes).flatMap((name) => {
      const attribute = type.attributes.get(name);
      const at = `search: ${uid}: `;
      if (attribute === undefined) return [`${at}there is no attribute ${JSON.stringify(name)}`];
      if (!isVisible(attribute)) return [`${at}the attribute ${JSON.stringify(name)} is private, and nobody may search it`];
      const isText = attribute.kind === 'scalar' ? searchable.has(attribute.type) && !attribute.system : true;
      const { name: column } = index.columns.find((each) => each.attribute === name) ?? {};
      const { texts = [] } = index.definition.columns.find((each) => each.name === column) ?? {};
      return isText && texts.length > 0
        ? []
        : [
            `${at}the attribute ${JSON.stringify(name)} has no text: name string, text, richtext, blocks, email, uid or enumeration attributes, or components and dynamic zones with texts`,
          ];
    });
  });
}
