/** Which routes the hooks of a type's documents belong to. */
import { type Decisions, decisionFor } from '../http/routes/project-routes.ts';
import { handlingOf, type Route } from '../http/routes/routes.ts';
import { userUid } from '../model/built-in-types.ts';
import type { Proposal } from './findings.ts';

export interface RoutesAndDecisions {
  readonly routes: readonly Route[];
  readonly decisions: Decisions;
  readonly upstream: boolean;
}

type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete';
const reads: readonly Action[] = ['find', 'findOne'];
const writes: readonly Action[] = ['create', 'update', 'delete'];

/** The actions of routes that call methods of the document service, or hooks of the database.
 *  Creating and updating may publish, and any write may create, update or delete rows. */
const actionsOfMethod: Readonly<Record<string, readonly Action[]>> = {
  findMany: ['find'],
  findOne: ['findOne'],
  findFirst: ['find'],
  count: ['find'],
  create: ['create', 'update'],
  update: ['update'],
  delete: ['delete'],
  publish: ['create', 'update'],
  unpublish: ['update'],
  discardDraft: ['update'],
  clone: ['create'],
};

export const actionsOfMethods = (methods: readonly string[]): readonly Action[] =>
  methods.length === 0
    ? [...reads, ...writes]
    : [...new Set(methods.flatMap((name) => (Object.hasOwn(actionsOfMethod, name) ? (actionsOfMethod[name] ?? []) : [])))];

/** The actions for hooks such as `afterCreate` and `beforeFindMany`. An update may publish, which
 *  deletes and creates the rows of the published version. */
export const actionsOfHooks = (hooks: readonly string[]): readonly Action[] => {
  const has = (pattern: RegExp) => hooks.length === 0 || hooks.some((name) => pattern.test(name));
  return [
    ...(hooks.some((name) => /Find|Count/.test(name)) ? reads : []),
    ...(has(/Create|Update/) ? (['create'] as const) : []),
    ...(has(/Create|Update|Delete/) ? (['update'] as const) : []),
    ...(has(/Delete/) ? (['delete'] as const) : []),
  ];
};

/** The decisions that are missing for some actions of types. Undefined if each of their routes is
 *  refused, forwarded, or served by an explicit decision. */
export function missingDecisions(
  uids: readonly string[],
  actions: readonly string[],
  { routes, decisions, upstream }: RoutesAndDecisions,
): Proposal | undefined {
  const wanted = new Set(uids.flatMap((uid) => actions.map((action) => `${uid}.${action}`)));
  // Registration creates a user, too.
  if (wanted.has(`${userUid}.create`)) wanted.add('plugin::users-permissions.auth.register');
  const missing = routes.filter(
    (route) => wanted.has(route.action) && handlingOf(route) === 'served' && decisionFor(route, decisions) === undefined,
  );
  if (missing.length === 0) return undefined;
  return { routes: Object.fromEntries(missing.map(({ action }) => [action, upstream ? ('forward' as const) : ('refuse' as const)])) };
}
