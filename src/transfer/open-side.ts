/** Opens one of the two databases of a transfer, and says in messages which of them failed. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseConfig } from '../config/config.ts';
import type { Database } from '../dialects/database.ts';
import { embeddedFile } from '../dialects/embedded-file.ts';
import { openDatabase } from '../dialects/open-database.ts';
import { openTransferEngine } from '../dialects/transfer/open-transfer-engine.ts';
import type { TransferEngine } from '../dialects/transfer/types.ts';
import { problemsOf } from '../errors/describe-failure.ts';
import { ofUrl } from '../errors/of-url.ts';
import { messageOf } from '../errors/system-error.ts';
import { TransferRefused } from './refused.ts';

export interface Side {
  readonly database: Database;
  readonly engine: TransferEngine;
}

type SideOption = '--from' | '--to';

/** `option`: what names the database, if not the settings of the project. */
export async function openSide(config: DatabaseConfig, create: boolean, option: SideOption | undefined): Promise<Side> {
  const folder = dirname(config.filename);
  if (embeddedFile(config) !== undefined && !existsSync(folder))
    throw new TransferRefused([`${option ?? 'DATABASE_FILENAME'}: there is no folder ${folder}`]);
  const database = await openDatabase(config, { create, statementTime: 0 }).catch((error: unknown) => {
    const problems = option === undefined ? undefined : problemsOf(error);
    throw problems === undefined ? error : new TransferRefused(problems.map((problem) => `${option}: ${ofUrl(problem)}`));
  });
  return {
    database: option === undefined ? database : namingOption(database, option),
    engine: await openTransferEngine(database.dialect),
  };
}

/** Rejects with the same errors; messages that a person can act on begin with the option. */
function namingOption(database: Database, option: SideOption): Database {
  const named = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw error instanceof TransferRefused ? error : (refusalOf(error, database, option) ?? error);
    });
  return {
    ...database,
    read: (work, stoppable) => named(database.read(work, stoppable)),
    readAtOnce: (work, stoppable) => named(database.readAtOnce(work, stoppable)),
    write: (work, stoppable) => named(database.write(work, stoppable)),
    maintain: (work) => named(database.maintain(work)),
    tables: (on) => named(database.tables(on)),
  };
}

function refusalOf(error: unknown, database: Database, option: SideOption): TransferRefused | undefined {
  const text = described(error, database);
  return text === undefined
    ? undefined
    : new TransferRefused(
        text.map((problem) => `${option}: ${problem}`),
        { cause: error },
      );
}

/** Undefined for errors that nobody expects. */
function described(error: unknown, database: Database): readonly string[] | undefined {
  const kind = database.errorKindOf(error);
  if (kind === 'full') return [`${messageOf(error)}. Once there is space, run the same command again: it continues.`];
  const problems = problemsOf(error);
  if (problems !== undefined) return problems.map(ofUrl);
  return kind === 'unavailable'
    ? [`${messageOf(error)}. Once the database responds, run the same command again: it continues.`]
    : undefined;
}

/** Runs work on the target, and adds to any error what was being done. `isContinued`: an
 *  interrupted transfer has written rows before. */
export async function explaining<T>(
  { database, engine }: Side,
  { what, isContinued }: { readonly what: string; readonly isContinued: boolean },
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof TransferRefused && error.cause !== undefined ? error.cause : error;
    const texts =
      isContinued && engine.isDuplicate(cause)
        ? [`${messageOf(cause)}. The target has rows that the transfer did not write: run the same command with --restart to begin again.`]
        : (described(cause, database) ?? [messageOf(cause)]);
    throw new TransferRefused(texts.map((text) => `--to: ${what}: ${text}`));
  }
}
