/** The folders of the library, shared by all that shows them. */
import { computed, signal } from '@preact/signals';
import { request } from '../server/request.ts';
import { type Folder, mayUpload, uploadPath } from './api.ts';

/** Undefined until they are loaded, and for users who may not see them. */
export const folders = signal<readonly Folder[] | undefined>(undefined);

const byId = computed(() => new Map(folders.value?.map((folder) => [folder.id, folder])));
export const folderOf = (id: number | null): Folder | undefined => (id === null ? undefined : byId.value.get(id));

const collator = new Intl.Collator(undefined, { numeric: true });
const sorted = (some: readonly Folder[]) => [...some].sort((one, other) => collator.compare(one.name, other.name));
export const foldersIn = (parent: number | null): readonly Folder[] =>
  sorted((folders.value ?? []).filter((each) => each.parent === parent));

/** From the top to the folder itself. */
export function pathTo(id: number | null): readonly Folder[] {
  const path: Folder[] = [];
  for (let folder = folderOf(id); folder !== undefined && !path.includes(folder); folder = folderOf(folder.parent)) path.unshift(folder);
  return path;
}

/** All folders as a tree is read, each with its depth. Those of `without`, and below, are left out. */
export function treeOf(without: ReadonlySet<number> = new Set()): readonly { readonly folder: Folder; readonly depth: number }[] {
  const children = new Map<number | null, Folder[]>();
  for (const folder of folders.value ?? []) children.set(folder.parent, [...(children.get(folder.parent) ?? []), folder]);
  const below = (parent: number | null, depth: number): { folder: Folder; depth: number }[] =>
    sorted(children.get(parent) ?? [])
      .filter(({ id }) => !without.has(id))
      .flatMap((folder) => [{ folder, depth }, ...below(folder.id, depth + 1)]);
  return below(null, 0);
}

export async function loadFolders(): Promise<void> {
  if (!mayUpload()) return;
  const { json } = await request<{ readonly data: readonly Folder[] }>('GET', uploadPath('/_folders'));
  if (json !== undefined) folders.value = json.data;
}

export const createFolder = (name: string, parent: number | null) =>
  request<{ data: Folder }>('POST', uploadPath('/_folders'), { body: { name, parent } });
export const renameFolder = (id: number, name: string) => request('PUT', uploadPath(`/_folders/${id}`), { body: { name } });
export const deleteFolder = (id: number) => request('DELETE', uploadPath(`/_folders/${id}`));

const lastKey = 'lectern-console-folder';

/** What this browser last opened, uploaded to or chose from, if it is still there; else the top.
 *  Uploads from forms are in it: the server's own folder for them is not where people look. */
export function lastFolder(): number | null {
  const id = Number(localStorage.getItem(lastKey));
  return folderOf(id) === undefined ? null : id;
}
export function rememberFolder(id: number | null): void {
  if (id === null) localStorage.removeItem(lastKey);
  else localStorage.setItem(lastKey, String(id));
}
