/** The command lines of `lectern media`. */
import type { Command } from 'commander';
import { type CommandAction, projectCommand } from '../command-action.ts';

export function mediaCommands(program: Command, action: CommandAction): void {
  const media = program.command('media').description('files of the media library');
  projectCommand(media, 'check', 'compare the library with the files that are there; exit code 3 when a file is missing or not needed')
    .option('--repair', 'create missing variants of images, and delete the temporary files of interrupted uploads')
    .option('--delete-orphans', 'delete files without a row, permanently')
    .option('--json', 'print it as JSON')
    .action(action(async () => (await import('./check-command.ts')).mediaCheck));
  projectCommand(
    media,
    'import',
    'copy all files of a folder, and of the folders in it, into the library, by the rules of uploads; refused files are skipped',
  )
    .argument('<folder>', 'folder of the files')
    .option('--again', 'also import files that were imported from there before')
    .option('--json', 'print the ids as JSON')
    .action(action(async () => (await import('./import-command.ts')).mediaImport));
  projectCommand(media, 'sign', 'print the signed URL of a file, for variants of any size and for private files')
    .argument('<url>', '/uploads/photo_1234567890.jpg?width=333&format=webp, or a whole URL')
    .option('--expires <when>', '12h, 30d, 2030-12-31 or never', 'never')
    .action(action(async () => (await import('./sign-command.ts')).mediaSign));
}
