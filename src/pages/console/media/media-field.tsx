/** The control of a media attribute: its files in their order. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { FieldProps } from '../fields/field-props.ts';
import { notify } from '../shell/notices.tsx';
import { say } from '../words/say.ts';
import { mayFind, mayUpload } from './api.ts';
import { lastFolder, loadFolders } from './folders.ts';
import { isImage, type Kind, kindOf, lacksText, type MediaFile, nameOf } from './media-file.ts';
import { kindsOf, pickFiles } from './pick-files.tsx';
import { saveText } from './save-text.ts';
import { Thumbnail } from './thumbnail.tsx';
import { acceptOf, UploadButton } from './toolbar.tsx';
import { bringsFiles, filesOf, Uploads } from './uploads.ts';
import { UploadsPanel } from './uploads-panel.tsx';

type Value = MediaFile | readonly MediaFile[] | null | undefined;

export default function MediaField({ attribute, value, change, id, describedBy, isInvalid, isReadOnly }: FieldProps<Value>) {
  const files = listOf(value);
  const isMany = attribute.isMany === true;
  const allowed = useMemo(() => kindsOf(attribute.allowedTypes), [attribute]);
  // Uploads end later than this drawing of the field.
  const current = useRef(files);
  current.current = files;
  const [announced, announce] = useState('');
  const set = (next: readonly MediaFile[]) => {
    current.current = next;
    change(isMany ? next : (next.at(-1) ?? null));
  };
  const add = (added: readonly MediaFile[]) => {
    const fitting = added.filter((file) => allowed.length === 0 || allowed.includes(kindOf(file.mime)));
    if (fitting.length < added.length) notify({ kind: 'problem', text: otherKinds(allowed) });
    const ids = new Set(fitting.map((file) => file.id));
    if (fitting.length === 0) return;
    set(isMany ? [...current.current.filter((file) => !ids.has(file.id)), ...fitting] : fitting.slice(-1));
    announce(say('media.added', { name: fitting.map(nameOf).join(', ') }));
  };
  const adding = useRef(add);
  adding.current = add;
  const uploads = useMemo(() => {
    const made = new Uploads((file) => {
      adding.current([file]);
      // It stands in the field now.
      made.removeDone();
    });
    return made;
  }, []);
  const upload = async (sent: readonly File[]) => {
    if (!mayUpload() || isReadOnly) return;
    await loadFolders();
    uploads.add(isMany ? sent : sent.slice(0, 1), lastFolder());
  };
  const changed = (next: MediaFile) => set(current.current.map((file) => (file.id === next.id ? { ...file, ...next } : file)));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button “Upload” does the same.
    <div
      class={isInvalid ? 'media-field is-invalid' : 'media-field'}
      onDragOver={(event) => {
        if (bringsFiles(event.dataTransfer)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!bringsFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.stopPropagation();
        void upload(filesOf(event.dataTransfer));
      }}
      onPaste={(event) => {
        const pasted = filesOf(event.clipboardData);
        if (pasted.length === 0) return;
        event.preventDefault();
        void upload(pasted);
      }}
    >
      <Picked files={files} set={set} changed={changed} isMany={isMany} isReadOnly={isReadOnly} label={attribute.label} />
      {!isReadOnly && (
        <div class="buttons">
          {mayFind() && (
            <button
              type="button"
              id={id}
              aria-describedby={describedBy}
              onClick={() =>
                void pickFiles({ isMany, allowedTypes: attribute.allowedTypes }).then((picked) => picked !== undefined && add(picked))
              }
            >
              {say(files.length === 0 || isMany ? 'media.pick' : 'media.pickOther')}
            </button>
          )}
          {mayUpload() && (
            <UploadButton
              {...(mayFind() ? {} : { id })}
              add={(sent) => void upload(sent)}
              accept={acceptOf(allowed)}
              isMany={isMany}
              label={say('media.upload')}
            />
          )}
          {mayUpload() && <span class="soft media-hint media-drop-hint">{say('media.dropHint')}</span>}
        </div>
      )}
      <UploadsPanel uploads={uploads} changed={changed} />
      <p class="unseen" role="status">
        {announced}
      </p>
    </div>
  );
}

const listOf = (value: Value): readonly MediaFile[] => (Array.isArray(value) ? value : value == null ? [] : [value as MediaFile]);

const otherKinds = (allowed: readonly Kind[]): string =>
  say('media.onlyKinds', { kinds: allowed.map((kind) => say(`media.kind.${kind}`)).join(', ') });

interface PickedProps {
  readonly files: readonly MediaFile[];
  readonly set: (files: readonly MediaFile[]) => void;
  readonly changed: (file: MediaFile) => void;
  readonly isMany: boolean;
  readonly isReadOnly: boolean;
  readonly label: string;
}

const dragged = 'application/x-lectern-position';

function Picked({ files, set, changed, isMany, isReadOnly, label }: PickedProps) {
  const list = useRef<HTMLOListElement>(null);
  if (files.length === 0) return isReadOnly ? <p class="soft">{say('media.none')}</p> : null;
  const moveTo = (from: number, to: number) => {
    const [file] = files.slice(from, from + 1);
    if (file === undefined || to < 0 || to >= files.length || from === to) return;
    const rest = files.filter((_, index) => index !== from);
    set([...rest.slice(0, to), file, ...rest.slice(to)]);
    // The buttons move with the file, and so does the focus.
    setTimeout(() => list.current?.children[to]?.querySelector<HTMLElement>(from < to ? '.media-later' : '.media-earlier')?.focus());
  };
  const canMove = isMany && !isReadOnly && files.length > 1;
  return (
    <ol ref={list} class={isMany ? 'media-picked' : 'media-picked is-one'} aria-label={label}>
      {files.map((file, index) => (
        <li
          key={file.id}
          draggable={canMove}
          onDragStart={(event) => event.dataTransfer?.setData(dragged, String(index))}
          onDragOver={(event) => {
            if (event.dataTransfer?.types.includes(dragged)) event.preventDefault();
          }}
          onDrop={(event) => {
            const from = event.dataTransfer?.getData(dragged);
            if (!from || !canMove) return;
            event.preventDefault();
            moveTo(Number(from), index);
          }}
          onKeyDown={(event) => {
            const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
            if (!event.altKey || by === undefined || !canMove) return;
            event.preventDefault();
            moveTo(index, index + by);
          }}
        >
          <PickedFile file={file} changed={changed} isReadOnly={isReadOnly} />
          {!isReadOnly && (
            <span class="media-picked-buttons">
              {canMove && (
                <>
                  <button
                    type="button"
                    class="quiet media-earlier"
                    aria-label={say('media.earlier', { name: nameOf(file) })}
                    disabled={index === 0}
                    onClick={() => moveTo(index, index - 1)}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    class="quiet media-later"
                    aria-label={say('media.later', { name: nameOf(file) })}
                    disabled={index === files.length - 1}
                    onClick={() => moveTo(index, index + 1)}
                  >
                    ↓
                  </button>
                </>
              )}
              <button
                type="button"
                class="quiet"
                aria-label={say('media.remove', { name: nameOf(file) })}
                onClick={() => set(files.filter(({ id }) => id !== file.id))}
              >
                ✕
              </button>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function PickedFile({ file, changed, isReadOnly }: Pick<PickedProps, 'changed' | 'isReadOnly'> & { readonly file: MediaFile }) {
  const save = async (typed: string) => {
    if (await saveText(file, typed, changed)) notify({ text: say('media.textSaved') });
  };
  return (
    <>
      <Thumbnail file={file} />
      <span class="media-name" dir="auto" title={nameOf(file)}>
        {nameOf(file)}
      </span>
      {isImage(file) &&
        (isReadOnly || !mayUpload() ? (
          <span class="media-picked-text soft">{file.alternativeText}</span>
        ) : (
          <label class="media-picked-text">
            <span class="soft" aria-hidden="true">
              {say('media.text')}
            </span>
            <input
              dir="auto"
              aria-label={say('media.textOf', { name: nameOf(file) })}
              class={lacksText(file) ? 'media-asks' : ''}
              placeholder={say('media.textAsk')}
              title={say('media.textShared')}
              value={file.alternativeText ?? ''}
              onChange={(event) => void save(event.currentTarget.value)}
            />
          </label>
        ))}
    </>
  );
}
