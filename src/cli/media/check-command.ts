/** `lectern media check`. */
import { configuredSettings } from '../../config/stored-settings.ts';
import { ApiError } from '../../errors/api-error.ts';
import { StartError } from '../../errors/start-error.ts';
import { readImageSettings } from '../../media/images/image-settings.ts';
import { abandonedFolders, sweepTemporaryFolders, temporaryDirsOf } from '../../media/library/temporary-folder.ts';
import { checkMedia, type LackingImage, type MediaFindings } from '../../media/maintenance/check-media.ts';
import { type RepairParts, repairVariants } from '../../media/maintenance/repair-variants.ts';
import { openUsableStorage } from '../../media/storage/open-storage.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { type OpenProject, withProject } from '../project/open-project.ts';
import { describeReport, isSound, type RepairedImage, reportAsJson } from './media-report.ts';

interface MediaCheckOptions extends ProjectOptions {
  readonly repair?: boolean;
  readonly deleteOrphans?: boolean;
  readonly json?: boolean;
}

/** The number of keys that one call of the storage removes. */
const keysAtOnce = 1000;

export function mediaCheck(options: MediaCheckOptions): Promise<number> {
  return withProject(options, async ({ config, database, origin }) => {
    const { upload } = config;
    const deleted = { orphans: options.deleteOrphans === true, abandoned: options.repair === true };
    const storage = await openUsableStorage(config, deleted.orphans || deleted.abandoned ? 'writing' : 'reading');
    const settings = await database.read((connection) => readImageSettings(connection, configuredSettings(config, origin)));
    const breakpoints = settings.responsiveDimensions ? upload.breakpoints : {};
    const now = Date.now();
    const findings = await checkMedia({ database, storage, breakpoints }, now);
    const abandoned = await abandonedFolders(temporaryDirsOf(config), now);
    if (deleted.orphans) {
      refuseEmptyLibrary(findings);
      const keys = findings.orphans.map(({ key }) => key);
      for (let start = 0; start < keys.length; start += keysAtOnce) await storage.remove(keys.slice(start, start + keysAtOnce));
    }
    if (deleted.abandoned) await sweepTemporaryFolders(temporaryDirsOf(config), now);
    const repaired =
      options.repair === true
        ? await repairAll(findings.lacking, { database, storage, settings, breakpoints, temporaryDir: upload.workDir }, config)
        : undefined;
    const report = { ...findings, provider: storage.provider, abandoned: abandoned.length, repaired, deleted };
    process.stdout.write(options.json === true ? `${JSON.stringify(reportAsJson(report), null, 2)}\n` : describeReport(report));
    return isSound(report) ? exitCodes.done : exitCodes.changesFound;
  });
}

/** Refuses to delete orphans of an empty library: with a wrong database, all files are orphans. */
function refuseEmptyLibrary({ rows, elsewhere, orphans }: MediaFindings): void {
  const own = rows - Object.values(elsewhere).reduce((sum, count) => sum + count, 0);
  if (own > 0 || orphans.length === 0) return;
  throw new StartError([
    `The library has no row for any of ${orphans.length} files: is this the right database? If it is, and the files are not needed, delete them by hand.`,
  ]);
}

/** Repairs one image at a time: a running server needs processors for its own images. */
async function repairAll(
  lacking: readonly LackingImage[],
  parts: Omit<RepairParts, 'images'>,
  config: OpenProject['config'],
): Promise<readonly RepairedImage[]> {
  if (lacking.length === 0) return [];
  const { openImages } = await import('../../media/images/image-processes.ts');
  const images = openImages(config);
  try {
    const repaired: RepairedImage[] = [];
    for (const image of lacking) repaired.push(await repairOne(image, { ...parts, images }));
    return repaired;
  } finally {
    await images.close();
  }
}

async function repairOne(image: LackingImage, parts: RepairParts): Promise<RepairedImage> {
  try {
    return { ...image, left: await repairVariants(image, parts), reason: undefined };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...image, left: [...image.gone, ...image.unmade], reason: error.message };
  }
}

/** Whether the error is of this image, and not of the disk or the storage. */
const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && error.status < 500;
