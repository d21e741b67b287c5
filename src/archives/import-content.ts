/** Writes the content of an unpacked archive in one transaction. */
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../dialects/database.ts';
import { fileUid } from '../model/built-in-types.ts';
import type { ContentModel } from '../model/content-model.ts';
import { Rows } from '../sql/rows.ts';
import { writeSetting } from '../tables/settings-store.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { type ArchiveGroup, ArchiveRefused } from './archive-parts.ts';
import { apiFolderSetting, folderUid, isArchivedSetting, permissionUid } from './archived-types.ts';
import type { PlaceFile } from './import-assets.ts';
import { EntityImport } from './import-entities.ts';
import { LinkImport } from './import-links.ts';
import { analyse, contentIn, deleteContent, deleteRights, highestId, storedFiles } from './imported-rows-store.ts';
import { type Line, linesOf } from './read-lines.ts';
import { RowIds } from './row-ids.ts';

export interface ImportParts {
  readonly database: Database;
  readonly model: ContentModel;
  /** The unpacked archive. */
  readonly folder: string;
  readonly groups: ReadonlySet<ArchiveGroup>;
  /** Whether present content is deleted first; otherwise it is refused. */
  readonly replace: boolean;
  readonly ignoreMissing: boolean;
  readonly placeFile: PlaceFile;
  readonly signal: AbortSignal;
  readonly advance: (bytes: number) => void;
}

export interface ImportedContent {
  readonly entries: number;
  readonly links: number;
  readonly settings: number;
  readonly skippedEntries: ReadonlyMap<string, number>;
  readonly skippedLinks: number;
  /** The numbers of decimals that were rounded, by attribute. */
  readonly rounded: ReadonlyMap<string, number>;
  /** The files of rows that were deleted. */
  readonly replacedFiles: readonly { readonly url: unknown; readonly formats: unknown }[];
}

export function importContent(parts: ImportParts): Promise<ImportedContent> {
  const { database, model, folder, groups, replace, ignoreMissing, placeFile, signal } = parts;
  const each = async (part: 'entities' | 'links' | 'configuration', work: (line: Line) => Promise<void>) => {
    let count = 0;
    for await (const line of linesOf(folder, part)) {
      await work(line);
      parts.advance(line.size);
      // An embedded database responds at once: without this pause, signals could not interrupt.
      if (++count % 200 === 0) await setImmediate();
      signal.throwIfAborted();
    }
  };
  return database.write(async (connection) => {
    const rows = new Rows(connection, database.dialect);
    const ids = new RowIds();
    const entities = new EntityImport({ model, rows, ids, placeFile, ignoreMissing });
    const links = new LinkImport(model, rows, ids);
    let replacedFiles: ImportedContent['replacedFiles'] = [];
    if (groups.has('content')) {
      const present = await contentIn(connection, model);
      if (present.size > 0 && !replace) throw new ArchiveRefused([describeContent(present)]);
      const files = model.contentTypes.get(fileUid)?.table;
      if (present.has(fileUid) && files !== undefined) replacedFiles = await storedFiles(connection, files);
      if (present.size > 0) deleteContent(connection, model);
      const lastRight = await highestId(connection, model.contentTypes.get(permissionUid)?.table ?? 'up_permissions');
      await each('entities', (line) => entities.add(line));
      await entities.flush();
      await each('links', (line) => links.add(line));
      await links.flush();
      if (ids.all(permissionUid).length > 0) deleteRights(connection, entities.presentRoles, lastRight);
    }
    let settings = 0;
    if (groups.has('config')) {
      await each('configuration', async ({ value, place }) => {
        const setting = settingIn(value, place, ids);
        if (setting === undefined) return;
        await writeSetting(connection, setting.key, setting.value);
        settings++;
      });
    }
    await analyse(connection, model);
    signal.throwIfAborted();
    return {
      entries: entities.entries,
      links: links.links,
      settings,
      skippedEntries: entities.skipped,
      skippedLinks: links.skipped,
      rounded: entities.rounded,
      replacedFiles,
    };
  });
}

export function describeContent(present: ReadonlyMap<string, number>): string {
  const counts = [...present].map(([uid, count]) => `${uid} ${count.toLocaleString('en')}`);
  const shown = counts.slice(0, 8).join(', ') + (counts.length > 8 ? `, and ${counts.length - 8} more types` : '');
  return `The database has content (${shown}). --replace deletes it before the import.`;
}

/** Undefined for what is not imported: webhooks, and settings of Strapi itself. */
function settingIn(line: JsonObject, place: string, ids: RowIds): { readonly key: string; readonly value: string | object } | undefined {
  if (line.type !== 'core-store' || !isObject(line.value)) return undefined;
  const { key, value } = line.value;
  if (typeof key !== 'string') throw new ArchiveRefused([`${place}: the setting has no key.`]);
  if (!isArchivedSetting(key) || (typeof value !== 'string' && (typeof value !== 'object' || value === null))) return undefined;
  if (key !== apiFolderSetting) return { key, value };
  const id = ids.get(folderUid, isObject(value) ? value.id : undefined);
  return id === undefined ? undefined : { key, value: { id } };
}
