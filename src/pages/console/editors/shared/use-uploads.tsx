import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { MediaFile } from '../../media/media-file.ts';
import { say } from '../../words/say.ts';

interface Uploads {
  /** Uploads the files one after the other. Whether it does: there may be no upload. */
  readonly take: (files: readonly File[]) => boolean;
  /** What is being uploaded, and what failed. */
  readonly status: JSX.Element;
}

/** Uploads of files that are pasted or dropped into an editor. */
export function useUploads(
  upload: ((file: File) => Promise<MediaFile | undefined>) | undefined,
  insert: (file: MediaFile) => void,
): Uploads {
  const [text, setText] = useState('');
  const run = async (files: readonly File[]) => {
    const failed: string[] = [];
    for (const file of files) {
      setText(say('editors.uploading', { name: file.name }));
      const made = await upload?.(file).catch(() => undefined);
      if (made === undefined) failed.push(file.name);
      else insert(made);
    }
    setText(failed.map((name) => say('editors.uploadFailed', { name })).join(' '));
  };
  return {
    take: (files) => {
      if (upload === undefined) return false;
      void run(files);
      return true;
    },
    status: (
      <p class="editor-status" role="status">
        {text}
      </p>
    ),
  };
}
