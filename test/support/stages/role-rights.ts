import { type Rights, rightsOfRole } from '../../../src/rights/rights.ts';

/** The rights of a role, as they stand in a table of cases. */
export interface RoleRights {
  /** Actions of the role: `article.find` for `api::article.article.find`. */
  readonly may: readonly string[];
  /** The restrictions of its actions. */
  readonly rules?: Readonly<Record<string, { readonly fields?: readonly string[]; readonly where?: object }>>;
  /** Attributes of the caller. */
  readonly user?: Readonly<Record<string, string>>;
}

const fullName = (action: string): string => (action.includes('::') ? action : `api::${action.split('.')[0]}.${action}`);

export function rightsOf({ may, rules = {}, user = {} }: RoleRights): Rights {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const restricted = Object.entries(rules).map(([action, { fields, where }]) => ({
    action: fullName(action),
    fields: json(fields),
    condition: json(where),
  }));
  return rightsOfRole({ actions: may.map(fullName), rules: restricted }, new Map(Object.entries(user)));
}
