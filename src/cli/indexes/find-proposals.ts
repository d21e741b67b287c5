import { canIndexTexts } from '../../indexes/index-store.ts';
import { type Proposal, proposalsOfModel, proposalsOfShapes, proposalsOfTexts } from '../../indexes/proposals.ts';
import { readShapes } from '../../indexes/shape-record.ts';
import type { OpenProject } from '../project/open-project.ts';

/** The indexes that the project's database lacks: those of its model, then of recorded reads. */
export async function findProposals({ config, database, model }: Pick<OpenProject, 'config' | 'database' | 'model'>): Promise<Proposal[]> {
  const live = { tables: await database.tables(), indexes: await database.indexes() };
  const shapes = (await readShapes(config.indexes.recordFile)).map(({ shape }) => shape);
  return [
    ...proposalsOfModel(model, live, database.dialect),
    ...proposalsOfShapes(shapes, model, live, database.dialect),
    ...((await database.read(canIndexTexts)) ? proposalsOfTexts(shapes, model, live) : []),
  ];
}
