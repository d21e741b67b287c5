/** The rights of a role as a value that a form changes. */

/** As in permissions.json: by type, a list of actions, or an object with their restrictions. */
export type RightsDocument = Readonly<Record<string, readonly string[] | Readonly<Record<string, Right>>>>;

export type Right = true | Restriction;
export interface Restriction {
  readonly fields?: readonly string[];
  readonly where?: Readonly<Record<string, unknown>>;
}

/** By action: `api::article.article.find`. */
export type Rights = ReadonlyMap<string, Right>;

export const managementKey = 'lectern::management';

export function readRights(document: RightsDocument): Rights {
  const rights = new Map<string, Right>();
  for (const [key, actions] of Object.entries(document)) {
    const written: readonly (readonly [string, Right])[] = Array.isArray(actions)
      ? actions.map((name: string) => [name, true] as const)
      : Object.entries(actions as Readonly<Record<string, Right>>);
    for (const [name, right] of written) rights.set(`${key}.${name}`, right);
  }
  return rights;
}

/** `keys`: all that the document has to name, also those without a right, or they would stay. */
export function writeRights(rights: Rights, keys: readonly string[]): RightsDocument {
  const document: Record<string, Record<string, Right>> = Object.fromEntries(keys.map((key) => [key, {}]));
  for (const [action, right] of rights) {
    const dot = action.lastIndexOf('.');
    const of = document[action.slice(0, dot)];
    if (of !== undefined) of[action.slice(dot + 1)] = right;
  }
  return document;
}

export interface RightsChanges {
  readonly given: readonly string[];
  readonly taken: readonly string[];
}

/** Restrictions are not changed here. */
export const changesBetween = (before: Rights, after: Rights): RightsChanges => ({
  given: [...after.keys()].filter((action) => !before.has(action)),
  taken: [...before.keys()].filter((action) => !after.has(action)),
});

/** The stored rights with the changes of a form, whose rights are `wanted`. */
export function withChanges(stored: Rights, wanted: Rights, { given, taken }: RightsChanges): Rights {
  const next = new Map(stored);
  for (const action of taken) next.delete(action);
  for (const action of given) if (!next.has(action)) next.set(action, wanted.get(action) ?? true);
  return next;
}
