import { existsSync } from 'node:fs';
import type { Config, DatabaseConfig } from '../../config/config.ts';
import { openDatabase } from '../../dialects/open-database.ts';
import { StartError } from '../../errors/start-error.ts';
import type { ContentModel, ModelError } from '../content-model.ts';
import type { ColumnTypes } from './custom-fields.ts';
import { loadModel } from './load-model.ts';

/** How long the tables of the database may take to list. */
const statementTime = 10_000;

export type ModelConfig = Pick<Config, 'dir' | 'customFields' | 'profile'> & { readonly database?: DatabaseConfig };

/** The content model of a project. Throws a `StartError` with every mistake in the schema files. The database is asked only about custom
 *  fields whose type no other source names. */
export async function loadProjectModel(config: ModelConfig): Promise<ContentModel> {
  const options = { customFields: config.customFields, asStrapi: config.profile === 'strapi' };
  let loaded = loadModel(config.dir, options);
  if (!loaded.ok && loaded.needsColumns && config.database !== undefined) {
    loaded = loadModel(config.dir, { ...options, columns: await columnsOf(config.database) });
  }
  if (!loaded.ok) throw new StartError(loaded.errors.map(describeModelError));
  return loaded.model;
}

async function columnsOf(config: DatabaseConfig): Promise<ColumnTypes> {
  if (config.client === 'sqlite' && !existsSync(config.filename)) return () => undefined;
  const database = await openDatabase(config, { create: false, statementTime });
  try {
    const tables = new Map((await database.tables()).map(({ name, columns }) => [name, columns]));
    return (table, column) => {
      const declared = tables.get(table)?.get(column);
      return declared === undefined ? undefined : database.dialect.storedType(declared);
    };
  } finally {
    await database.close();
  }
}

const describeModelError = ({ file, path, problem, remedy }: ModelError): string =>
  `${[file, path, problem].filter((part) => part !== '').join(': ')}. ${remedy}`.trim();

/** Warnings for a start, shortened; `lectern check` prints all of them. */
const warningsAtStart = 10;

/** For standard error; empty when there is nothing. */
export function describeModelWarnings({ warnings }: ContentModel, most = warningsAtStart): string {
  const lines = warnings.slice(0, most).map((warning) => `Warning: ${describeModelError(warning)}\n`);
  const rest = warnings.length - lines.length;
  if (rest > 0) lines.push(`Warning: ${rest} more about the schema files: \`lectern check\` lists them.\n`);
  return lines.join('');
}
