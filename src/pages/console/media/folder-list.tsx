/** The folders in a folder. */

import { ask } from '../shell/dialog.tsx';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import { type Folder, mayDelete, move } from './api.ts';
import { askFolder, askFolderName } from './folder-dialogs.tsx';
import { deleteFolder, folders, foldersIn, loadFolders } from './folders.ts';
import type { Library, ViewState } from './library.ts';

interface Props {
  readonly view: ViewState;
  readonly library: Library;
  /** In a dialog, folders are only opened. */
  readonly enter: (folder: number) => void;
  readonly isPage: boolean;
}

/** What is dragged within the library: the ids of files. */
export const draggedFiles = 'application/x-lectern-files';

export function FolderList({ view, library, enter, isPage }: Props) {
  if (folders.value === undefined) return null;
  const here = foldersIn(view.value.folder);
  if (here.length === 0) return null;
  return (
    <ul class="media-folders" aria-label={say('media.folders')}>
      {here.map((folder) => (
        <FolderItem key={folder.id} folder={folder} view={view} library={library} enter={enter} isPage={isPage} />
      ))}
    </ul>
  );
}

function FolderItem({ folder, view, library, enter, isPage }: Props & { readonly folder: Folder }) {
  const take = async (event: DragEvent) => {
    const ids = event.dataTransfer?.getData(draggedFiles).split(',').map(Number).filter(Boolean) ?? [];
    if (ids.length === 0) return;
    event.preventDefault();
    await moveFiles(ids, folder.id, folder.name, library, view);
  };
  return (
    <li
      class="media-folder"
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes(draggedFiles)) event.preventDefault();
      }}
      onDrop={(event) => void take(event)}
    >
      <button type="button" class="media-folder-open" onClick={() => enter(folder.id)}>
        <span class="media-folder-mark" aria-hidden="true" />
        <span class="media-name" dir="auto">
          {folder.name}
        </span>
        <span class="soft">{contentText(folder)}</span>
      </button>
      {isPage && (
        <details
          class="media-more"
          onClick={(event) => {
            if (event.target instanceof HTMLButtonElement) event.currentTarget.open = false;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.currentTarget.open = false;
            event.currentTarget.querySelector('summary')?.focus();
          }}
          onFocusOut={(event) => {
            const to = event.relatedTarget;
            if (!(to instanceof Node && event.currentTarget.contains(to))) event.currentTarget.open = false;
          }}
        >
          <summary aria-label={say('media.folderActions', { name: folder.name })}>⋯</summary>
          <div class="media-menu">
            <button type="button" onClick={() => askFolderName({ rename: folder.id, name: folder.name })}>
              {say('media.rename')}
            </button>
            <button type="button" onClick={() => void moveFolder(folder)}>
              {say('media.move')}
            </button>
            {mayDelete() && (
              <button type="button" class="danger" onClick={() => void removeFolder(folder)}>
                {say('media.delete')}
              </button>
            )}
          </div>
        </details>
      )}
    </li>
  );
}

function contentText({ children, files }: Folder): string {
  const parts = [
    ...(children > 0 ? [say('media.foldersCount', { count: children })] : []),
    ...(files === undefined ? [] : [say('media.filesCount', { count: files })]),
  ];
  return children === 0 && files === 0 ? say('media.folderEmpty') : parts.join(', ');
}

export async function moveFiles(ids: readonly number[], to: number | null, name: string, library: Library, view: ViewState): Promise<void> {
  const { failure } = await move({ files: ids }, to);
  if (failure !== undefined) return notifyFailure(failure);
  notify({ text: say('media.moved', { count: ids.length, folder: name }) });
  library.chooseNone();
  await Promise.all([loadFolders(), library.load(view.value)]);
}

async function moveFolder(folder: Folder): Promise<void> {
  const to = await askFolder(say('media.moveTitle', { name: folder.name }), new Set([folder.id]));
  if (to === undefined) return;
  const { failure } = await move({ folders: [folder.id] }, to);
  if (failure !== undefined) return notifyFailure(failure);
  await loadFolders();
}

async function removeFolder(folder: Folder): Promise<void> {
  if (folder.children > 0 || (folder.files ?? 0) > 0)
    return void notify({ kind: 'problem', text: say('media.folderNotEmpty', { name: folder.name }) });
  const isSure = await ask({
    title: say('media.deleteFolder'),
    text: say('media.deleteFolderText', { name: folder.name }),
    yes: say('media.delete'),
    isDangerous: true,
  });
  if (!isSure) return;
  const { failure } = await deleteFolder(folder.id);
  if (failure !== undefined) notifyFailure(failure);
  await loadFolders();
}
