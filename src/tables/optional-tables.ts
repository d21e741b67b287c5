/** Tables that only some configurations need. A database that Strapi created has none of them until
 *  `lectern migrate apply` adds them. */
import type { Config } from '../config/config.ts';
import { identitiesTable, signInCodesTable } from './system-tables.ts';

/** One problem for each table that the configuration needs and the database lacks. */
export function missingOptionalTables({ auth }: Pick<Config, 'auth'>, tables: ReadonlySet<string>): readonly string[] {
  const needed = Object.keys(auth.providers).length === 0 ? [] : [identitiesTable, signInCodesTable];
  return needed
    .filter((name) => !tables.has(name))
    .map((name) => `The database has no table "${name}", which auth.providers needs. Run \`lectern migrate apply\` to add it.`);
}
