import type { Config, DatabaseConfig } from '../../config/config.ts';
import { missingFile } from '../../dialects/embedded-file.ts';
import { withDatabase } from '../../dialects/open-database.ts';
import { StartError } from '../../errors/start-error.ts';
import { ownActionsOf } from '../../own-code/own-rights.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import type { ContentModel, ModelError } from '../content-model.ts';
import type { ColumnTypes } from './custom-fields.ts';
import { loadModel } from './load-model.ts';

/** Time limit of the statements that list the database's tables. Milliseconds. */
const statementTime = 10_000;

export type ModelConfig = Pick<Config, 'dir' | 'customFields' | 'profile'> & {
  readonly api?: Pick<Config['api'], 'privateAttributes'>;
  readonly database?: DatabaseConfig;
};

/** Loads the content model of a project. Throws a `StartError` that lists all mistakes in the
 *  schema files. Queries the database only for custom fields whose type no other source names. */
export async function loadProjectModel(config: ModelConfig): Promise<ContentModel> {
  const options = {
    customFields: config.customFields,
    asStrapi: config.profile === 'strapi',
    privateAttributes: config.api?.privateAttributes ?? [],
  };
  let loaded = loadModel(config.dir, options);
  if (!loaded.ok && loaded.needsColumns && config.database !== undefined) {
    loaded = loadModel(config.dir, { ...options, columns: await columnsOf(config.database) });
  }
  if (!loaded.ok) throw new StartError([...loaded.errors, ...loaded.warnings].map(describeModelError));
  const ownActions = ownActionsOf(config.dir);
  return ownActions.size === 0 ? loaded.model : { ...loaded.model, ownActions };
}

async function columnsOf(config: DatabaseConfig): Promise<ColumnTypes> {
  if (missingFile(config) !== undefined) return () => undefined;
  return withDatabase(config, { create: false, statementTime }, async (database) => {
    const tables = new Map((await database.tables()).map(({ name, columns }) => [name, columns]));
    return (table, column) => {
      const declared = tables.get(table)?.get(column);
      return declared === undefined ? undefined : database.dialect.tables.storedType(declared);
    };
  });
}

/** `src/api/…/schema.json:12:7: attributes.title.requird: unknown key "requird". Did you mean
 *  "required"?`: editors and terminals open the position. */
const describeModelError = ({ file, path, position, problem, remedy }: ModelError): string => {
  const place = position === undefined ? file : `${file}:${position.line}:${position.column}`;
  return `${[place, path, problem].filter((part) => part !== '').join(': ')}. ${capitalised(remedy)}`.trim();
};

/** Remedies may also follow a colon; here they are sentences. A name in code stays as it is. */
const capitalised = (sentence: string): string =>
  /^[a-z]+(?: |$)/.test(sentence) ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;

/** The mistakes in the schema files with which the server starts. */
export const describeMistakes = ({ warnings }: ContentModel): readonly string[] => warnings.map(describeModelError);

/** A start prints at most this many warnings; `lectern check` prints all of them. */
const warningsAtStart = 10;

/** The warnings as lines for standard error; empty if there are none. */
export function describeModelWarnings({ warnings }: ContentModel): string {
  const lines = warnings.slice(0, warningsAtStart).map((warning) => `Warning: ${describeModelError(warning)}\n`);
  const rest = warnings.length - lines.length;
  if (rest > 0) lines.push(`Warning: ${rest} more about the schema files: \`${lecternCommand('check')}\` lists them.\n`);
  return lines.join('');
}
