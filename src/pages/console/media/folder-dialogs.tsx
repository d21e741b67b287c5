/** Dialogs that name a folder, and that choose one to move to. Shown by `FolderDialogs`. */
import { signal, useSignal } from '@preact/signals';
import { Dialog } from '../shell/dialog.tsx';
import { notifyFailure } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import { createFolder, loadFolders, renameFolder, treeOf } from './folders.ts';

type Asked = { readonly parent: number | null } | { readonly rename: number; readonly name: string };
const asked = signal<Asked | undefined>(undefined);

/** Creates a folder, or renames one. */
export function askFolderName(what: Asked): void {
  asked.value = what;
}

interface Choice {
  readonly title: string;
  /** Folders that cannot be chosen: they are moved themselves. */
  readonly without: ReadonlySet<number>;
  readonly answer: (folder: number | null | undefined) => void;
}
const choice = signal<Choice | undefined>(undefined);

/** Resolves with a folder, null for the top; undefined if none was chosen. */
export function askFolder(title: string, without: ReadonlySet<number> = new Set()): Promise<number | null | undefined> {
  return new Promise((resolve) => {
    const answer = (folder: number | null | undefined) => {
      choice.value = undefined;
      resolve(folder);
    };
    choice.value = { title, without, answer };
  });
}

export function FolderDialogs() {
  return (
    <>
      {asked.value !== undefined && <NameDialog asked={asked.value} />}
      {choice.value !== undefined && <ChoiceDialog choice={choice.value} />}
    </>
  );
}

function NameDialog({ asked: what }: { readonly asked: Asked }) {
  const isBusy = useSignal(false);
  const close = () => {
    asked.value = undefined;
  };
  const save = async (form: HTMLFormElement) => {
    const name = String(new FormData(form).get('name')).trim();
    if (name === '') return;
    isBusy.value = true;
    const { failure } = 'parent' in what ? await createFolder(name, what.parent) : await renameFolder(what.rename, name);
    isBusy.value = false;
    if (failure !== undefined) return notifyFailure(failure);
    await loadFolders();
    close();
  };
  return (
    <Dialog title={say('parent' in what ? 'media.newFolder' : 'media.renameFolder')} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <label>
          {say('media.folderName')}
          <input name="name" maxLength={255} required autofocus defaultValue={'name' in what ? what.name : ''} dir="auto" />
        </label>
        <p class="buttons">
          <button type="submit" class="primary" disabled={isBusy.value}>
            {say(`media.${'parent' in what ? 'create' : 'rename'}`)}
          </button>
          <button type="button" onClick={close}>
            {say('shell.cancel')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function ChoiceDialog({ choice: { title, without, answer } }: { readonly choice: Choice }) {
  const tree = treeOf(without);
  return (
    <Dialog title={title} close={() => answer(undefined)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const chosen = String(new FormData(event.currentTarget).get('folder'));
          answer(chosen === '' ? null : Number(chosen));
        }}
      >
        <div class="media-tree">
          <label>
            <input type="radio" name="folder" value="" defaultChecked /> {say('media.top')}
          </label>
          {tree.map(({ folder, depth }) => (
            <label key={folder.id} style={{ paddingInlineStart: `${(depth + 1) * 1.25}rem` }}>
              <input type="radio" name="folder" value={folder.id} /> <span dir="auto">{folder.name}</span>
            </label>
          ))}
        </div>
        <p class="buttons">
          <button type="submit" class="primary">
            {say('media.moveHere')}
          </button>
          <button type="button" onClick={() => answer(undefined)}>
            {say('shell.cancel')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
