/** Options that `lectern export` and `lectern import` have in common. */
import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { type ArchiveGroup, archiveGroups } from '../../archives/archive-parts.ts';
import { StartError } from '../../errors/start-error.ts';
import { exitCodes } from '../exit-codes.ts';

export interface GroupOptions {
  readonly only?: readonly ArchiveGroup[];
  readonly exclude?: readonly ArchiveGroup[];
}

const isGroup = (text: string): text is ArchiveGroup => archiveGroups.some((group) => group === text);

/** `content,files` */
export function groupList(text: string): readonly ArchiveGroup[] {
  return text.split(',').map((name) => {
    if (!isGroup(name)) throw new InvalidArgumentError(`"${name}" is none of ${archiveGroups.join(', ')}.`);
    return name;
  });
}

export function groupsOf({ only, exclude = [] }: GroupOptions): ReadonlySet<ArchiveGroup> {
  const groups = (only ?? archiveGroups).filter((group) => !exclude.includes(group));
  if (groups.length === 0) throw new StartError(['--only and --exclude leave nothing.'], exitCodes.usage);
  return new Set(groups);
}

export interface ArchiveForm {
  readonly kind: 'folder' | 'file';
  readonly gzip: boolean;
  readonly encrypted: boolean;
}

/** The form of an archive that a name stands for; Strapi's endings. */
export function formOf(path: string): ArchiveForm {
  const ending = /\.(?:tar(?<gz>\.gz)?|tgz)(?<enc>\.enc)?$/.exec(basename(path));
  if (ending === null) return { kind: 'folder', gzip: false, encrypted: false };
  return {
    kind: 'file',
    gzip: ending.groups?.gz !== undefined || ending[0].startsWith('.tgz'),
    encrypted: ending.groups?.enc !== undefined,
  };
}

/** The key of an encrypted archive, or undefined. Lists of processes do not show a variable. */
export function keyFor({ encrypted }: ArchiveForm, keyOption: string | undefined): string | undefined {
  const key = keyOption ?? process.env.LECTERN_ARCHIVE_KEY;
  if (encrypted && (key === undefined || key === '')) {
    throw new StartError(
      ['An archive whose name ends with .enc is encrypted: give the key with --key, or set LECTERN_ARCHIVE_KEY.'],
      exitCodes.usage,
    );
  }
  if (!encrypted && keyOption !== undefined) {
    throw new StartError(['--key is for encrypted archives, whose names end with .tar.gz.enc.'], exitCodes.usage);
  }
  return encrypted ? key : undefined;
}
