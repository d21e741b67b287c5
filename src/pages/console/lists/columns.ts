/** The columns of a list: which there can be, and which there are until somebody chooses. */
import type { DescribedAttribute, DescribedType } from '../../../http/endpoints/me/described-me.ts';
import { shownAttributes, showsDrafts, statusName } from './conditions.ts';

export interface Column {
  /** The name of an attribute, or `status`. */
  readonly name: string;
  /** Undefined for the status. */
  readonly attribute: DescribedAttribute | undefined;
}

const withoutColumns = new Set(['password', 'blocks', 'component', 'dynamiczone']);

/** A link to one type, whose title can be read with the row. */
const isRelation = ({ type, target }: DescribedAttribute): boolean => type === 'relation' && target !== undefined;

/** Read by a request of its own, after the rows. */
export const isPopulated = (attribute: DescribedAttribute): boolean => attribute.type === 'media' || isRelation(attribute);

/** Whether the title is written by the server's order of that column. Of several links none is first. */
export const isSortable = (attribute: DescribedAttribute): boolean =>
  attribute.canRead &&
  (isRelation(attribute) ? attribute.isMany !== true : attribute.hasColumn && !['json', 'blocks'].includes(attribute.type));

/** Besides the title, which is always the first column; those of the schema file come first. */
export function columnsOf(type: DescribedType): readonly Column[] {
  const attributes = shownAttributes(type).filter(
    (attribute) =>
      attribute.name !== type.title && !withoutColumns.has(attribute.type) && (attribute.type !== 'relation' || isRelation(attribute)),
  );
  const status: Column[] =
    showsDrafts(type) && !attributes.some(({ name }) => name === statusName) ? [{ name: statusName, attribute: undefined }] : [];
  const own = attributes.filter(({ isSystem }) => !isSystem);
  const system = attributes.filter(({ isSystem }) => isSystem);
  return [...status, ...[...own, ...system].map((attribute) => ({ name: attribute.name, attribute }))];
}

/** A picture, the status, what a document belongs to, its kind, and when it was changed. */
export function usualColumns(type: DescribedType): readonly string[] {
  const attributes = columnsOf(type).flatMap(({ attribute }) => (attribute === undefined || attribute.isSystem ? [] : [attribute]));
  const first = (is: (attribute: DescribedAttribute) => boolean) => attributes.find(is)?.name;
  return [
    first(({ type: of, isMany, allowedTypes }) => of === 'media' && isMany !== true && (allowedTypes ?? ['images']).includes('images')),
    showsDrafts(type) ? statusName : undefined,
    first((attribute) => isRelation(attribute) && attribute.isMany !== true),
    first(({ type: of }) => of === 'enumeration'),
    type.attributes.find(({ name, canRead }) => name === 'updatedAt' && canRead)?.name,
  ].filter((name) => name !== undefined);
}

/** Those of the chosen columns that there still are. */
export function chosenColumns(type: DescribedType, names: readonly string[]): readonly Column[] {
  const all = new Map(columnsOf(type).map((column) => [column.name, column]));
  return names.flatMap((name) => all.get(name) ?? []);
}
