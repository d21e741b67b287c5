/** The rows that a write may reach, from the filters of its limits to statements. */
import type { Config } from '../config/config.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { ContentModel, ContentType, Uid } from '../model/content-model.ts';
import type { PermittedWrite } from './authorise/types.ts';
import { compileGuard } from './compile/compile-guard.ts';
import type { RowGuard, WriteGuards } from './compile/types.ts';
import type { Filter } from './parse/types.ts';
import { plannedScope } from './plan/plan-read.ts';

export interface GuardParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly dialect: Dialect;
}

export function writeGuards({ type, scopes }: PermittedWrite, { config, model, dialect }: GuardParts): WriteGuards {
  const statement = (filter: Filter, of: ContentType, status: 'published' | 'draft') =>
    compileGuard(plannedScope(filter, of, status, config.policies), of, dialect, model);
  const guard = (filter: Filter, of: ContentType): RowGuard => ({
    published: statement(filter, of, 'published'),
    draft: statement(filter, of, 'draft'),
  });
  const byType = (filters: ReadonlyMap<Uid, Filter>) =>
    new Map(
      [...filters].flatMap(([uid, filter]) => {
        const of = model.contentTypes.get(uid);
        return of === undefined ? [] : [[uid, guard(filter, of)] as const];
      }),
    );
  return {
    own: scopes.own === undefined ? undefined : guard(scopes.own, type),
    targets: byType(scopes.targets),
    others: byType(scopes.others),
  };
}
