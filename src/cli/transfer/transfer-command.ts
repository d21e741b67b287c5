/** `lectern transfer`: copies a project's database into an empty one of another engine. */

import { join } from 'node:path';
import type { Config, DatabaseConfig } from '../../config/config.ts';
import { embeddedFile } from '../../dialects/embedded-file.ts';
import { searchPrefix } from '../../dialects/search/index-parts.ts';
import { StartError } from '../../errors/start-error.ts';
import { makeIndex } from '../../indexes/index-store.ts';
import type { Proposal } from '../../indexes/proposals.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { openSide } from '../../transfer/open-side.ts';
import { TransferRefused } from '../../transfer/refused.ts';
import { type TransferResult, TransferStopped, transfer } from '../../transfer/transfer.ts';
import { exitCodes } from '../exit-codes.ts';
import { findProposals } from '../indexes/find-proposals.ts';
import { loadProject, type ProjectOptions } from '../project/load-project.ts';
import { servedFolderProblem } from '../served-folder.ts';
import { showProgress } from '../show-progress.ts';
import { stopSignal } from '../stop-signal.ts';

interface TransferOptions extends ProjectOptions {
  readonly to: DatabaseConfig;
  readonly from?: DatabaseConfig;
  readonly restart?: boolean;
}

export async function transferCommand(options: TransferOptions): Promise<number> {
  const { config } = loadProject(options);
  const file = embeddedFile(options.to);
  const served = file === undefined ? undefined : await servedFolderProblem(config, file);
  if (served !== undefined) throw new StartError([`--to: ${served}`]);
  const from = options.from ?? config.database;
  const model = await loadProjectModel({ ...config, database: from });
  const signal = stopSignal();
  try {
    const result = await transfer({
      from,
      to: options.to,
      isFromNamed: options.from !== undefined,
      model,
      ...(options.restart === undefined ? {} : { restart: options.restart }),
      progress: showProgress('steps'),
      isStopped: signal.received,
    });
    const indexes = await addOwnIndexes(options.to, config, model, result.ownIndexes);
    process.stdout.write(`${[...describe(result), ...indexes, ...nextSteps(options.to, config)].join('\n')}\n`);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof TransferStopped) {
      process.stderr.write('\nInterrupted. To continue, run the same command again.\n');
      return exitCodes.interrupted;
    }
    if (error instanceof TransferRefused) throw new StartError(error.message.split('\n'));
    throw error;
  }
}

const count = (n: number) => n.toLocaleString('en-GB');

const describe = (result: TransferResult): string[] => [
  `Copied ${count(result.tables)} tables with ${count(result.rows)} rows, ${count(result.indexes)} indexes and ${count(result.foreignKeys)} foreign keys from ${result.source} to ${result.target}.`,
  'The number and the checksum of the rows are equal in every table.',
  ...result.notes,
];

/** Creates the source's indexes of Lectern, in the form that the target's engine has. */
async function addOwnIndexes(to: DatabaseConfig, config: Config, model: ContentModel, names: ReadonlySet<string>): Promise<string[]> {
  if (names.size === 0) return [];
  const { database } = await openSide(to, false, '--to');
  try {
    const proposed = await findProposals({ config, database, model });
    const wanted = proposed.filter(({ index }) => names.has(index.name));
    await database.maintain(async (connection) => {
      for (const each of wanted) await makeIndex(connection, each);
    });
    const missing = missingOf(names, wanted);
    const [ofSearch, others] = [missing.filter(isOfSearch), missing.filter((name) => !isOfSearch(name))];
    return [
      ...(wanted.length === 0 ? [] : [`Created ${count(wanted.length)} indexes of Lectern that the source has.`]),
      ...(ofSearch.length === 0
        ? []
        : [`Not created, as \`lectern search build\` makes them for full-text search: ${ofSearch.join(', ')}.`]),
      ...(others.length === 0
        ? []
        : [`Not created, as neither the schema files nor recorded reads ask for them on this engine: ${others.join(', ')}.`]),
    ];
  } finally {
    await database.close();
  }
}

/** Those that lead from components to entries, so that triggers keep full-text indexes. */
const isOfSearch = (name: string): boolean => name.startsWith(searchPrefix);

function missingOf(names: ReadonlySet<string>, created: readonly Proposal[]): string[] {
  const made = new Set(created.map(({ index }) => index.name));
  return [...names].filter((name) => !made.has(name));
}

function nextSteps(made: DatabaseConfig, { dir, publicDir, upload }: Config): string[] {
  const place = embeddedFile(made) === undefined ? 'DATABASE_URL' : 'DATABASE_FILENAME';
  return [
    `To serve the new database, set DATABASE_CLIENT=${made.client} and ${place} in ${join(dir, '.env')}, and restart the server.`,
    upload.provider === 'local'
      ? `The files of the media library are not in the database: keep ${join(publicDir, 'uploads')}, or copy it to where the new server runs.`
      : 'The files of the media library stay in their bucket.',
  ];
}
