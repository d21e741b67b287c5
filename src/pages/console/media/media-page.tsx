/** The page of the media library. Where one is in it stands in the location. */

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { place, setQuery } from '../shell/location.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { say } from '../words/say.ts';
import { mayDelete, mayFind, mayUpload } from './api.ts';
import { askToDelete } from './delete-files.ts';
import { Details } from './details.tsx';
import { askFolder, FolderDialogs } from './folder-dialogs.tsx';
import { moveFiles } from './folder-list.tsx';
import { folderOf, folders, loadFolders } from './folders.ts';
import { firstView, Library, type Sort, sorts, type View, type ViewState } from './library.ts';
import { LibraryView } from './library-view.tsx';
import { type Kind, kinds, type MediaFile } from './media-file.ts';
import { Uploads } from './uploads.ts';

const library = new Library();
/** Uploads go on while another page is shown. */
const uploads = new Uploads(() => {
  if (place.peek().path[0] === 'media') void reload();
});
addEventListener('beforeunload', (event) => {
  if (uploads.active.value > 0) event.preventDefault();
});

const lookKey = 'lectern-console-media-look';

const view: ViewState = {
  get value(): View {
    const { query } = place.value;
    const number = (name: string) => Number(query.get(name)) || null;
    const [kind, sort] = [query.get('kind') as Kind, query.get('sort') as Sort];
    const look = query.get('view') ?? localStorage.getItem(lookKey);
    return {
      folder: number('folder'),
      kind: kinds.includes(kind) ? kind : '',
      text: query.get('q') ?? '',
      sort: sorts.includes(sort) ? sort : firstView.sort,
      page: Math.max(1, number('page') ?? 1),
      look: look === 'list' ? 'list' : 'grid',
    };
  },
  change({ folder, kind, text, sort, page, look }) {
    if (look !== undefined) localStorage.setItem(lookKey, look);
    setQuery(
      {
        ...(folder === undefined ? {} : { folder: folder === null ? '' : String(folder) }),
        ...(kind === undefined ? {} : { kind }),
        ...(text === undefined ? {} : { q: text }),
        ...(sort === undefined ? {} : { sort: sort === firstView.sort ? '' : sort }),
        ...(page === undefined ? {} : { page: page === 1 ? '' : String(page) }),
        ...(look === undefined ? {} : { view: look }),
      },
      // Typing and looks are no places to go back to.
      { replace: text !== undefined || look !== undefined },
    );
  },
};

const reload = () => Promise.all([library.load(view.value), loadFolders()]);

export default function MediaPage() {
  const opened = useSignal<MediaFile | undefined>(undefined);
  const file = opened.value;
  const shown = useMemo(() => view, []);
  if (!mayFind())
    return (
      <div class="page">
        <PageTitle text={say('shell.media')} />
        <p>{say('media.mayNot')}</p>
      </div>
    );
  const changed = (next: MediaFile) => {
    library.changed(next);
    opened.value = next;
  };
  const remove = async (which: MediaFile) => {
    if (!(await askToDelete([which]))) return;
    opened.value = undefined;
    library.choose(which, false);
    await reload();
  };
  return (
    <div class="page media">
      <PageTitle text={say('shell.media')} />
      <LibraryView
        library={library}
        view={shown}
        uploads={uploads}
        allowed={[]}
        mode="page"
        open={(each) => {
          opened.value = each;
        }}
      >
        <Chosen />
      </LibraryView>
      {file !== undefined && (
        <Details
          key={file.id}
          file={file}
          folder={view.value.folder}
          changed={changed}
          added={() => void reload()}
          remove={(each) => void remove(each)}
          close={() => {
            opened.value = undefined;
          }}
        />
      )}
      <FolderDialogs />
    </div>
  );
}

/** What can be done with all chosen files at once. */
function Chosen() {
  const chosen = library.chosen.value;
  const all = library.files.value ?? [];
  if (chosen.size === 0) return null;
  const isFull = all.every(({ id }) => chosen.has(id));
  const isTooMany = chosen.size > maxAtOnce;
  const moveAll = async () => {
    const to = await askFolder(say('media.moveFilesTitle', { count: chosen.size }));
    if (to !== undefined) await moveFiles([...chosen.keys()], to, folderOf(to)?.name ?? say('media.top'), library, view);
  };
  const removeAll = async () => {
    if (!(await askToDelete([...chosen.values()]))) return;
    library.chooseNone();
    await reload();
  };
  return (
    <div class="media-chosen" role="toolbar" aria-label={say('media.chosenActions')}>
      <span role="status">{isTooMany ? say('media.tooMany', { count: maxAtOnce }) : say('media.chosen', { count: chosen.size })}</span>
      {mayUpload() && folders.value !== undefined && (
        <button type="button" disabled={isTooMany} onClick={() => void moveAll()}>
          {say('media.move')}
        </button>
      )}
      {mayDelete() && (
        <button type="button" class="danger" disabled={isTooMany} onClick={() => void removeAll()}>
          {say('media.delete')}
        </button>
      )}
      {!isFull && (
        <button type="button" class="link" onClick={() => all.map((file) => library.choose(file, true))}>
          {say('media.chooseAll')}
        </button>
      )}
      <button type="button" class="link" onClick={() => library.chooseNone()}>
        {say('media.chooseNone')}
      </button>
    </div>
  );
}

/** Of one request. */
const maxAtOnce = 100;
