/** `fileInfo` of an upload: what a sender states about a file besides its bytes. */

import { ApiError } from '../../errors/api-error.ts';
import { isObject, type JsonObject } from '../../text/json.ts';
import { isRowId } from '../../text/row-id.ts';
import { checkTitle } from './file-name.ts';

export interface FocalPoint {
  /** Percent of the width. */
  readonly x: number;
  /** Percent of the height. */
  readonly y: number;
}

/** Undefined: not sent. Null: sent as null. */
export interface FileInfo {
  /** Never empty: an empty name counts as none, as in Strapi. */
  readonly name: string | undefined;
  readonly alternativeText: string | null | undefined;
  readonly caption: string | null | undefined;
  readonly focalPoint: FocalPoint | null | undefined;
  /** The id of a folder; null is the top of the library. */
  readonly folder: number | null | undefined;
}

export const emptyFileInfo: FileInfo = {
  name: undefined,
  alternativeText: undefined,
  caption: undefined,
  focalPoint: undefined,
  folder: undefined,
};

/** Pairs files with their entries of `fileInfo`, in the files' order. Entries are JSON texts,
 *  values of a JSON body, or a list of them. Ignores unknown keys, as Strapi does. Throws
 *  `ApiError` 'upload.file-info', 'upload.file-name'. */
export function readFileInfos<File>(
  sent: readonly unknown[],
  files: readonly File[],
): readonly { readonly file: File; readonly info: FileInfo }[] {
  const values = sent.map(parsed);
  const [only] = values;
  const list = values.length === 1 && Array.isArray(only) ? only.map(parsed) : values;
  // As recorded: a single entry, also in a list, belongs to a single file.
  if (files.length > 1 && values.length === 1 && (!Array.isArray(only) || only.length === 1)) {
    throw refused('fileInfo must have an entry for each file: several parts, or one JSON list');
  }
  if (files.length === 1 && values.length === 1 && list.length === 0) throw refused('fileInfo has no entry');
  if (list.length > files.length) {
    throw refused(`fileInfo has ${list.length} entries for ${files.length} ${files.length === 1 ? 'file' : 'files'}`);
  }
  const infos = list.map((value, index) => fileInfo(value, files.length > 1 ? ['fileInfo', String(index)] : ['fileInfo']));
  return files.map((file, index) => ({ file, info: infos[index] ?? emptyFileInfo }));
}

/** The same for a stored file. */
export function readFileInfo(sent: readonly unknown[]): FileInfo {
  if (sent.some((value) => Array.isArray(parsed(value)))) throw refused('fileInfo must be a JSON object');
  return readFileInfos(sent, ['it'])[0]?.info ?? emptyFileInfo;
}

/** The path in the sent value, as the error reports it: `['fileInfo', '1', 'caption']`. */
type Path = readonly string[];

function fileInfo(value: unknown, path: Path): FileInfo {
  if (!isObject(value)) throw refused('fileInfo must be a JSON object, or a list of them', path);
  const name = text(value, 'name', path) || undefined;
  if (name !== undefined) checkTitle(name);
  return {
    name,
    alternativeText: text(value, 'alternativeText', path),
    caption: text(value, 'caption', path),
    focalPoint: focalPoint(value.focalPoint, [...path, 'focalPoint']),
    folder: folder(value.folder, [...path, 'folder']),
  };
}

/** Numbers and booleans become texts, as in Strapi. */
function text(info: JsonObject, key: string, path: Path): string | null | undefined {
  const value = info[key];
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw refused(`fileInfo.${key} must be a text or null`, [...path, key]);
  const written = String(value);
  // Not every engine can store NUL.
  if (written.includes('\0')) throw refused(`fileInfo.${key} must not have the character NUL`, [...path, key]);
  return written;
}

function focalPoint(sent: unknown, path: Path): FocalPoint | null | undefined {
  if (sent === undefined || sent === null) return sent;
  const value = parsed(sent);
  if (!isObject(value)) throw refused('fileInfo.focalPoint must be {"x": …, "y": …} or null', path);
  const [x, y] = [percent(value.x), percent(value.y)];
  const wrong = [...(x === undefined ? ['x'] : []), ...(y === undefined ? ['y'] : [])];
  if (x !== undefined && y !== undefined) return { x, y };
  throw refused(`fileInfo.focalPoint.${wrong.join(' and ')} must be a number from 0 to 100`, ...wrong.map((key) => [...path, key]));
}

function folder(sent: unknown, path: Path): number | null | undefined {
  if (sent === undefined || sent === null) return sent;
  const id = typeof sent === 'string' && /^\d{1,10}$/.test(sent) ? Number(sent) : sent;
  if (isRowId(id)) return id;
  throw refused('fileInfo.folder must be the id of a folder, or null for the top of the library', path);
}

function percent(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= 100 ? number : undefined;
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw refused('fileInfo is not valid JSON');
  }
}

/** `paths` defaults to `fileInfo` as a whole. */
const refused = (problem: string, ...paths: Path[]) => {
  const errors = (paths.length === 0 ? [['fileInfo']] : paths).map((path) => ({ path, message: problem, name: 'ValidationError' }));
  return ApiError.of('upload.file-info', { problem }, { errors });
};
