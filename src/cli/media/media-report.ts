/** The report of `lectern media check`, for people and for programs. */
import prettyBytes from 'pretty-bytes';
import type { LackingImage, MediaFindings } from '../../media/maintenance/check-media.ts';
import { inColumns } from '../../text/align-columns.ts';
import { counted } from '../../text/counted.ts';
import { printable } from '../../text/printable.ts';

/** The findings, and the repairs. */
export interface MediaReport extends MediaFindings {
  readonly provider: string;
  /** The number of folders left over from interrupted uploads. */
  readonly abandoned: number;
  /** The repaired images; undefined without `--repair`. */
  readonly repaired: readonly RepairedImage[] | undefined;
  /** Whether the orphans and the abandoned folders were deleted. */
  readonly deleted: { readonly orphans: boolean; readonly abandoned: boolean };
}

export interface RepairedImage extends LackingImage {
  /** Variants that could not be created. */
  readonly left: readonly string[];
  readonly reason: string | undefined;
}

/** The report prints at most this many lines of a group; `--json` prints all. */
const linesOfGroup = 50;

/** Whether no problem remains. */
export const isSound = ({ missing, lacking, repaired, orphans, abandoned, deleted }: MediaReport): boolean =>
  missing.length === 0 &&
  (lacking.length === 0 || repaired?.every(({ left }) => left.length === 0) === true) &&
  (orphans.length === 0 || deleted.orphans) &&
  (abandoned === 0 || deleted.abandoned);

export function describeReport(report: MediaReport): string {
  const { rows, files, provider, elsewhere, young } = report;
  const others = Object.entries(elsewhere).map(([name, count]) => `${count} with the provider "${name}"`);
  return [
    `Compared ${counted(rows, 'row')} of the library with ${counted(files, 'file')} of the storage (${provider}).\n`,
    ...(others.length === 0 ? [] : [`Stored by other providers, and not checked: ${others.join(', ')}.\n`]),
    ...(young === 0 ? [] : [`Without a row, but younger than an hour, so perhaps still being uploaded: ${counted(young, 'file')}.\n`]),
    ...(nothingFound(report) ? ['No problems found.\n'] : groups(report)),
  ].join('');
}

const nothingFound = ({ missing, lacking, orphans, abandoned }: MediaReport) =>
  missing.length + lacking.length + orphans.length + abandoned === 0;

function groups({ missing, lacking, repaired, orphans, abandoned, deleted }: MediaReport): string[] {
  const bytes = prettyBytes(orphans.reduce((sum, { size }) => sum + size, 0));
  return [
    group(
      `${counted(missing.length, 'row')} without a file. Restore it from a backup, upload it again (POST /api/upload?id=…), or delete the row (DELETE /api/upload/files/…):`,
      ['ID', 'NAME', 'URL', 'USED BY'],
      missing.map(({ id, name, url, usedBy }) => [
        String(id),
        name,
        url,
        usedBy.length === 0 ? 'nothing' : usedBy.map((link) => `${link.type} ${link.id} ${link.field}`).join(', '),
      ]),
    ),
    repaired === undefined
      ? group(
          `${counted(lacking.length, 'image')} without all variants; \`--repair\` creates them:`,
          ['ID', 'NAME', 'MISSING', 'NEVER CREATED'],
          lacking.map(({ id, name, gone, unmade }) => [String(id), name, gone.join(', '), unmade.join(', ')]),
        )
      : group(
          `${counted(repaired.length, 'image')} without all variants; created again where possible:`,
          ['ID', 'NAME', 'CREATED', 'NOT CREATED'],
          repaired.map(({ id, name, gone, unmade, left, reason }) => [
            String(id),
            name,
            [...gone, ...unmade].filter((each) => !left.includes(each)).join(', '),
            `${left.join(', ')}${reason === undefined ? '' : `: ${reason}`}`,
          ]),
        ),
    group(
      `${counted(orphans.length, 'file')} without a row, ${bytes}; ${deleted.orphans ? 'deleted' : '`--delete-orphans` deletes them permanently'}:`,
      ['FILE', 'SIZE', 'WRITTEN'],
      orphans.map(({ key, size, modified }) => [key, prettyBytes(size), modified.toISOString()]),
    ),
    abandoned === 0
      ? ''
      : `\n${counted(abandoned, 'folder')} of uploads that were interrupted more than a day ago; ${deleted.abandoned ? 'deleted' : '`--repair` deletes them'}.\n`,
  ];
}

function group(title: string, heading: readonly string[], lines: readonly (readonly string[])[]): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(0, linesOfGroup).map((line) => line.map(printable));
  const table = inColumns([heading, ...shown])
    .replaceAll(/^/gm, '  ')
    .trimEnd();
  const more = lines.length - shown.length;
  return `\n${title}\n\n${table}\n${more === 0 ? '' : `  and ${more.toLocaleString('en')} more; \`--json\` lists all\n`}`;
}

/** The report as a JSON value; its keys are stable. */
export function reportAsJson(report: MediaReport) {
  const { rows, files, provider, elsewhere, young, missing, lacking, repaired, orphans, abandoned, deleted } = report;
  return {
    isSound: isSound(report),
    provider,
    rows,
    files,
    elsewhere,
    young,
    rowsWithoutFile: missing,
    imagesWithoutVariants: repaired ?? lacking.map((image) => ({ ...image, left: [...image.gone, ...image.unmade] })),
    filesWithoutRow: orphans.map((orphan) => ({ ...orphan, isDeleted: deleted.orphans })),
    abandonedUploads: { folders: abandoned, isDeleted: deleted.abandoned },
  };
}
