/** What a sender says about a file besides its bytes: `fileInfo` of an upload. */
import { ApiError } from '../errors/api-error.ts';
import { checkTitle } from './file-name.ts';

export interface FocalPoint {
  /** Percent of the width. */
  readonly x: number;
  /** Percent of the height. */
  readonly y: number;
}

/** Undefined: not said. Null: said to be none. */
export interface FileInfo {
  /** Never empty, which says nothing, as in Strapi. */
  readonly name: string | undefined;
  readonly alternativeText: string | null | undefined;
  readonly caption: string | null | undefined;
  readonly focalPoint: FocalPoint | null | undefined;
}

export const noInfo: FileInfo = { name: undefined, alternativeText: undefined, caption: undefined, focalPoint: undefined };

type Json = Readonly<Record<string, unknown>>;

/** Files with what was sent about them under `fileInfo`: JSON texts, or what a JSON body holds, in the order of the files; several entries may be
 *  one list as well. Keys that mean nothing are left out, as Strapi does. Throws `ApiError` 'upload.file-info', 'upload.file-name'. */
export function readFileInfos<File>(
  sent: readonly unknown[],
  files: readonly File[],
): readonly { readonly file: File; readonly info: FileInfo }[] {
  const values = sent.map(parsed);
  const [only] = values;
  const list = values.length === 1 && Array.isArray(only) ? only.map(parsed) : values;
  if (files.length > 1 && values.length === 1 && !Array.isArray(only)) {
    throw refused('fileInfo must have an entry for each file: several parts, or one JSON list');
  }
  if (list.length > files.length) {
    throw refused(`fileInfo has ${list.length} entries for ${files.length} ${files.length === 1 ? 'file' : 'files'}`);
  }
  const infos = list.map(fileInfo);
  return files.map((file, index) => ({ file, info: infos[index] ?? noInfo }));
}

/** The same for a file that is there. */
export const readFileInfo = (sent: readonly unknown[]): FileInfo => readFileInfos(sent, ['it'])[0]?.info ?? noInfo;

function fileInfo(value: unknown): FileInfo {
  if (!isObject(value)) throw refused('fileInfo must be a JSON object, or a list of them');
  const name = text(value, 'name') || undefined;
  if (name !== undefined) checkTitle(name);
  return {
    name,
    alternativeText: text(value, 'alternativeText'),
    caption: text(value, 'caption'),
    focalPoint: focalPoint(value.focalPoint),
  };
}

/** Numbers and truth values are written out, as Strapi does. */
function text(info: Json, key: string): string | null | undefined {
  const value = info[key];
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw refused(`fileInfo.${key} must be a text or null`);
  const written = String(value);
  // Not every engine keeps it, and no text for people has one.
  if (written.includes('\0')) throw refused(`fileInfo.${key} must not have the character NUL`);
  return written;
}

function focalPoint(sent: unknown): FocalPoint | null | undefined {
  if (sent === undefined || sent === null) return sent;
  const value = parsed(sent);
  if (!isObject(value)) throw refused('fileInfo.focalPoint must be {"x": …, "y": …} or null');
  return { x: percent(value, 'x'), y: percent(value, 'y') };
}

function percent(point: Json, key: string): number {
  const value = point[key];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= 0 && number <= 100) return number;
  throw refused(`fileInfo.focalPoint.${key} must be a number from 0 to 100`);
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw refused('fileInfo is not valid JSON');
  }
}

const refused = (problem: string) => ApiError.of('upload.file-info', { problem });
