/** Compiles filters of a write's restrictions into statements for the rows that it may reach. */
import type { Config } from '../../config/config.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { ContentModel, ContentType, Uid } from '../../model/content-model.ts';
import type { PermittedWrite } from '../authorise/types.ts';
import { compileRestriction } from '../compile/compile-restriction.ts';
import type { RowRestriction, WriteRestrictions } from '../compile/types.ts';
import type { Filter, Status } from '../parse/types.ts';
import { plannedScope } from '../plan/plan-read.ts';

export interface WriteRestrictionsParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly dialect: Dialect;
}

export function compileWriteRestrictions(
  { type, scopes }: PermittedWrite,
  { config, model, dialect }: WriteRestrictionsParts,
): WriteRestrictions {
  const statement = (filter: Filter | undefined, of: ContentType, status: Status) =>
    filter === undefined ? undefined : compileRestriction(plannedScope(filter, of, status, config.policies), of, dialect);
  const restriction = ({ published, draft }: Readonly<Record<Status, Filter | undefined>>, of: ContentType): RowRestriction => ({
    published: statement(published, of, 'published'),
    draft: statement(draft, of, 'draft'),
  });
  const ofBoth = (filter: Filter) => ({ published: filter, draft: filter });
  const ofOwnType = (filter: Filter | undefined) => (filter === undefined ? undefined : restriction(ofBoth(filter), type));
  const byType = <T>(scopesByType: ReadonlyMap<Uid, T>, restrictionOf: (scope: T, of: ContentType) => RowRestriction) =>
    new Map(
      [...scopesByType].flatMap(([uid, scope]) => {
        const of = model.contentTypes.get(uid);
        return of === undefined ? [] : [[uid, restrictionOf(scope, of)] as const];
      }),
    );
  return {
    own: ofOwnType(scopes.own),
    publishing: ofOwnType(scopes.publishing),
    targets: byType(scopes.targets, restriction),
    others: byType(scopes.others, (filter, of) => restriction(ofBoth(filter), of)),
  };
}
