/** The command lines of `lectern search`. */
import type { Command } from 'commander';
import { type CommandAction, projectCommand, repeatable } from '../command-action.ts';

export function searchCommands(program: Command, action: CommandAction): void {
  const search = program.command('search').description('full-text indexes, which the setting `search` describes');
  const load = () => import('./search-command.ts');
  projectCommand(search, 'build', 'make the indexes, while the server runs; also after a change of the setting or of schema files')
    .argument('[types...]', 'uids of content types; all configured ones if none is given', repeatable)
    .action(action(async () => (await load()).build));
  projectCommand(search, 'status', 'print the state of each index; exit code 3 if one has to be built').action(
    action(async () => (await load()).status),
  );
  projectCommand(search, 'drop', 'remove the indexes, with the triggers that keep them')
    .argument('[types...]', 'uids of content types; all indexes if none is given', repeatable)
    .action(action(async () => (await load()).drop));
}
