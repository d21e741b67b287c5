/** The library: what is shown of it, its folders and its files. The page and the dialog share it. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { say } from '../words/say.ts';
import { DropZone } from './drop-zone.tsx';
import { FileList } from './file-list.tsx';
import { FolderList } from './folder-list.tsx';
import { folderOf, folders, loadFolders, pathTo, rememberFolder } from './folders.ts';
import type { Library, ViewState } from './library.ts';
import type { Kind, MediaFile } from './media-file.ts';
import { Toolbar } from './toolbar.tsx';
import type { Uploads } from './uploads.ts';
import { UploadsPanel } from './uploads-panel.tsx';

export interface LibraryViewProps {
  readonly library: Library;
  readonly view: ViewState;
  readonly uploads: Uploads;
  /** The only kinds that are shown; empty for all. */
  readonly allowed: readonly Kind[];
  /** In the page, opens a file; in a dialog, chooses it. */
  readonly open: (file: MediaFile) => void;
  /** `many` and `one` choose files in a dialog. */
  readonly mode: 'page' | 'many' | 'one';
  /** In a dialog, after a double click: this file, and no further question. */
  readonly confirm?: () => void;
  /** What can be done with the chosen files. */
  readonly children?: ComponentChildren;
}

export function LibraryView({ library, view, uploads, allowed, open, confirm, mode, children }: LibraryViewProps) {
  const { folder, kind, text, sort, page, look } = view.value;
  const enter = (id: number | null) => {
    rememberFolder(id);
    view.change({ folder: id, page: 1 });
  };
  useEffect(() => {
    void loadFolders();
  }, []);
  useEffect(() => {
    void library.load(view.value);
  }, [folder, kind, text, sort, page]);
  useEffect(() => {
    // A folder that was deleted, or that is named in an old link.
    if (folders.value !== undefined && folder !== null && folderOf(folder) === undefined) view.change({ folder: null, page: 1 });
  }, [folder, folders.value]);
  const isSearching = text.trim() !== '';
  return (
    <DropZone uploads={uploads} folder={folder}>
      <Toolbar view={view} uploads={uploads} allowed={allowed} />
      <UploadsPanel uploads={uploads} changed={(file) => library.changed(file)} />
      {isSearching ? (
        <p class="soft">{folders.value !== undefined && say('media.searchesAll')}</p>
      ) : (
        <Breadcrumb view={view} enter={enter} />
      )}
      {!isSearching && kind === '' && page === 1 && <FolderList view={view} library={library} enter={enter} isPage={mode === 'page'} />}
      <FileList library={library} view={view} look={look} open={open} confirm={confirm} mode={mode} />
      <Paging library={library} view={view} />
      {children}
    </DropZone>
  );
}

function Breadcrumb({ view, enter }: { readonly view: ViewState; readonly enter: (id: number | null) => void }) {
  const { folder } = view.value;
  if (folders.value === undefined) return null;
  const path = pathTo(folder);
  if (path.length === 0 && folders.value.length === 0) return null;
  return (
    <nav class="media-path" aria-label={say('media.path')}>
      <ol>
        <li>
          {path.length === 0 ? (
            <span aria-current="location">{say('media.top')}</span>
          ) : (
            <button type="button" class="link" onClick={() => enter(null)}>
              {say('media.top')}
            </button>
          )}
        </li>
        {path.map(({ id, name }) => (
          <li key={id}>
            {id === folder ? (
              <span aria-current="location" dir="auto">
                {name}
              </span>
            ) : (
              <button type="button" class="link" dir="auto" onClick={() => enter(id)}>
                {name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Paging({ library, view }: { readonly library: Library; readonly view: ViewState }) {
  const { page } = view.value;
  if (page === 1 && !library.hasMore.value) return null;
  return (
    <nav class="buttons media-paging" aria-label={say('media.pages')}>
      <button type="button" disabled={page === 1} onClick={() => view.change({ page: page - 1 })}>
        {say('media.before')}
      </button>
      <span>{say('media.page', { page })}</span>
      <button type="button" disabled={!library.hasMore.value} onClick={() => view.change({ page: page + 1 })}>
        {say('media.after')}
      </button>
    </nav>
  );
}
