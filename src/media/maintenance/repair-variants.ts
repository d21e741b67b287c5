/** Makes the variants again that an image lacks. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../dialects/dialect.ts';
import { formatKey, type ImageSettings, type Images, type MadeImage } from '../images/images.ts';
import { type FileRow, FileStore, type FormatRecords } from '../library/file-store.ts';
import { formatRecord } from '../library/format-record.ts';
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
  readonly workDir: string;
}

/** Puts the variants into the storage and names them in the row. The image itself is left as it is, also where an upload would make it smaller today.
 *  Answers the names that could not be made. Throws `ApiError` as `Images` and `Storage` do. */
export function repairVariants(image: LackingImage, parts: RepairParts): Promise<readonly string[]> {
  return inTemporaryFolder(parts.workDir, async (folder) => {
    const row = await rowOf(image.id, parts.database);
    // No name of a breakpoint, which variants are written under.
    const original = join(folder, '.original');
    const stored = await parts.storage.open(image.key);
    if (row === undefined || stored === undefined) return [...image.gone, ...image.unmade];
    await pipeline(stored.stream(), createWriteStream(original));
    const made = await variantsOf(image, row, original, folder, parts);
    // What was uploaded in place of the image while its variants were made has variants of its own, under the same names.
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
  row: FileRow,
  original: string,
  folder: string,
  { images, settings }: RepairParts,
): Promise<ReadonlyMap<string, MadeImage>> {
  const derived = await images.derive(original, folder, { ...settings, sizeOptimization: false });
  const made = new Map<string, MadeImage>();
  for (const name of [...gone, ...unmade]) {
    const variant = derived?.formats.find((each) => each.name === name) ?? (await formerVariant(row.formats?.[name]));
    if (variant !== undefined) made.set(name, variant);
  }
  return made;

  /** One of a breakpoint that is no longer set, as large as its row says. */
  async function formerVariant(format: FormatRecords[string] | undefined): Promise<MadeImage | undefined> {
    if (format === undefined) return undefined;
    const { width, height } = format;
    // Nobody has checked what a row says: it need not be a size, and its name must not lead to another folder.
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

/** False where the row has changed since. */
function save(row: FileRow, formats: FormatRecords, database: Database): Promise<boolean> {
  return database.write(async (connection) => {
    const rows = new FileStore(connection, database.dialect);
    if (!isSame(row, await rows.byId(row.id))) return false;
    await rows.update(row.id, { formats }, Date.now());
    return true;
  });
}
