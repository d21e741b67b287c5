/** `lectern locale`: the locales of a project, in the tables of Strapi's plugin for them. */

import { StartError } from '../../errors/start-error.ts';
import { keepsEvents } from '../../events/event-store.ts';
import { checkNewLocale } from '../../locales/locale-code.ts';
import { insertLocale, type LocaleRow, readLocales, writeDefaultLocale } from '../../locales/locales-store.ts';
import { localeUid } from '../../model/built-in-types.ts';
import { deleteRows } from '../../pipeline/execute/write/delete.ts';
import { countEntries, deleteEntriesOf, type EntriesOfLocale } from '../../pipeline/execute/write/delete-locale.ts';
import { Rows } from '../../sql/rows.ts';
import { columnsByTable } from '../../sql/table-exists.ts';
import { inColumns } from '../../text/align-columns.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { didYouMean } from '../../text/nearest.ts';
import { Turns } from '../../turns.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';

/** `lectern locale list`. */
export function localeList(options: ProjectOptions & { readonly json?: boolean }): Promise<number> {
  return withProject(options, async ({ database }) => {
    const { byDefault, rows } = await database.readAtOnce(readLocales);
    const all = rows.map(({ code, name }) => ({ code, name: String(name ?? ''), isDefault: code === byDefault }));
    const lines = all.map(({ code, name, isDefault }) => [code, name, isDefault ? 'default' : '']);
    process.stdout.write(options.json === true ? `${JSON.stringify(all, null, 2)}\n` : inColumns([['CODE', 'NAME', ''], ...lines]));
    return 0;
  });
}

/** `lectern locale add <code>`. An existing locale is no error: scripts can repeat the command. */
export async function localeAdd(code: string, options: ProjectOptions & { readonly name?: string }): Promise<number> {
  const checked = checkNewLocale(code, options.name);
  if (!checked.ok) throw new StartError([checked.problem], exitCodes.usage);
  const { name } = checked;
  return changingLocales(options, async ({ locales, rows }) => {
    const present = locales.rows.find((each) => each.code === code);
    if (present === undefined) {
      await insertLocale(rows.connection, { code, name });
      return `Added the locale ${code}: ${name}.`;
    }
    if (options.name === undefined || options.name === present.name) return `The locale ${code} exists already: ${shownName(present)}.`;
    throw new StartError([`The locale ${code} exists already, with the name ${shownName(present)}.`]);
  });
}

/** `lectern locale default <code>`. */
export function localeDefault(code: string, options: ProjectOptions): Promise<number> {
  return changingLocales(options, async ({ locales, rows }) => {
    findLocale(code, locales.rows);
    if (locales.byDefault === code) return `${code} is the default locale already.`;
    await writeDefaultLocale(rows.connection, code);
    return `${code} is now the default locale: requests without \`locale\` read and write it. Before, this was ${locales.byDefault}.`;
  });
}

/** `lectern locale remove <code>`: refuses while there are entries; the panel would delete them. */
export function localeRemove(code: string, options: ProjectOptions & { readonly deleteEntries?: boolean }): Promise<number> {
  return changingLocales(options, async ({ locales, rows, tables, project: { config, model } }) => {
    const { id } = findLocale(code, locales.rows);
    if (locales.byDefault === code)
      throw new StartError([
        `${code} is the default locale. Make another one the default first, with \`${lecternCommand('locale default <code>')}\`.`,
      ]);
    const entries = await countEntries(code, { rows, model });
    if (entries.length > 0 && options.deleteEntries !== true)
      throw new StartError([`There are entries in ${code}: ${described(entries)}. --delete-entries deletes them, for good.`]);
    await deleteEntriesOf(code, { rows, model, keepsEvents: keepsEvents(config, tables) });
    const type = model.contentTypes.get(localeUid);
    if (type !== undefined) await deleteRows([{ id }], { type, rows, model, turns: new Turns() });
    return entries.length === 0 ? `Removed the locale ${code}.` : `Removed the locale ${code} and its entries: ${described(entries)}.`;
  });
}

interface LocaleChange {
  readonly project: OpenProject;
  readonly locales: Awaited<ReturnType<typeof readLocales>>;
  readonly rows: Rows;
  /** Tables of the database. */
  readonly tables: { has(name: string): boolean };
}

/** Prints what `change` returns, after its transaction. */
function changingLocales(options: ProjectOptions, change: (parts: LocaleChange) => Promise<string>): Promise<number> {
  return withProject(
    options,
    async (project) => {
      const { database } = project;
      const tables = await columnsByTable(database);
      const done = await database.write(async (connection) => {
        const rows = new Rows(connection, database.dialect);
        rows.lock(['locales']);
        return change({ project, locales: await readLocales(connection), rows, tables });
      });
      process.stdout.write(`${done}\n`);
      return 0;
    },
    // Deleting the entries of a locale may take longer than a request may.
    { statementTime: 0 },
  );
}

function findLocale(code: string, locales: readonly LocaleRow[]): LocaleRow {
  const found = locales.find((each) => each.code === code);
  if (found !== undefined) return found;
  const codes = locales.map((each) => each.code);
  const hint = didYouMean(code.replaceAll('_', '-'), codes, 1);
  throw new StartError([`There is no locale ${code}; there are ${codes.join(', ')}.${hint}`]);
}

const shownName = ({ name }: LocaleRow) => JSON.stringify(name ?? '');

const described = (entries: readonly EntriesOfLocale[]) => entries.map(({ type, documents }) => `${documents} of ${type.uid}`).join(', ');
