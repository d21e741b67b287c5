/** Statements that find which rows a write may reach, made of the filters of its restrictions. */
import type { Config } from '../../config/config.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { ContentModel, ContentType, Uid } from '../../model/content-model.ts';
import type { PermittedWrite } from '../authorise/types.ts';
import { compileRestriction } from '../compile/compile-restriction.ts';
import type { RowGuard, WriteGuards } from '../compile/types.ts';
import type { Filter, Status } from '../parse/types.ts';
import { plannedScope } from '../plan/plan-read.ts';

export interface GuardParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly dialect: Dialect;
}

export function writeGuards({ type, scopes }: PermittedWrite, { config, model, dialect }: GuardParts): WriteGuards {
  const statement = (filter: Filter | undefined, of: ContentType, status: Status) =>
    filter === undefined ? undefined : compileRestriction(plannedScope(filter, of, status, config.policies), of, dialect, model);
  const guard = ({ published, draft }: Readonly<Record<Status, Filter | undefined>>, of: ContentType): RowGuard => ({
    published: statement(published, of, 'published'),
    draft: statement(draft, of, 'draft'),
  });
  const ofBoth = (filter: Filter) => ({ published: filter, draft: filter });
  const ofOwnType = (filter: Filter | undefined) => (filter === undefined ? undefined : guard(ofBoth(filter), type));
  const byType = <T>(scopesByType: ReadonlyMap<Uid, T>, guardOf: (scope: T, of: ContentType) => RowGuard) =>
    new Map(
      [...scopesByType].flatMap(([uid, scope]) => {
        const of = model.contentTypes.get(uid);
        return of === undefined ? [] : [[uid, guardOf(scope, of)] as const];
      }),
    );
  return {
    own: ofOwnType(scopes.own),
    publishing: ofOwnType(scopes.publishing),
    targets: byType(scopes.targets, guard),
    others: byType(scopes.others, (filter, of) => guard(ofBoth(filter), of)),
  };
}
