/** `lectern restore`: replaces a project's database and uploaded files with a backup's. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { withDatabase } from '../../dialects/open-database.ts';
import { damageOf, othersUsing } from '../../dialects/sqlite-restore.ts';
import { StartError } from '../../errors/start-error.ts';
import { isDiskFull, isForbidden, processUser } from '../../errors/system-error.ts';
import { temporaryDirBeside } from '../../media/library/temporary-folder.ts';
import { isNothing } from '../../migrations/describe/describe-migration.ts';
import { planDatabase } from '../../migrations/prepare-database.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { loadProjectModel } from '../../model/load/load-project-model.ts';
import { clashingTables } from '../../tables/database-origin.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { confirmed, isTerminal } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { stopSignal } from '../stop-signal.ts';
import { nameInArchive } from './backup.ts';
import { loadProject, type ProjectOptions } from './load-project.ts';
import { findSame, type Placed, putInPlace, type Restored } from './put-in-place.ts';
import { readArchive } from './read-archive.ts';

interface RestoreOptions extends ProjectOptions {
  readonly yes?: boolean;
}

export async function restore(path: string, options: RestoreOptions): Promise<number> {
  const { config } = loadProject(options);
  const model = await loadProjectModel(config);
  if (config.database.client !== 'sqlite') {
    throw new StartError([
      '`lectern restore` is for SQLite. For a PostgreSQL database, stop the server, make an empty database, and run `pg_restore --no-owner --exit-on-error --dbname=<url> backup.dump`; put the uploaded files back afterwards. For MariaDB, `mariadb <name> < backup.sql` does.',
    ]);
  }
  const file = resolve(path);
  const stop = new AbortController();
  // Afterwards a signal no longer interrupts: the last steps are renames, and must all be done.
  let isPlacing = false;
  void stopSignal().arrival.then(() => {
    if (!isPlacing) stop.abort();
  });
  try {
    // The path may be a link: the database is replaced where it is.
    const database = await realpath(config.database.filename).catch(() => resolve(config.database.filename));
    await refuseIfUsed(database);
    const placed = await unpacked(config, { file, database }, stop.signal, async (found) => {
      const warnings = await check(config, model, found.database.from, { file, signal: stop.signal });
      process.stderr.write(warnings);
      const decision = !existsSync(database) || (await mayReplace(options, database));
      if (decision === undefined) stop.abort();
      if (decision === false) return undefined;
      const same = await findSame(found.uploads, stop.signal);
      // A server may have started meanwhile.
      await refuseIfUsed(database);
      stop.signal.throwIfAborted();
      isPlacing = true;
      return putInPlace({ ...found, same, now: new Date() });
    });
    if (placed === undefined) {
      process.stderr.write('Nothing was restored.\n');
      return exitCodes.failed;
    }
    process.stdout.write(describe(database, file, placed));
    return exitCodes.done;
  } catch (error) {
    if (!stop.signal.aborted) throw explained(error, config);
    process.stderr.write('Interrupted: nothing was restored.\n');
    return exitCodes.interrupted;
  }
}

async function refuseIfUsed(database: string): Promise<void> {
  if (!existsSync(database)) return;
  const others = await othersUsing(database);
  if (others !== undefined)
    throw new StartError([`${database} is open in ${others}: stop the server, and all else that uses the database, first.`]);
}

/** Unpacks beside the places where the files go, so that they need not be copied a second time. */
async function unpacked<T>(
  config: Config,
  { file, database }: { readonly file: string; readonly database: string },
  signal: AbortSignal,
  work: (found: Pick<Restored, 'database' | 'uploads'>) => Promise<T>,
): Promise<T> {
  await mkdir(dirname(database), { recursive: true });
  const folder = await mkdtemp(join(dirname(database), `.${basename(database)}-`));
  const from = join(folder, 'database');
  let temporary: string | undefined;
  try {
    const prefixes = [`${nameInArchive(config.dir, join(config.publicDir, 'uploads'), 'public/uploads')}/`, 'public/uploads/'];
    // The files of a bucket are not in an archive; those in one belong to a time before the bucket.
    if (config.upload.provider !== 'local') {
      const { length } = await readArchive(file, { database: from, uploads: undefined, prefixes }, signal);
      if (length > 0) {
        const files = length === 1 ? 'The uploaded file' : `The ${length} uploaded files`;
        process.stderr.write(
          `Warning: ${files} of the archive ${length === 1 ? 'is' : 'are'} left out: \`upload.provider\` is ${config.upload.provider}.\n`,
        );
      }
      return await work({ database: { from, to: database }, uploads: { from: folder, to: folder, paths: [] } });
    }
    const uploadsPath = resolve(config.publicDir, 'uploads');
    await mkdir(uploadsPath, { recursive: true });
    const uploads = await realpath(uploadsPath);
    const within = temporaryDirBeside(uploads);
    await mkdir(within, { recursive: true });
    temporary = await mkdtemp(join(within, 'work-'));
    const paths = await readArchive(file, { database: from, uploads: temporary, prefixes }, signal);
    return await work({ database: { from, to: database }, uploads: { from: temporary, to: uploads, paths } });
  } finally {
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true });
      // The folder around it may be that of a server's uploads.
      await rmdir(dirname(temporary)).catch(() => undefined);
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws a `StartError` if the file is no usable database of this project. Returns warnings, which
 *  end with a line break. */
