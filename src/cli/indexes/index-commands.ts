/** The command lines of `lectern indexes`. */
import { type Command, InvalidArgumentError } from 'commander';
import { lecternCommand } from '../../text/lectern-command.ts';
import { type CommandAction, projectCommand, repeatable } from '../command-action.ts';

export function indexCommands(program: Command, action: CommandAction): void {
  const indexes = program.command('indexes').description('indexes that make reads faster');
  projectCommand(
    indexes,
    'advise',
    'print the indexes that the database lacks, with their statements and sizes; exit code 3 when there are any',
  )
    .option(
      '--measure',
      'measure reads before and after on PostgreSQL too, where writes to the table wait meanwhile; on SQLite a copy of the file is used',
    )
    .option('--no-measure', 'measure nothing')
    .option('--json', 'print them as JSON')
    .action(action(async () => (await import('./advise-command.ts')).advise));
  const change = (name: string, description: string) =>
    projectCommand(indexes, name, description).argument('[names...]', 'names of indexes; all of them if none is given', indexName);
  change('apply', 'create the indexes that `advise` prints, while the server runs').action(
    action(async () => (await import('./change-commands.ts')).apply),
  );
  change('drop', 'drop the indexes that Lectern added').action(action(async () => (await import('./change-commands.ts')).drop));
}

function indexName(text: string, previous?: readonly string[]): readonly string[] {
  if (!/^lectern_./.test(text))
    throw new InvalidArgumentError(`Names of indexes begin with lectern_; \`${lecternCommand('indexes advise')}\` prints them.`);
  return repeatable(text, previous);
}
