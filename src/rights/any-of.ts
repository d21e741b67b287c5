/** What any of several callers may do: actions and fields, but not rows. */
import { withoutCondition } from './restrictions.ts';
import { type Rights, rightsTo } from './rights.ts';

export function anyOf(all: readonly Rights[]): Rights {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  return {
    ...rightsTo([]),
    key: all.map(({ key }) => key).join(' '),
    planKey: all.map(({ planKey }) => planKey).join(' '),
    allows: (action) => all.some((rights) => rights.allows(action)),
    /** The widest restriction: undefined if one of the callers has none. */
    restriction(action) {
      const found = all.filter((rights) => rights.allows(action)).map((rights) => rights.restriction(action));
      const [first, ...others] = found;
      if (found.some((restriction) => restriction?.fields === undefined)) return undefined;
      const widest = withoutCondition(first);
      return widest && { ...widest, fields: new Set([first, ...others].flatMap((restriction) => [...(restriction?.fields ?? [])])) };
    },
  };
}
