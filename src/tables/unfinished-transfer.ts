import type { LiveTable } from '../dialects/dialect.ts';
import { transferTable } from './system-tables.ts';

/** Why a database must not be used: the transfer could not be continued after others have written to it. */
export const unfinishedTransfer = `A transfer into this database is not finished: it has the table ${transferTable}. Wait for \`lectern transfer\` if it is running. Otherwise run the same command again, which continues, or with --restart, which drops all tables and begins again. If the database has been used since, drop that table alone.`;

export const hasUnfinishedTransfer = (live: readonly Pick<LiveTable, 'name'>[]): boolean => live.some(({ name }) => name === transferTable);
