/** What the steps of one write share while its transaction runs. */
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { Rows } from '../../../sql/rows.ts';
import type { WritePlan } from '../../plan/types.ts';
import type { Problems } from './body/body-problems.ts';
import type { WrittenRowChecks } from './check/check-written-rows.ts';
import type { Changes } from './difference/changes.ts';
import type { Targets } from './entry/link-targets.ts';
import type { Rests } from './yield-to-others.ts';

export interface WriteContext {
  readonly plan: WritePlan;
  readonly type: ContentType;
  readonly model: ContentModel;
  readonly rows: Rows;
  readonly targets: Targets;
  /** The difference so far: an operation collects it, and writes it at its end. */
  readonly changes: Changes;
  readonly restrictions: WrittenRowChecks;
  readonly problems: Problems;
  readonly rests: Rests;
}
