/** The command lines of `lectern media`. */
import type { Command } from 'commander';
import { type CommandAction, dirOption } from '../command-action.ts';
import type { MediaCheckOptions } from './check-command.ts';
import type { MediaImportOptions } from './import-command.ts';
import type { MediaSignOptions } from './sign-command.ts';

export function mediaCommands(program: Command, action: CommandAction): void {
  const media = program.command('media').description('files of the media library');
  media
    .command('check')
    .description('compare the library with the files that are there; exit code 3 when a file is missing or not needed')
    .option(...dirOption)
    .option('--repair', 'create missing variants of images, and delete the temporary files of interrupted uploads')
    .option('--delete-orphans', 'delete files without a row, permanently')
    .option('--json', 'print it as JSON')
    .action(action(async (options: MediaCheckOptions) => (await import('./check-command.ts')).mediaCheck(options)));
  media
    .command('import')
    .description(
      'copy all files of a folder, and of the folders in it, into the library, by the rules of uploads; refused files are skipped',
    )
    .argument('<folder>', 'folder of the files')
    .option(...dirOption)
    .option('--again', 'also import files that were imported from there before')
    .option('--json', 'print the ids as JSON')
    .action(
      action(async (folder: string, options: Omit<MediaImportOptions, 'folder'>) =>
        (await import('./import-command.ts')).mediaImport({ ...options, folder }),
      ),
    );
  media
    .command('sign')
    .description('print the signed URL of a file, for variants of any size and for private files')
    .argument('<url>', '/uploads/photo_1234567890.jpg?width=333&format=webp, or a whole URL')
    .option(...dirOption)
    .option('--expires <when>', '12h, 30d, 2030-12-31 or never', 'never')
    .action(
      action(async (url: string, options: Omit<MediaSignOptions, 'url'>) =>
        (await import('./sign-command.ts')).mediaSign({ ...options, url }),
      ),
    );
}
