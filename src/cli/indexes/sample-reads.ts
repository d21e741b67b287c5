/** Finds a read that an index is for. */
import type { Proposal } from '../../indexes/proposals.ts';
import type { Attribute, ContentModel, ContentType, ScalarAttribute, ScalarType } from '../../model/content-model.ts';

export interface SampleRead {
  readonly type: ContentType;
  /** Columns of the type of which the query needs a value. */
  readonly values: readonly ScalarAttribute[];
  /** The query text with these values. */
  query(values: readonly string[]): string;
}

/** Undefined for tables that no list reads, such as those of components' own attributes. */
export function sampleOf({ table, index }: Proposal, model: ContentModel): SampleRead | undefined {
  const types = [...model.contentTypes.values()].filter((type) => type.routed && type.kind === 'collectionType');
  const own = types.find((type) => type.table === table);
  const draft = index.where?.isNull === true ? '&status=draft' : '';
  if (own === undefined) {
    const [type, attribute] = types.flatMap((each) => populated(each, table, index.columns[0]).map((one) => [each, one] as const))[0] ?? [];
    return type === undefined || attribute === undefined ? undefined : { type, values: [], query: () => populateQuery(attribute) };
  }
  // The columns behind the row id are compared one by one.
  const end = index.columns.indexOf('id');
  const attributesOf = (columns: readonly string[]) => columns.flatMap((column) => scalarOf(own, column));
  const compared = index.ofTexts === true ? 0 : end === -1 ? index.columns.length : end;
  const attributes = attributesOf(index.columns.slice(0, compared));
  const searched = attributesOf(index.columns.slice(compared)).filter(({ type }) => texts.has(type));
  const sorted = attributes.find(({ column }) => column === index.sorted?.column);
  const filtered = [
    ...attributes.filter((attribute) => attribute !== sorted).map((attribute) => ({ attribute, operator: '$eq' })),
    ...searched.map((attribute) => ({ attribute, operator: '$contains' })),
  ];
  const sort = sorted === undefined ? '' : `&sort=${sorted.name}`;
  // A page far from the beginning, where nothing else decides.
  const page = sorted === undefined && filtered.length === 0 ? 'pagination[start]=5000&pagination[limit]=25' : 'pagination[pageSize]=25';
  const filters = (values: readonly string[]) =>
    filtered.map(({ attribute, operator }, position) => `&filters[${attribute.name}][${operator}]=${values[position] ?? ''}`).join('');
  return {
    type: own,
    values: filtered.map(({ attribute }) => attribute),
    query: (values) => `${page}${draft}${sort}${filters(values)}`,
  };
}

const texts: ReadonlySet<ScalarType> = new Set<ScalarType>(['string', 'uid', 'email', 'enumeration', 'text', 'richtext']);

/** A relation to many may lead to most rows of its target, so only one field is read. */
const populateQuery = ({ kind, name }: Attribute): string =>
  kind === 'relation' || kind === 'media'
    ? `pagination[pageSize]=10&populate[${name}][fields][0]=documentId`
    : `pagination[pageSize]=10&populate=${name}`;

const scalarOf = (type: ContentType, column: string): ScalarAttribute[] =>
  [...type.attributes.values()].filter(
    (each): each is ScalarAttribute => each.kind === 'scalar' && each.column === column && each.name !== 'id' && each.name !== 'locale',
  );

/** The attributes whose rows are read from the table by that column. */
const populated = (type: ContentType, table: string, by: string | undefined): Attribute[] =>
  [...type.attributes.values()].filter((attribute) => {
    if (attribute.private) return false;
    switch (attribute.kind) {
      case 'component':
      case 'dynamiczone':
        return type.componentsTable?.table === table;
      case 'media':
        return attribute.storage.table === table && attribute.storage.idColumn === by;
      case 'relation': {
        const { storage } = attribute;
        if (storage.kind === 'linkTable' || storage.kind === 'morphLink') return storage.table === table && storage.sourceColumn === by;
        return storage.kind === 'inverseMorphLink' && storage.table === table && storage.idColumn === by;
      }
      case 'scalar':
        return false;
      default:
        return attribute satisfies never;
    }
  });
