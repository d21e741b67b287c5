/** The context that the steps of one write share while its transaction runs. */
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { WaitingTables } from '../../../schedule/waiting-tables.ts';
import type { Rows } from '../../../sql/rows.ts';
import type { Turns } from '../../../turns.ts';
import type { BodyProblems } from '../../body/body-problems.ts';
import type { WritePlan } from '../../plan/types.ts';
import type { WrittenRowChecks } from './check/check-written-rows.ts';
import type { Change } from './difference/types.ts';
import type { LinkTargets } from './load/link-targets.ts';
import type { WriteEvents } from './write-events.ts';

export interface WriteContext {
  readonly plan: WritePlan;
  readonly type: ContentType;
  readonly model: ContentModel;
  readonly rows: Rows;
  readonly targets: LinkTargets;
  /** A list of changes for each saved entry, which the operation writes at its end. */
  readonly changes: (readonly Change[])[];
  readonly restrictions: WrittenRowChecks;
  readonly problems: BodyProblems;
  readonly turns: Turns;
  readonly events: WriteEvents;
  /** Whether the database has the table of awaited links; one that Strapi made may lack it. */
  readonly hasAwaitedLinks: boolean;
  readonly waiting: WaitingTables;
}
