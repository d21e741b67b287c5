/** Makes the missing variants of an image. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../dialects/database.ts';
import { formatKey, type ImageSettings, type Images, type MadeImage } from '../images/images.ts';
import { type FileRow, FileStore, type FormatRecords, formatRecord } from '../library/file-store.ts';
import { inTemporaryFolder } from '../library/temporary-folder.ts';
import type { Storage } from '../storage/storage.ts';
import type { LackingImage } from './check-media.ts';

export interface RepairParts {
  readonly database: Database;
  readonly storage: Storage;
  readonly images: Images;
  readonly settings: ImageSettings;
  /** Names in the order in which a row lists them, after the thumbnail. */
  readonly breakpoints: Readonly<Record<string, number>>;
  readonly temporaryDir: string;
}

/** Stores the variants and names them in the row; the image itself stays. Returns the names that
 *  could not be made. Throws the errors of `Images` and `Storage`. */
export function repairVariants(image: LackingImage, parts: RepairParts): Promise<readonly string[]> {
  return inTemporaryFolder(parts.temporaryDir, async (folder) => {
    const row = await rowOf(image.id, parts.database);
    // Variants are named after breakpoints, and no breakpoint has this name.
    const original = join(folder, '.original');
    const stored = await parts.storage.open(image.key);
    if (row === undefined || stored === undefined) return [...image.gone, ...image.unmade];
    await pipeline(stored.stream(), createWriteStream(original));
    const made = await variantsOf(image, { row, original, folder }, parts);
    // If the image was replaced meanwhile, the new one has its own variants of the same names.
    if (!isSame(row, await rowOf(image.id, parts.database))) return [...image.gone, ...image.unmade];
    const formats: Record<string, FormatRecords[string]> = { ...row.formats };
    for (const [name, variant] of made) {
      const url = row.formats?.[name]?.url ?? parts.storage.urlOf(formatKey(name, image.key));
      await parts.storage.put(parts.storage.keyOf(url) ?? formatKey(name, image.key), variant.path, row.mime);
      formats[name] = formatRecord(name, row, variant, url);
    }
    const isSaved = await save(row, inOrder(formats, parts.breakpoints), parts.database);
    return [...image.gone, ...image.unmade].filter((name) => !isSaved || !made.has(name));
  });
}

const rowOf = (id: number, database: Database) => database.read((connection) => new FileStore(connection, database.dialect).byId(id));

const isSame = (before: FileRow, now: FileRow | undefined) => JSON.stringify(now) === JSON.stringify(before);

async function variantsOf(
  { gone, unmade }: LackingImage,
  { row, original, folder }: { readonly row: FileRow; readonly original: string; readonly folder: string },
  { images, settings }: RepairParts,
): Promise<ReadonlyMap<string, MadeImage>> {
  const derived = await images.derive(original, folder, { ...settings, sizeOptimization: false });
  const made = new Map<string, MadeImage>();
  for (const name of [...gone, ...unmade]) {
    const variant = derived?.formats.find((each) => each.name === name) ?? (await formerVariant(row.formats?.[name]));
    if (variant !== undefined) made.set(name, variant);
  }
  return made;

  /** A variant of a breakpoint that is no longer set, in the size that its row has. */
  async function formerVariant(format: FormatRecords[string] | undefined): Promise<MadeImage | undefined> {
    if (format === undefined) return undefined;
    const { width, height } = format;
    // The row is untrusted: its values may be no sizes, and a name must not lead to another folder.
    if (![width, height].every((side) => Number.isInteger(side) && side > 0)) return undefined;
    const path = join(folder, `former-${made.size}`);
    await images.transform(original, path, { width, height, fit: 'inside', format: undefined, quality: undefined });
    return { path, width, height, size: (await stat(path)).size };
  }
}

function inOrder(formats: FormatRecords, breakpoints: Readonly<Record<string, number>>): FormatRecords {
  const names = new Set(['thumbnail', ...Object.keys(breakpoints), ...Object.keys(formats)]);
  return Object.fromEntries([...names].flatMap((name) => (formats[name] === undefined ? [] : [[name, formats[name]]])));
}

/** False when the row has changed since. */
function save(row: FileRow, formats: FormatRecords, database: Database): Promise<boolean> {
  return database.write(async (connection) => {
    const rows = new FileStore(connection, database.dialect);
    if (!isSame(row, await rows.byId(row.id))) return false;
    rows.update(row.id, { formats }, Date.now());
    return true;
  });
}
