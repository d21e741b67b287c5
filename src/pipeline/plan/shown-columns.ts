/** The columns of an entry, in the order in which they are shown. */
import type { Policies } from '../../config/config.ts';
import { componentsColumns, type ScalarAttribute } from '../../model/content-model.ts';
import { isVisible } from '../../model/visibility.ts';
import type { Filter, Population, Selection } from '../parse/types.ts';

type Columns = readonly ScalarAttribute[];
type PopulationOfOneType = Exclude<Population, { kind: 'polymorphic' }>;

/** Returns id and documentId, then the selected fields in the order of the selection. */
export function shownColumns({ schema, fields }: Selection): Columns {
  const scalars = [...schema.attributes.values()].filter((attribute) => attribute.kind === 'scalar');
  if (fields === undefined) return scalars.filter((attribute) => alwaysShown(attribute) || isVisible(attribute));
  return [...new Set([...scalars.filter(alwaysShown), ...fields])];
}

const alwaysShown = ({ name }: ScalarAttribute): boolean => name === 'id' || name === 'documentId';

export function rootColumns(selection: Selection, policies: Policies): Columns {
  return policies.queriesAsStrapi && passesRelations(selection.filter) ? withSorted(selection) : shownColumns(selection);
}

export function nestedColumns({ attribute, selection }: PopulationOfOneType, { queriesAsStrapi }: Policies): Columns {
  const orderColumn = orderColumnOf(attribute);
  const joined = orderColumn !== undefined || passesRelations(selection.filter);
  const columns = new Set(queriesAsStrapi && joined ? withSorted(selection) : shownColumns(selection));
  // Strapi keeps `locale` in rows of morphOne and morphMany, even of types without locales.
  const morph = attribute.kind === 'relation' && attribute.relation.startsWith('morph');
  const locale = selection.schema.attributes.get('locale');
  if (morph && selection.fields === undefined && locale?.kind === 'scalar') columns.add(locale);
  if (!queriesAsStrapi || selection.sort.length > 0) return [...columns];
  // Strapi selects the position first: an attribute with its column's name comes first.
  return [...columns].sort((a, b) => Number(b.column === orderColumn) - Number(a.column === orderColumn));
}

/** If Strapi joins tables, it selects distinct rows, which need the columns that it sorts by: they
 *  come first, selected or not. */
function withSorted(selection: Selection): Columns {
  const { sort } = selection;
  const terms = sort.filter((term) => term.kind === 'attribute');
  const sorted = terms.every(({ hops }) => hops.length === 0) ? terms.map(({ attribute }) => attribute) : [];
  return [...new Set([...sorted, ...shownColumns(selection)])];
}

/** Returns the position column of the link table; undefined without a link table. */
function orderColumnOf(attribute: PopulationOfOneType['attribute']): string | undefined {
  if (attribute.kind === 'component') return componentsColumns.order;
  const { storage } = attribute;
  if (storage.kind === 'linkTable') return storage.orderColumn ?? '';
  return storage.kind === 'inverseMorphLink' ? storage.orderColumn : undefined;
}

function passesRelations(filter: Filter | undefined): boolean {
  switch (filter?.kind) {
    case 'and':
    case 'or':
      return filter.operands.some(passesRelations);
    case 'not':
      return passesRelations(filter.operand);
    case 'hop':
    case 'quantified':
      return true;
    case 'comparison':
    case undefined:
      return false;
  }
}
