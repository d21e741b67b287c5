/** The bodies of requests that change folders, or several files at once. */
import { ApiError } from '../../errors/api-error.ts';
import { refuseOtherKeys } from '../../errors/invalid-key.ts';
import { isObject, type JsonObject } from '../../text/json.ts';
import { isRowId } from '../../text/row-id.ts';
import { checkTitle } from './file-name.ts';

/** What is sent of a folder; undefined is what is left out, and null the top of the library. */
export interface FolderChange {
  readonly name: string | undefined;
  readonly parent: number | null | undefined;
}

export interface Move {
  readonly files: readonly number[];
  readonly folders: readonly number[];
  readonly to: number | null;
}

/** Files, or folders, of one request. */
const maxIds = 100;

export function readFolder(body: unknown): FolderChange {
  const { name, parent } = fieldsOf(body, ['name', 'parent']);
  return { name: name === undefined ? undefined : folderName(name), parent: parent === undefined ? undefined : place(parent, 'parent') };
}

export function readMove(body: unknown): Move {
  const { files, folders, to } = fieldsOf(body, ['files', 'folders', 'to']);
  const move = { files: ids(files, 'files'), folders: ids(folders, 'folders') };
  if (move.files.length + move.folders.length === 0) throw invalid('files or folders must have an id');
  if (to === undefined) throw invalid('to is missing: the id of a folder, or null for the top of the library');
  return { ...move, to: place(to, 'to') };
}

export function readDeletion(body: unknown): readonly number[] {
  const files = ids(fieldsOf(body, ['files']).files, 'files');
  if (files.length === 0) throw invalid('files must have an id');
  return files;
}

export const invalid = (problem: string): ApiError => ApiError.of('upload.body', { problem });

function fieldsOf(body: unknown, names: readonly string[]): JsonObject {
  if (!isObject(body)) throw invalid('The body must be a JSON object');
  refuseOtherKeys(Object.keys(body), new Set(names));
  return body;
}

/** The rules of Strapi's media library, and those of titles. */
function folderName(name: unknown): string {
  if (typeof name !== 'string' || name === '') throw invalid('name must be a text that is not empty');
  if (name.includes('/')) throw invalid('name must not have the character /');
  if (name.trim() !== name) throw invalid('name must not begin or end with a space');
  checkTitle(name);
  return name.normalize();
}

function place(id: unknown, key: string): number | null {
  if (id === null || isRowId(id)) return id;
  throw invalid(`${key} must be the id of a folder, or null for the top of the library`);
}

/** Each id once, in ascending order: requests lock rows in the same order. */
function ids(sent: unknown, key: string): readonly number[] {
  if (sent === undefined) return [];
  if (!Array.isArray(sent)) throw invalid(`${key} must be a list of ids`);
  if (sent.length > maxIds) throw invalid(`${key} must have at most ${maxIds} ids`);
  if (!sent.every(isRowId)) throw invalid(`${key} must be a list of ids`);
  return [...new Set(sent)].sort((one, other) => one - other);
}
