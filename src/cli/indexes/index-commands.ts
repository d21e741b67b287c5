/** The command lines of `lectern indexes`. */
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandAction, dirOption, repeatable } from '../command-action.ts';
import type { AdviseOptions } from './advise-command.ts';
import type { ChangeOptions } from './change-commands.ts';

export function indexCommands(program: Command, action: CommandAction): void {
  const indexes = program.command('indexes').description('indexes that make reads faster');
  indexes
    .command('advise')
    .description('print the indexes that the database lacks, with their statements and sizes; exit code 3 when there are any')
    .option(...dirOption)
    .option(
      '--measure',
      'measure reads before and after on PostgreSQL too, where writes to the table wait meanwhile; on SQLite a copy of the file is used',
    )
    .option('--no-measure', 'measure nothing')
    .option('--json', 'print them as JSON')
    .action(action(async (options: AdviseOptions) => (await import('./advise-command.ts')).advise(options)));
  const change = (name: string, description: string, run: (options: ChangeOptions) => Promise<number>) =>
    indexes
      .command(name)
      .description(description)
      .argument('[names...]', 'names of indexes; all of them if none is given', indexName)
      .option(...dirOption)
      .action(action((names: readonly string[], options: { dir: string }) => run({ ...options, names })));
  change('apply', 'create the indexes that `advise` prints, while the server runs', async (options) =>
    (await import('./change-commands.ts')).apply(options),
  );
  change('drop', 'drop the indexes that Lectern added', async (options) => (await import('./change-commands.ts')).drop(options));
}

function indexName(text: string, previous?: readonly string[]): readonly string[] {
  if (!/^lectern_./.test(text))
    throw new InvalidArgumentError('Names of indexes begin with lectern_; `lectern indexes advise` prints them.');
  return repeatable(text, previous);
}
