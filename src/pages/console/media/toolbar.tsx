/** Searching, filtering and sorting the library, and adding to it. */
import { useEffect, useRef } from 'preact/hooks';
import { say } from '../words/say.ts';
import { mayUpload } from './api.ts';
import { askFolderName } from './folder-dialogs.tsx';
import { folders } from './folders.ts';
import { type Sort, sorts, type ViewState } from './library.ts';
import { type Kind, kinds } from './media-file.ts';
import type { Uploads } from './uploads.ts';

interface Props {
  readonly view: ViewState;
  readonly uploads: Uploads;
  readonly allowed: readonly Kind[];
}

export function Toolbar({ view, uploads, allowed }: Props) {
  const { kind, sort, look, folder } = view.value;
  const offered = allowed.length === 0 ? kinds : allowed;
  return (
    <div class="media-tools">
      <Search view={view} />
      {offered.length > 1 && (
        <label>
          <span class="unseen">{say('media.kind')}</span>
          <select value={kind} onChange={(event) => view.change({ kind: event.currentTarget.value as Kind | '', page: 1 })}>
            <option value="">{say('media.kindAll')}</option>
            {offered.map((each) => (
              <option key={each} value={each}>
                {say(`media.kind.${each}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        <span class="unseen">{say('media.sort')}</span>
        <select value={sort} onChange={(event) => view.change({ sort: event.currentTarget.value as Sort, page: 1 })}>
          {sorts.map((each) => (
            <option key={each} value={each}>
              {say(`media.sort.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="media-look">
        <legend class="unseen">{say('media.look')}</legend>
        {(['grid', 'list'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={look === each} onClick={() => view.change({ look: each })}>
            {say(`media.look.${each}`)}
          </button>
        ))}
      </fieldset>
      {mayUpload() && (
        <>
          {folders.value !== undefined && (
            <button type="button" onClick={() => askFolderName({ parent: folder })}>
              {say('media.newFolder')}
            </button>
          )}
          <UploadButton add={(files) => uploads.add(files, folder)} />
        </>
      )}
    </div>
  );
}

/** The list follows what is typed, and the location keeps it. */
function Search({ view }: { readonly view: ViewState }) {
  const waiting = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(waiting.current), []);
  return (
    <label class="media-search">
      <span class="unseen">{say('media.search')}</span>
      <input
        type="search"
        placeholder={say('media.searchShort')}
        value={view.value.text}
        onInput={(event) => {
          const text = event.currentTarget.value;
          clearTimeout(waiting.current);
          waiting.current = setTimeout(() => view.change({ text, page: 1 }), 250);
        }}
      />
    </label>
  );
}

/** The file chooser of the browser, behind a button. */
export function UploadButton({ add, accept, isMany = true, id, label }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple={isMany}
        accept={accept}
        hidden
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files !== null && files.length > 0) add([...files]);
          // The same file can be chosen again.
          event.currentTarget.value = '';
        }}
      />
      <button type="button" id={id} class={label === undefined ? 'primary' : ''} onClick={() => input.current?.click()}>
        {label ?? say('media.upload')}
      </button>
    </>
  );
}

interface UploadButtonProps {
  readonly add: (files: readonly File[]) => void;
  readonly accept?: string | undefined;
  readonly isMany?: boolean;
  readonly id?: string;
  /** `Upload` by default. */
  readonly label?: string;
}

const mimes = { images: 'image/*', videos: 'video/*', audios: 'audio/*', files: '' } as const;

/** What the file chooser offers; undefined for everything. */
export const acceptOf = (allowed: readonly Kind[]): string | undefined =>
  allowed.length === 0 || allowed.includes('files') ? undefined : allowed.map((kind) => mimes[kind]).join(',');
