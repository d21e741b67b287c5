/** The files of a view, as a grid or as a list. */
import { useRef } from 'preact/hooks';
import { Skeleton } from '../shell/later.tsx';
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import { mayUpload } from './api.ts';
import { draggedFiles } from './folder-list.tsx';
import { folders, foldersIn } from './folders.ts';
import type { Library, ViewState } from './library.ts';
import { kindOf, lacksText, type MediaFile, nameOf, sizeText } from './media-file.ts';
import { Thumbnail } from './thumbnail.tsx';

interface Props {
  readonly library: Library;
  readonly view: ViewState;
  readonly look: 'grid' | 'list';
  readonly open: (file: MediaFile) => void;
  readonly confirm: (() => void) | undefined;
  readonly mode: 'page' | 'many' | 'one';
}

export function FileList({ library, view, look, open, confirm, mode }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const last = useRef<number>();
  const files = library.files.value;
  if (library.failure.value !== undefined) return <Failed library={library} view={view} />;
  if (files === undefined) return <Skeleton lines={4} />;
  if (files.length === 0) return <Empty view={view} />;
  /** With Shift, all from the last one to this one. */
  const choose = (file: MediaFile, isChosen: boolean, isRange: boolean) => {
    const [from, to] = [files.findIndex(({ id }) => id === last.current), files.indexOf(file)];
    const some = isRange && from >= 0 ? files.slice(Math.min(from, to), Math.max(from, to) + 1) : [file];
    for (const each of some) library.choose(each, isChosen);
    last.current = file.id;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || !(event.target instanceof HTMLElement)) return;
    const item = event.target.closest('li');
    const file = files.find(({ id }) => String(id) === item?.dataset.file);
    if (item === null || file === undefined) return;
    if (event.key === 'x' && mode === 'page') return choose(file, !library.chosen.value.has(file.id), false);
    const next = neighbour(item, event.key);
    if (next === undefined) return;
    event.preventDefault();
    next.querySelector<HTMLElement>('.media-open')?.focus();
  };
  return (
    <ul ref={list} class={`media-files ${look}`} aria-label={say('media.files')} onKeyDown={onKeyDown}>
      {files.map((file) => (
        <FileItem key={file.id} file={file} library={library} choose={choose} open={open} confirm={confirm} mode={mode} />
      ))}
    </ul>
  );
}

interface ItemProps extends Pick<Props, 'library' | 'open' | 'confirm' | 'mode'> {
  readonly file: MediaFile;
  readonly choose: (file: MediaFile, isChosen: boolean, isRange: boolean) => void;
}

function FileItem({ file, library, choose, open, confirm, mode }: ItemProps) {
  const isChosen = library.chosen.value.has(file.id);
  const drag = (event: DragEvent) => {
    const ids = isChosen ? [...library.chosen.value.keys()] : [file.id];
    event.dataTransfer?.setData(draggedFiles, ids.join(','));
  };
  const isPage = mode === 'page';
  const confirmed = () => {
    // The second click has undone the choice of the first.
    if (confirm === undefined) return;
    library.choose(file, true);
    confirm();
  };
  return (
    <li data-file={file.id} class={isChosen ? 'media-file is-chosen' : 'media-file'} draggable={isPage && mayUpload()} onDragStart={drag}>
      {isPage && (
        <input
          type="checkbox"
          class="media-check"
          aria-label={say('media.choose', { name: nameOf(file) })}
          checked={isChosen}
          onClick={(event) => choose(file, event.currentTarget.checked, event.shiftKey)}
        />
      )}
      <button
        type="button"
        class="media-open"
        aria-pressed={isPage ? undefined : isChosen}
        onClick={() => open(file)}
        onDblClick={confirmed}
      >
        <Thumbnail file={file} />
        <span class="media-name" dir="auto" title={nameOf(file)}>
          {nameOf(file)}
        </span>
        <span class="media-facts soft">{factsOf(file)}</span>
        {file.createdAt !== undefined && (
          <span class="media-when soft">
            <Ago at={file.createdAt} />
          </span>
        )}
        {lacksText(file) && <span class="media-lacks">{say('media.noText')}</span>}
      </button>
    </li>
  );
}

export function factsOf(file: MediaFile): string {
  const { width, height, size, mime } = file;
  const measures = width == null || height == null ? say(`media.kindOne.${kindOf(mime)}`) : `${width} × ${height}`;
  return [measures, sizeText(size)].filter(Boolean).join(' · ');
}

/** The item in the direction of an arrow key, as it is seen. */
function neighbour(item: HTMLElement, key: string): Element | undefined {
  const all = [...(item.parentElement?.children ?? [])];
  const at = all.indexOf(item);
  const here = item.getBoundingClientRect();
  const isRtl = getComputedStyle(item).direction === 'rtl';
  if (key === 'ArrowRight') return all[at + (isRtl ? -1 : 1)];
  if (key === 'ArrowLeft') return all[at + (isRtl ? 1 : -1)];
  const isSameColumn = (each: Element) => Math.abs(each.getBoundingClientRect().left - here.left) < 4;
  if (key === 'ArrowDown') return all.slice(at + 1).find(isSameColumn);
  if (key === 'ArrowUp') return all.slice(0, at).reverse().find(isSameColumn);
  if (key === 'Home') return all[0];
  return key === 'End' ? all.at(-1) : undefined;
}

function Empty({ view }: { readonly view: ViewState }) {
  const { text, kind, page, folder } = view.value;
  if (text.trim() !== '' || kind !== '' || page > 1)
    return (
      <div class="media-empty">
        <p>{say('media.nothingFound')}</p>
        <button type="button" onClick={() => view.change({ text: '', kind: '', page: 1 })}>
          {say('media.showAll')}
        </button>
      </div>
    );
  const hasFolders = folders.value !== undefined && foldersIn(folder).length > 0;
  return (
    <div class="media-empty">
      <p>{say(hasFolders ? 'media.onlyFolders' : 'media.empty')}</p>
      {mayUpload() && <p class="soft">{say('media.emptyHint')}</p>}
    </div>
  );
}

function Failed({ library, view }: { readonly library: Library; readonly view: ViewState }) {
  const { message = '', code } = library.failure.value ?? {};
  return (
    <div class="media-empty" role="alert">
      <p class="problem">{code === 'console.offline' ? say('shell.offline') : say('shell.failed', { reason: message })}</p>
      <button type="button" onClick={() => void library.load(view.value)}>
        {say('shell.retry')}
      </button>
    </div>
  );
}
