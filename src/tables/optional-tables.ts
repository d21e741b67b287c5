/** Tables that only some configurations and databases need. A database that Strapi created has none of
 *  them until `lectern migrate apply` adds them. */
import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/database.ts';
import { keepsHistory } from '../history/kept-versions.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import {
  deliveriesTable,
  eventsTable,
  historyTable,
  identitiesTable,
  leasesTable,
  locksTable,
  signInCodesTable,
  webhooksTable,
} from './system-tables.ts';

/** One problem for each table that is needed and that the database lacks. */
export function missingOptionalTables(
  { auth, history, webhooks }: Pick<Config, 'auth' | 'history' | 'webhooks'>,
  { hasWritingNodes }: Pick<Database, 'hasWritingNodes'>,
  tables: ReadonlySet<string>,
): readonly string[] {
  const needed = [
    ...(Object.keys(auth.providers).length === 0 ? [] : [identitiesTable, signInCodesTable].map((name) => [name, 'auth.providers'])),
    ...(webhooks.length === 0 ? [] : [eventsTable, webhooksTable, deliveriesTable, leasesTable].map((name) => [name, 'webhooks'])),
    ...(keepsHistory(history) ? [[historyTable, 'history']] : []),
    ...(hasWritingNodes ? [[locksTable, 'a Galera cluster']] : []),
  ];
  return needed
    .filter(([name = '']) => !tables.has(name))
    .map(([name, why]) => `The database has no table "${name}", which ${why} needs. Run \`${lecternCommand('migrate apply')}\` to add it.`);
}