async function check(
  config: Config,
  model: ContentModel,
  filename: string,
  { file, signal }: { readonly file: string; readonly signal: AbortSignal },
): Promise<string> {
  const damage = await damageOf(filename, signal);
  if (damage !== undefined) throw new StartError([`The database in ${file} is damaged: ${damage}. Nothing was restored.`]);
  return withDatabase({ ...config.database, filename }, { create: false, statementTime: 0 }, async (database) => {
    const foreign = `The database in ${file} has none of the content types of this project. Nothing was restored.`;
    const ours = [...model.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::')).map(({ table }) => table);
    const present = new Set(clashingTables(await database.tables(), model));
    if (present.size === 0 || (ours.length > 0 && !ours.some((table) => present.has(table)))) throw new StartError([foreign]);
    const changes = await planDatabase(database, model, { choices: { renames: [], allowDestructive: false }, now: new Date() });
    if ('ok' in changes) return `Warning: the server cannot start with this database: ${changes.problems.join(' ')}\n`;
    if (isNothing(changes)) return '';
    const plan = lecternCommand('migrate plan', config.dir);
    return `Warning: the backup was made with other schema files than these. After the restore, \`${plan}\` lists what has to change in the database.\n`;
  });
}

/** Whether a person agrees; undefined if cancelled. Throws a `StartError` without a terminal. */
async function mayReplace({ yes }: RestoreOptions, database: string): Promise<boolean | undefined> {
  if (yes === true) return true;
  if (!isTerminal()) throw new StartError([`${database} exists. With --yes it is replaced by the backup, and kept under another name.`]);
  return confirmed(`Replace ${database} with the backup? The present database is kept under another name.`);
}

function describe(database: string, file: string, { former, formerFiles, files }: Placed): string {
  const lines = [`${database}: restored from ${file}, with ${files} uploaded ${files === 1 ? 'file' : 'files'}.`];
  if (former !== undefined) lines.push(`The former database is ${former}.`);
  if (formerFiles !== undefined) lines.push(`Files that differed from those of the backup are in ${formerFiles}.`);
  return `${lines.join('\n')}\n`;
}

function explained(error: unknown, config: Config): unknown {
  const where = `${dirname(config.database.filename)} or ${join(config.publicDir, 'uploads')}`;
  if (isDiskFull(error)) return new StartError([`No space is left in ${where}. Nothing was restored.`]);
  return isForbidden(error) ? new StartError([`${processUser()} may not write in ${where}. Nothing was restored.`]) : error;
}
