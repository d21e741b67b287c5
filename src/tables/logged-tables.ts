import type { ContentModel } from '../model/content-model.ts';
import { physicalSchema } from './physical-schema.ts';
import { roleRulesTable, settingsTable } from './system-tables.ts';

/** Tables of the system that decide a response. */
const readForResponses: ReadonlySet<string> = new Set([settingsTable, roleRulesTable]);

/** The names of the tables whose writes are logged, for versions of tables: every table that a cached response may be made from. */
export const loggedTables = (model: ContentModel): readonly string[] =>
  physicalSchema(model)
    .filter(({ name, origin }) => origin.uid !== 'system' || readForResponses.has(name))
    .map(({ name }) => name);
