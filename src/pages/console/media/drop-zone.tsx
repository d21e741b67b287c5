/** A place for files that are dropped or pasted. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { say } from '../words/say.ts';
import { mayUpload } from './api.ts';
import { folderOf } from './folders.ts';
import { bringsFiles, filesOf, type Uploads } from './uploads.ts';

interface Props {
  readonly uploads: Uploads;
  readonly folder: number | null;
  readonly children: ComponentChildren;
}

export function DropZone({ uploads, folder, children }: Props) {
  const isOver = useSignal(false);
  const element = useRef<HTMLDivElement>(null);
  const add = (files: readonly File[]) => uploads.add(files, folder);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const target = event.target instanceof Element ? event.target : document.body;
      const files = filesOf(event.clipboardData);
      if (files.length === 0 || target.matches('input, textarea')) return;
      // Below a dialog, what is pasted is for the dialog.
      const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
      if (!mayUpload() || (dialog !== undefined && !dialog.contains(element.current))) return;
      event.preventDefault();
      add(files);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [folder]);
  if (!mayUpload()) return <div>{children}</div>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button “Upload” does the same.
    <div
      ref={element}
      class={isOver.value ? 'media-drop is-over' : 'media-drop'}
      onDragOver={(event) => {
        if (!bringsFiles(event.dataTransfer)) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) isOver.value = false;
      }}
      onDrop={(event) => {
        isOver.value = false;
        if (!bringsFiles(event.dataTransfer)) return;
        event.preventDefault();
        add(filesOf(event.dataTransfer));
      }}
    >
      {children}
      {isOver.value && (
        <p class="media-drop-here" aria-hidden="true">
          {say('media.dropHere', { folder: folderOf(folder)?.name ?? say('media.top') })}
        </p>
      )}
    </div>
  );
}
