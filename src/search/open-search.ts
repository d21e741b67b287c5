/** The full-text search of a server. */
import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/database.ts';
import type { ContentModel } from '../model/content-model.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import { type SearchIndexes, searchIndexes } from './search-index.ts';
import { SearchStates } from './search-store.ts';

export interface Search {
  readonly searchIndexes: SearchIndexes;
  readonly searchStates: SearchStates;
}

interface SearchParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  /** Gets a warning for each index that cannot be used. */
  readonly notices: { write(text: string): unknown };
}

/** Undefined if the configuration asks for none. */
export async function openSearch({ config, model, database, notices }: SearchParts): Promise<Search | undefined> {
  const indexes = searchIndexes(config.search, model);
  if (indexes.size === 0) return undefined;
  const states = new SearchStates(database, indexes);
  const command = lecternCommand('search build', config.dir);
  for (const [uid, state] of await states.unusable())
    notices.write(`Warning: the full-text index of ${uid} is ${state}, so searches get 503: run \`${command}\`\n`);
  return { searchIndexes: indexes, searchStates: states };
}
