/** Opens one of the two databases of a transfer. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseConfig } from '../../config/config.ts';
import type { Database } from '../../dialects/dialect.ts';
import { openDatabase } from '../../dialects/open-database.ts';
import { openTransferEngine } from '../../dialects/transfer/open-transfer-engine.ts';
import type { TransferEngine } from '../../dialects/transfer/types.ts';
import { problemsOf } from '../describe-failure.ts';
import { TransferRefused } from './refused.ts';

export interface Side {
  readonly database: Database;
  readonly engine: TransferEngine;
}

/** `option`: what names the database, if not the settings of the project. */
export async function openSide(config: DatabaseConfig, create: boolean, option: '--from' | '--to' | undefined): Promise<Side> {
  const folder = dirname(config.filename);
  if (config.client === 'sqlite' && !existsSync(folder))
    throw new TransferRefused([`${option ?? 'DATABASE_FILENAME'}: there is no folder ${folder}`]);
  const database = await openDatabase(config, { create, statementTime: 0 }).catch((error: unknown) => {
    const problems = option === undefined ? undefined : problemsOf(error);
    throw problems === undefined ? error : new TransferRefused(problems.map((problem) => `${option}: ${ofUrl(problem)}`));
  });
  return { database, engine: await openTransferEngine(database.dialect) };
}

/** The words for parts of a URL, in place of the settings that problems name. */
const partsOfUrl: Readonly<Record<string, string>> = {
  'HOST and DATABASE_HOST': 'the host in the URL',
  DATABASE_CLIENT: 'its scheme',
  DATABASE_HOST: 'the host',
  DATABASE_PORT: 'the port in the URL',
  DATABASE_NAME: 'the name in the URL',
  DATABASE_USERNAME: 'the user',
  DATABASE_PASSWORD: 'the password in the URL',
};
const ofUrl = (problem: string) =>
  Object.entries(partsOfUrl).reduce(
    (text, [setting, part]) => text.replace(new RegExp(`\\b${setting}\\b`), part),
    problem.replace(', or DATABASE_URL, right', ' right').replace(/,? or DATABASE_URL\b/, ''),
  );
