import type { Database } from '../dialects/database.ts';
import type { ContentModel } from '../model/content-model.ts';
import { planDatabase } from './prepare-database.ts';

/** The old names of renames that `lectern migrate plan` offers: `api::note.note`, `api::note.note.title`. */
export async function offeredNames(database: Database, model: ContentModel): Promise<ReadonlySet<string>> {
  const changes = await planDatabase(database, model, {
    choices: { renames: [], allowDestructive: false },
    now: new Date(),
    thoroughness: 'quickly',
  });
  return new Set('ok' in changes ? [] : changes.offers.map(({ name }) => name.slice(0, name.indexOf('='))));
}
