/** `lectern history`: removes former versions of documents. */
import { StartError } from '../../errors/start-error.ts';
import { pruneHistory } from '../../history/history-pruning.ts';
import { forgetDocument } from '../../history/history-store.ts';
import { pruningStep } from '../../pruning.ts';
import { findGrantableType, grantableTypesOf } from '../../rights/grantable-actions.ts';
import { Rows } from '../../sql/rows.ts';
import { hasTable } from '../../sql/table-exists.ts';
import { historyTable } from '../../tables/system-tables.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { withProject } from '../project/open-project.ts';

export function historyPrune(options: ProjectOptions): Promise<number> {
  return withProject(options, async ({ config, database }) => {
    let count = 0;
    if (await hasTable(database, historyTable))
      for (let step = pruningStep; step === pruningStep; count += step) step = await pruneHistory(config, database);
    return done(count);
  });
}

export function historyForget(type: string, documentId: string, options: ProjectOptions): Promise<number> {
  return withProject(options, async ({ database, model }) => {
    const [found, ...others] = findGrantableType(type, grantableTypesOf(model)).flatMap((each) => each.type ?? []);
    if (found === undefined || others.length > 0)
      throw new StartError([`There is no content type ${JSON.stringify(type)}: use its uid, such as api::article.article`]);
    const forget = () =>
      database.write((connection) => forgetDocument({ uid: found.uid, documentId }, new Rows(connection, database.dialect)));
    return done((await hasTable(database, historyTable)) ? await forget() : 0);
  });
}

function done(count: number): number {
  process.stdout.write(`${count === 1 ? 'One version was' : `${count} versions were`} removed.\n`);
  return exitCodes.done;
}
