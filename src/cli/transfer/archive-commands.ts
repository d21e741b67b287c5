/** The command lines of archives of content. */
import type { Command } from 'commander';
import { type CommandAction, projectCommand } from '../command-action.ts';
import { groupList } from './archive-options.ts';

export function archiveCommands(program: Command, action: CommandAction): void {
  const archiveCommand = (name: string, description: string) =>
    projectCommand(program, name, description)
      .option('--only <groups>', 'content, files, config; separated by commas', groupList)
      .option('--exclude <groups>', 'what to leave out: content, files, config', groupList)
      .option('--key <text>', 'key of an encrypted archive (.enc); else LECTERN_ARCHIVE_KEY');
  archiveCommand(
    'export <target>',
    "write content, relations and files to a new folder or .tar.gz, in the format of Strapi's archives, while the server runs",
  )
    .option('--force', 'replace an archive of that name')
    .action(action(async () => (await import('./export-command.ts')).exportCommand));
  archiveCommand(
    'import <source>',
    'read content, relations and files from an archive of Lectern or Strapi, a folder or .tar.gz, in one transaction',
  )
    .option('--replace', 'delete all entries, users and files of the project first')
    .option('--yes', 'do not ask before deleting')
    .option('--ignore-missing', 'leave out content of types and attributes that the project does not have')
    .action(action(async () => (await import('./import-command.ts')).importCommand));
}
