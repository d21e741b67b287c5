/** The order of the fields of a form. */
import type { DescribedAttribute, DescribedComponent } from '../server/me.ts';

export interface FieldGroup {
  readonly name: string;
  /** Undefined for the fields that need no heading. */
  readonly label: string | undefined;
  readonly attributes: readonly DescribedAttribute[];
}

/** As `lectern.groups` of the schema file says; what no group names comes first, in the order of the
 *  file. */
export function groupsOf({ groups }: Pick<DescribedComponent, 'groups'>, attributes: readonly DescribedAttribute[]): readonly FieldGroup[] {
  const groupOf = (attribute: DescribedAttribute) => groups.find(({ name }) => name === attribute.lectern?.group)?.name;
  const others = attributes.filter((each) => groupOf(each) === undefined);
  return [
    { name: '', label: undefined, attributes: others },
    ...groups.map(({ name, label }) => ({ name, label, attributes: attributes.filter((each) => groupOf(each) === name) })),
  ].filter((group) => group.attributes.length > 0);
}
