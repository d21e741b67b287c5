/** The commands about files, as they are typed. */
import type { Command } from 'commander';
import type { MediaCheckOptions } from './check-command.ts';
import type { MediaImportOptions } from './import-command.ts';
import type { MediaSignOptions } from './sign-command.ts';

/** Makes the action of a command of what returns its exit code. */
type Action = <Options>(command: (options: Options) => Promise<number>) => (options: Options) => Promise<void>;

const dir = ['--dir <folder>', 'folder of the project', '.'] as const;

export function mediaCommands(program: Command, action: Action): void {
  const media = program.command('media').description('files of the media library');
  media
    .command('check')
    .description('compare the library with the files that are there; exit code 3 when something is missing or too much')
    .option(...dir)
    .option('--repair', 'make missing variants of images, and delete what interrupted uploads have left')
    .option('--delete-orphans', 'delete files that no row names, for good')
    .option('--json', 'print it as JSON')
    .action(action<MediaCheckOptions>(async (options) => (await import('./check-command.ts')).mediaCheck(options)));
  media
    .command('import')
    .description(
      'take all files of a folder and the folders in it into the library, as uploads; they are copied, and what is refused is left out',
    )
    .argument('<folder>', 'folder of the files')
    .option(...dir)
    .option('--again', 'also what was imported from there before')
    .option('--json', 'print the ids as JSON')
    .action(async (folder: string, options: Omit<MediaImportOptions, 'folder'>) =>
      action<Omit<MediaImportOptions, 'folder'>>(async (given) => (await import('./import-command.ts')).mediaImport({ ...given, folder }))(
        options,
      ),
    );
  media
    .command('sign')
    .description('print an address of a file with a signature, for variants of any size and for private files')
    .argument('<address>', '/uploads/photo_1234567890.jpg?width=333&format=webp, or a whole URL')
    .option(...dir)
    .option('--expires <when>', '12h, 30d, 2030-12-31 or never', 'never')
    .action(async (address: string, options: Omit<MediaSignOptions, 'address'>) =>
      action<Omit<MediaSignOptions, 'address'>>(async (given) => (await import('./sign-command.ts')).mediaSign({ ...given, address }))(
        options,
      ),
    );
}
