/** The command lines of archives of content. */
import type { Command } from 'commander';
import { type CommandAction, dirOption } from '../command-action.ts';
import { type GroupOptions, groupList } from './archive-options.ts';

const onlyOption = ['--only <groups>', 'content, files, config; separated by commas', groupList] as const;
const excludeOption = ['--exclude <groups>', 'what to leave out: content, files, config', groupList] as const;
const keyOption = ['--key <text>', 'key of an encrypted archive (.enc); else LECTERN_ARCHIVE_KEY'] as const;

interface CommonOptions extends GroupOptions {
  readonly dir: string;
  readonly key?: string;
}

export function archiveCommands(program: Command, action: CommandAction): void {
  type Export = CommonOptions & { readonly force?: boolean };
  program
    .command('export <target>')
    .description("write content, relations and files to a new folder or .tar.gz, in the format of Strapi's archives, while the server runs")
    .option(...onlyOption)
    .option(...excludeOption)
    .option('--force', 'replace an archive of that name')
    .option(...keyOption)
    .option(...dirOption)
    .action(action(async (target: string, options: Export) => (await import('./export-command.ts')).exportCommand({ ...options, target })));

  type Import = CommonOptions & { readonly replace?: boolean; readonly yes?: boolean; readonly ignoreMissing?: boolean };
  program
    .command('import <source>')
    .description('read content, relations and files from an archive of Lectern or Strapi, a folder or .tar.gz, in one transaction')
    .option(...onlyOption)
    .option(...excludeOption)
    .option('--replace', 'delete all entries, users and files of the project first')
    .option('--yes', 'do not ask before deleting')
    .option('--ignore-missing', 'leave out content of types and attributes that the project does not have')
    .option(...keyOption)
    .option(...dirOption)
    .action(action(async (source: string, options: Import) => (await import('./import-command.ts')).importCommand({ ...options, source })));
}
