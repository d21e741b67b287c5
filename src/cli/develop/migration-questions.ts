/** Asks a person which steps of a migration are carried out, apart from additions. */
import type { Config } from '../../config/config.ts';
import type { ReadableLog } from '../../development/readable-log.ts';
import type { Database } from '../../dialects/database.ts';
import { withDatabase } from '../../dialects/open-database.ts';
import { StartError } from '../../errors/start-error.ts';
import { hasSameTypes } from '../../migrations/changed-types.ts';
import { describeMigration, isNothing } from '../../migrations/describe/describe-migration.ts';
import type { Changes, Choices } from '../../migrations/plan-changes.ts';
import { migrateDatabase, planDatabase } from '../../migrations/prepare-database.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { searchIndexes } from '../../search/search-index.ts';
import { dropStaleIndexes } from '../../search/search-store.ts';
import { confirmed, isTerminal } from '../confirm.ts';

export interface QuestionParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly log: ReadableLog;
  /** Aborted when the question is out of date. */
  readonly cancelled: AbortSignal;
  /** The command line of `lectern migrate apply`. */
  readonly command: string;
}

const nothingElse: Choices = { renames: [], allowDestructive: false };

export class MigrationQuestions {
  /** Steps that a person has decided to leave, by their description. */
  readonly #left = new Set<string>();
  #shown = '';

  /** Prints the migration. Returns the choices if a step is left that a start does not do by
   *  itself, and `cancelled` at Ctrl-C. */
  async decide(parts: QuestionParts): Promise<Choices | 'cancelled' | undefined> {
    const plan = (choices: Choices) =>
      onDatabase(parts.config, async (database) => planDatabase(database, parts.model, { choices, now: new Date() }));
    const changes = await plan(nothingElse);
    // The start reports what is wrong.
    if ('ok' in changes || isNothing(changes)) return undefined;
    // For an empty database, one line replaces hundreds of statements.
    if (changes.live.length === 0) return undefined;
    this.#show(changes, parts);
    const mayAsk = isTerminal() && parts.config.migrate === 'auto' && !parts.config.strapiProject;
    if (!mayAsk) return undefined;
    parts.log.pause();
    try {
      return await this.#ask(changes, plan, parts);
    } finally {
      parts.log.resume();
    }
  }

  /** Whether the database lacks something, or has a decision to make. Asks nobody. With
   *  `changedTypes`: whether these are still the ones that are left. */
  async isPending({ config, model }: Pick<QuestionParts, 'config' | 'model'>, changedTypes?: Changes['changedTypes']): Promise<boolean> {
    const changes = await onDatabase(config, (database) =>
      planDatabase(database, model, { choices: nothingElse, now: new Date(), thoroughness: 'quickly' }),
    );
    if ('ok' in changes) return true;
    return changedTypes === undefined ? !isNothing(changes) : hasSameTypes(changes.changedTypes, changedTypes);
  }

  /** The same text is not printed at each change of a file. */
  #show(changes: Changes, { command, log }: QuestionParts): void {
    const text = describeMigration(changes, command);
    if (text !== this.#shown) log.print(text);
    this.#shown = text;
  }

  async #ask(
    changes: Changes,
    plan: (choices: Choices) => ReturnType<typeof planDatabase>,
    { cancelled }: QuestionParts,
  ): Promise<Choices | 'cancelled' | undefined> {
    const ask = async (message: string): Promise<boolean | undefined> => {
      if (this.#left.has(message)) return false;
      const decision = await confirmed(message, cancelled);
      if (decision === false) this.#left.add(message);
      return decision;
    };
    const renames: string[] = [];
    for (const { name, step } of changes.offers) {
      const decision = await ask(`${step.reason} Rename it, with its values?`);
      if (decision === undefined) return 'cancelled';
      if (decision) renames.push(name);
    }
    const rest = renames.length === 0 ? changes : await plan({ renames, allowDestructive: false });
    if ('ok' in rest) throw new StartError(rest.problems);
    let allowDestructive = false;
    if (rest.destructive.length > 0) {
      const steps = rest.destructive.map(({ reason }) => `  ${reason}`).join('\n');
      const decision = await ask(`No longer needed:\n${steps}\nSet it aside under another name? Nothing is dropped.`);
      if (decision === undefined) return 'cancelled';
      allowDestructive = decision;
    }
    return renames.length === 0 && !allowDestructive ? undefined : { renames, allowDestructive };
  }
}

/** Carries out the choices. Throws a `StartError` if a step is refused; then nothing has
 *  changed. */
export async function migrate(config: Config, model: ContentModel, choices: Choices): Promise<void> {
  await onDatabase(config, async (database) => {
    await dropStaleIndexes(database, searchIndexes(config.search, model));
    const done = await migrateDatabase(database, model, choices);
    if (!done.ok) throw new StartError(done.problems);
  });
}

/** The time limit is meant for requests; adding a column may take longer. */
const onDatabase = <T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> =>
  withDatabase(config.database, { create: false, statementTime: 0 }, work);
