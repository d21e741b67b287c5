import type { Config } from '../../config/config.ts';
import { isAway } from '../../dialects/is-away.ts';
import { openDatabase } from '../../dialects/open-database.ts';

/** False while the database server is away. Any other problem is left to the start, which reports
 *  it. */
export async function databaseResponds({ database, limits }: Config): Promise<boolean> {
  try {
    const opened = await openDatabase(database, { create: false, statementTime: limits.statementTime });
    await opened.close();
    return true;
  } catch (error) {
    return !isAway(error);
  }
}
