import type { Command } from 'commander';
import { type CommandAction, projectCommand } from '../command-action.ts';

export function loadCommands(program: Command, action: CommandAction): void {
  projectCommand(
    program,
    'load <source>',
    'create and update documents from a file of JSON lines, or - for standard input, with the checks, hooks and events of the API',
  )
    .requiredOption('--type <uid>', 'type of the documents, such as api::article.article')
    .requiredOption(
      '--upsert-by <attribute>',
      'uid or unique attribute: a document with the value of a line is updated, otherwise one is created',
    )
    .option('--errors <file>', 'write the lines that fail to this file, with the reasons')
    .option('--dry-run', 'write nothing, and report what would be done')
    .option('--stop', 'end at the first line that fails; without it, the other lines are written')
    .action(action(async () => (await import('./load-command.ts')).load));
}
