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
  const exportAction = action<Export & { readonly target: string }>(async (options) =>
    (await import('./export-command.ts')).exportCommand(options),
  );
  program
    .command('export <target>')
    .description("write content, relations and files to a new folder or .tar.gz, in the format of Strapi's archives, while the server runs")
    .option(...onlyOption)
    .option(...excludeOption)
    .option('--force', 'replace an archive of that name')
    .option(...keyOption)
    .option(...dirOption)
    .action((target: string, options: Export) => exportAction({ ...options, target }));
}
