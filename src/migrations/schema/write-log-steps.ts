/** Adds the log of writes that versions of tables need (`database.tableVersions`), or removes it. */
import type { WriteLog, WriteLogState } from '../../dialects/write-log.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loggedTables } from '../../tables/logged-tables.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import type { Step } from '../steps.ts';

/** A step that is statements alone. */
interface LogStep extends Step {
  readonly work: readonly string[];
}

export interface WriteLogSteps {
  /** Run when all tables exist. */
  readonly add: readonly LogStep[];
  /** Run before everything else. Nothing is lost: the log has no content. */
  readonly remove: readonly LogStep[];
  /** The tables that `add` concerns. */
  readonly tables: readonly string[];
  /** A statement that gives this role the rights to the log that it lacks. */
  readonly grant?: string;
}

const none: WriteLogSteps = { add: [], remove: [], tables: [] };

/** `created`: the tables that the migration creates. */
export function planWriteLog(
  log: WriteLog | undefined,
  state: WriteLogState | undefined,
  { model, created }: { readonly model: ContentModel; readonly created: ReadonlySet<string> },
): WriteLogSteps {
  if (log === undefined || state === undefined) return none;
  if (!log.isWanted) return state.hasParts ? { ...none, remove: [{ reason: removed, work: log.remove(state) }] } : none;
  const tables = loggedTables(model).filter((name) => !state.isComplete || !state.tables.has(name));
  const rights = state.grant === undefined ? {} : { grant: state.grant };
  if (state.isComplete && tables.length === 0) return { ...none, ...rights };
  const work = [
    ...(state.isComplete ? [] : log.create(state)),
    // A new log has no triggers yet. Others may be switched off, or belong to a table that this migration renames.
    ...tables.flatMap((name) => log.add(name, state.isComplete && !created.has(name))),
  ];
  const listed = tables.length === 1 ? `the table "${tables[0]}"` : `${tables.length} tables`;
  return { ...none, add: [{ reason: `Writes to ${listed} are logged, for database.tableVersions.`, work }], tables, ...rights };
}

const removed = 'database.tableVersions is off: the log of writes and its triggers are removed.';

/** A line about what has to be done before the setting is in effect, or empty. */
export function describeWriteLog({ tables, remove, grant }: WriteLogSteps, dir: string | undefined): string {
  const command = lecternCommand('migrate apply', dir);
  // Servers clear the log by the snapshots of their questions about it, and with the setting off they ask none.
  if (remove.length > 0)
    return `The database still has the triggers of database.tableVersions, which is off: the log lectern_table_writes is still written, and nothing clears it. \`${command}\` removes the triggers and the log.`;
  if (tables.length === 0)
    return grant === undefined
      ? ''
      : `database.tableVersions is on, and this database role may not both read and clear the log of writes: without SELECT what is cached is dropped at each write to the database server, without UPDATE and DELETE the log grows without end. Run \`${grant}\` as its owner.`;
  const shown = tables.slice(0, 3).join(', ') + (tables.length > 3 ? ` and ${tables.length - 3} more` : '');
  return `database.tableVersions is on, and writes to some tables are not logged (${shown}): what is cached of them is dropped at each write to the database server. Run \`${command}\`.`;
}
