/** A dialog in which files of the library are chosen, or uploaded. */
import { signal, useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Dialog } from '../shell/dialog.tsx';
import { say } from '../words/say.ts';
import { FolderDialogs } from './folder-dialogs.tsx';
import { folders, lastFolder, loadFolders, rememberFolder } from './folders.ts';
import { firstView, Library, type View, type ViewState } from './library.ts';
import { LibraryView } from './library-view.tsx';
import { type Kind, kindOf, kinds, type MediaFile } from './media-file.ts';
import { Uploads } from './uploads.ts';

export interface PickOptions {
  readonly isMany: boolean;
  /** `images`, `videos`, `audios`, `files`; undefined or empty for all. */
  readonly allowedTypes?: readonly string[] | undefined;
}

/** Resolves with the files, in the order in which they were chosen; undefined if the user cancels. */
export async function pickFiles(options: PickOptions): Promise<readonly MediaFile[] | undefined> {
  if (folders.value === undefined) await loadFolders();
  return new Promise((resolve) => {
    const host = document.createElement('div');
    document.body.append(host);
    const answer = (files: readonly MediaFile[] | undefined) => {
      render(null, host);
      host.remove();
      resolve(files);
    };
    render(<PickDialog {...options} answer={answer} />, host);
  });
}

export const kindsOf = (allowedTypes: readonly string[] | undefined): readonly Kind[] =>
  kinds.filter((kind) => allowedTypes?.includes(kind) ?? false);

interface Props extends PickOptions {
  readonly answer: (files: readonly MediaFile[] | undefined) => void;
}

function PickDialog({ isMany, allowedTypes, answer }: Props) {
  const allowed = useMemo(() => kindsOf(allowedTypes), []);
  const library = useMemo(() => new Library(allowed), []);
  const view = useMemo(() => viewIn(signal({ ...firstView, folder: lastFolder() })), []);
  const isAllowed = (file: MediaFile) => allowed.length === 0 || allowed.includes(kindOf(file.mime));
  const choose = (file: MediaFile, isChosen: boolean) => {
    if (!isMany) library.chooseNone();
    library.choose(file, isChosen);
  };
  const hasOther = useSignal(false);
  const uploads = useMemo(
    () =>
      new Uploads((file) => {
        if (isAllowed(file)) choose(file, true);
        else hasOther.value = true;
        void library.load(view.value);
      }),
    [],
  );
  useEffect(
    () => () => {
      for (const upload of uploads.all.value) if (upload.state.value !== 'done') uploads.remove(upload);
    },
    [],
  );
  const chosen = library.chosen.value;
  const insert = () => {
    const files = [...library.chosen.value.values()];
    if (files.length === 0) return;
    if (view.value.text === '') rememberFolder(view.value.folder);
    answer(files);
  };
  return (
    <Dialog title={say(isMany ? 'media.pickMany' : 'media.pickOne')} close={() => answer(undefined)} kind="wide">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a short cut; the button “Insert” does the same. */}
      <div
        class="media media-pick"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) insert();
        }}
      >
        <LibraryView
          library={library}
          view={view}
          uploads={uploads}
          allowed={allowed}
          mode={isMany ? 'many' : 'one'}
          open={(file) => choose(file, !chosen.has(file.id))}
          confirm={insert}
        />
        {hasOther.value && (
          <p class="problem" role="alert">
            {say('media.otherKind')}
          </p>
        )}
        <p class="buttons media-pick-foot">
          <button type="button" class="primary" disabled={chosen.size === 0} onClick={insert}>
            {isMany ? say('media.insertMany', { count: chosen.size }) : say('media.insert')}
          </button>
          <button type="button" onClick={() => answer(undefined)}>
            {say('shell.cancel')}
          </button>
          {!isMany && chosen.size > 0 && (
            <span class="soft" role="status">
              {[...chosen.values()].map(({ name }) => name).join(', ')}
            </span>
          )}
        </p>
      </div>
      <FolderDialogs />
    </Dialog>
  );
}

const viewIn = (state: { value: View }): ViewState => ({
  get value() {
    return state.value;
  },
  change(changes) {
    state.value = { ...state.value, ...changes };
  },
});
