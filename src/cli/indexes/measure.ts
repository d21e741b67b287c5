/** Measures what an index does to a read: the read as the server runs it, without caches, before
 *  and after the index is there. */
import { performance } from 'node:perf_hooks';
import type { Connection } from '../../dialects/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import { prepareIndex, sampleValues } from '../../indexes/index-store.ts';
import type { Proposal } from '../../indexes/proposals.ts';
import { createLocales } from '../../locales/locales.ts';
import { authoriseRead } from '../../pipeline/authorise/authorise-read.ts';
import { compileRead } from '../../pipeline/compile/compile-read.ts';
import { ReadBudget } from '../../pipeline/execute/read-budget.ts';
import { parseRead } from '../../pipeline/parse/parse-read.ts';
import { planRead } from '../../pipeline/plan/plan-read.ts';
import { renderingOf } from '../../pipeline/render/render-read.ts';
import { prepareRead, runRead } from '../../pipeline/run/read/run-read.ts';
import { UnlistedComponents } from '../../pipeline/unlisted-components.ts';
import { fullRights } from '../../rights/rights.ts';
import { createIndex } from '../../tables/index-statements.ts';
import type { OpenProject } from '../project/open-project.ts';
import { sampleOf } from './sample-reads.ts';

export interface Measured {
  /** `/api/articles?filters[slug][$eq]=…`, without values. */
  readonly read: string;
  /** Milliseconds. */
  readonly before: number;
  readonly after: number;
}

/** The measurements, by the name of the index. Indexes for which there is no read, or no
 *  row to ask for, are left out. */
export async function measureIndexes(proposals: readonly Proposal[], project: OpenProject): Promise<ReadonlyMap<string, Measured>> {
  const measured = new Map<string, Measured>();
  const locales = await createLocales(project.database, () => undefined).current();
  await project.database.rehearse(async (attempt) => {
    for (const proposal of proposals) {
      const sample = sampleOf(proposal, project.model);
      if (sample === undefined) continue;
      const trial = attempt(async (connection): Promise<Measured | undefined> => {
        const values = await sampleValues(connection, sample.type.table, sample.values);
        if (values === undefined) return undefined;
        const read = compiled(sample.type, sample.query(values), project, locales);
        const before = await fastest(read, connection, project);
        await prepareIndex(connection, proposal.index);
        await connection.query(createIndex({ name: proposal.table }, proposal.index, connection.dialect), []);
        const after = await fastest(read, connection, project);
        return { read: `/api/${sample.type.pluralName}?${sample.query(values.map(() => '…'))}`, before, after };
      });
      const result = await trial.catch((error: unknown) => {
        // A response that is too long for a limit, a relation that cannot be populated, or a lock
        // that somebody else holds.
        if (error instanceof ApiError || project.database.errorKindOf(error) !== undefined) return undefined;
        throw error;
      });
      if (result !== undefined) measured.set(proposal.index.name, result);
    }
  });
  return measured;
}

type Sample = NonNullable<ReturnType<typeof sampleOf>>;
type Locales = Awaited<ReturnType<ReturnType<typeof createLocales>['current']>>;

function compiled(type: Sample['type'], query: string, { config, model, database }: OpenProject, locales: Locales) {
  const actor = { kind: 'public', rights: fullRights } as const;
  const call = { type, target: { kind: 'list' }, query, actor, restriction: undefined, envelope: 'flat' } as const;
  const request = parseRead(call, { model, config, locales, unlisted: new UnlistedComponents(model) });
  const permitted = authoriseRead(request, { rights: fullRights, policies: config.policies, filterOf: () => undefined });
  const plan = planRead(permitted, config.policies);
  const { status } = permitted;
  const parts = { dialect: database.dialect, status, withIsUrlSigned: false, rowLimit: config.limits.rows };
  return { pagination: plan.pagination, prepared: prepareRead(compileRead(plan, parts), renderingOf(config.limits, undefined)) };
}

/** The first run fills the caches of the database. */
const runs = 4;

async function fastest(
  { prepared, pagination }: ReturnType<typeof compiled>,
  connection: Connection,
  { config }: OpenProject,
): Promise<number> {
  let min = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await runRead(prepared, { key: undefined, values: [], pagination }, { connection, budget: new ReadBudget(config.limits) });
    min = Math.min(min, performance.now() - start);
  }
  return min;
}
