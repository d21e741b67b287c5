/** One file: what it is, what it says, where it is used, and what can be done with it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask, Dialog } from '../shell/dialog.tsx';
import { notify, notifyFailure } from '../shell/notices.tsx';
import { Ago } from '../shell/time.tsx';
import { say } from '../words/say.ts';
import { changeFile, type FileInfo, mayDelete, mayUpload, replaceFile } from './api.ts';
import { CropDialog, canCrop } from './crop.tsx';
import { factsOf } from './file-list.tsx';
import { FocalPointPicker } from './focal-point.tsx';
import { absoluteUrl, isImage, kindOf, lacksText, linkOf, type MediaFile, nameOf, previewOf } from './media-file.ts';
import { Thumbnail } from './thumbnail.tsx';
import { UploadButton } from './toolbar.tsx';
import { UsedBy } from './usage.tsx';

interface Props {
  readonly file: MediaFile;
  /** Which folder is shown. */
  readonly folder: number | null;
  readonly changed: (file: MediaFile) => void;
  /** Another file was made of it. */
  readonly added: () => void;
  readonly remove: (file: MediaFile) => void;
  readonly close: () => void;
}

export function Details({ file, folder, changed, added, remove, close }: Props) {
  const draft = useSignal<FileInfo>({});
  const isBusy = useSignal(false);
  const isCropping = useSignal(false);
  const isDirty = Object.keys(draft.value).length > 0;
  const change = (next: FileInfo) => {
    draft.value = withoutSame({ ...draft.value, ...next }, file);
  };
  const save = async () => {
    isBusy.value = true;
    const { json, failure } = await changeFile(file.id, draft.value);
    isBusy.value = false;
    if (failure !== undefined) return notifyFailure(failure);
    changed(json ?? { ...file, ...draft.value });
    draft.value = {};
    notify({ text: say('media.saved') });
  };
  const leave = async () => {
    const isFine = !isDirty || (await ask({ title: say('media.leaveTitle'), text: say('media.leaveText'), yes: say('media.leave') }));
    if (isFine) close();
  };
  const replace = async ([bytes]: readonly File[]) => {
    if (bytes === undefined) return;
    isBusy.value = true;
    const { json, failure } = await replaceFile(file.id, bytes, bytes.name);
    isBusy.value = false;
    if (failure !== undefined) return notifyFailure(failure);
    if (json !== undefined) changed(json);
    notify({ text: say('media.replaced') });
  };
  return (
    <Dialog title={nameOf(file)} close={() => void leave()} kind="side">
      <div class="media-details">
        <Preview file={file} draft={draft.value} change={change} />
        <p class="soft">
          {factsOf(file)} · {file.mime}
          {file.createdAt !== undefined && (
            <>
              {' · '}
              <Ago at={file.createdAt} />
            </>
          )}
        </p>
        <div class="buttons">
          {linkOf(file) !== undefined && (
            <button type="button" onClick={() => void copyUrl(file)}>
              {say('media.copyUrl')}
            </button>
          )}
          {linkOf(file) !== undefined && (
            <a class="button" href={linkOf(file)} download={nameOf(file)}>
              {say('media.download')}
            </a>
          )}
          {mayUpload() && <UploadButton add={(files) => void replace(files)} isMany={false} label={say('media.replace')} />}
          {mayUpload() && canCrop(file) && (
            <button
              type="button"
              onClick={() => {
                isCropping.value = true;
              }}
            >
              {say('media.crop')}
            </button>
          )}
          {mayDelete() && (
            <button type="button" class="danger" onClick={() => remove(file)}>
              {say('media.delete')}
            </button>
          )}
        </div>
        <Texts file={file} draft={draft.value} change={change} save={save} isBusy={isBusy.value} isDirty={isDirty} />
        <h3>{say('media.usedBy')}</h3>
        <UsedBy file={file} />
      </div>
      {isCropping.value && (
        <CropDialog
          file={file}
          folder={folder}
          replaced={changed}
          added={added}
          close={() => {
            isCropping.value = false;
          }}
        />
      )}
    </Dialog>
  );
}

/** What differs from the file as it is. */
function withoutSame(info: FileInfo, file: MediaFile): FileInfo {
  const isSame = (name: keyof FileInfo) => JSON.stringify(info[name] || '') === JSON.stringify(file[name as keyof MediaFile] || '');
  return Object.fromEntries(Object.entries(info).filter(([name]) => !isSame(name as keyof FileInfo)));
}

interface DraftProps {
  readonly file: MediaFile;
  readonly draft: FileInfo;
  readonly change: (info: FileInfo) => void;
}

function Preview({ file, draft, change }: DraftProps) {
  const url = previewOf(file);
  const kind = kindOf(file.mime);
  if (kind === 'images' && url !== undefined)
    return (
      <FocalPointPicker
        file={file}
        url={url}
        point={draft.focalPoint ?? file.focalPoint ?? undefined}
        change={(focalPoint) => change({ focalPoint })}
      />
    );
  // biome-ignore lint/a11y/useMediaCaption: files of the library have no captions in time.
  if (kind === 'videos') return <video class="media-preview" controls preload="metadata" src={url} />;
  // biome-ignore lint/a11y/useMediaCaption: the same.
  if (kind === 'audios') return <audio class="media-preview" controls preload="metadata" src={url} />;
  return <Thumbnail file={file} />;
}

interface TextsProps extends DraftProps {
  readonly save: () => Promise<void>;
  readonly isBusy: boolean;
  readonly isDirty: boolean;
}

function Texts({ file, draft, change, save, isBusy, isDirty }: TextsProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const isMissing = lacksText({ ...file, ...draft } as MediaFile);
  const text = (name: 'name' | 'alternativeText' | 'caption') => ({
    name,
    dir: 'auto' as const,
    readOnly: !mayUpload(),
    value: draft[name] ?? file[name] ?? '',
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => change({ [name]: event.currentTarget.value }),
  });
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty && !isBusy) void save();
      }}
    >
      {isImage(file) && (
        <div>
          <label for="media-text">{say('media.text')}</label>
          <textarea id="media-text" rows={2} aria-describedby="media-text-help" {...text('alternativeText')} />
          <p id="media-text-help" class={isMissing ? 'field-help media-ask' : 'field-help soft'}>
            {say(isMissing ? 'media.textMissing' : 'media.textHelp')}
          </p>
        </div>
      )}
      <label>
        {say('media.caption')}
        <textarea rows={2} {...text('caption')} />
      </label>
      <label>
        {say('media.name')}
        <input maxLength={255} {...text('name')} />
      </label>
      {mayUpload() && (
        <p class="buttons">
          <button type="submit" class="primary" disabled={!isDirty || isBusy}>
            {say('media.save')}
          </button>
        </p>
      )}
    </form>
  );
}

async function copyUrl(file: MediaFile): Promise<void> {
  try {
    await navigator.clipboard.writeText(absoluteUrl(file));
    notify({ text: say(file.isUrlSigned === true ? 'media.copiedSigned' : 'media.copied') });
  } catch {
    // Without TLS, browsers have no clipboard.
    notify({ kind: 'problem', text: absoluteUrl(file) });
  }
}
