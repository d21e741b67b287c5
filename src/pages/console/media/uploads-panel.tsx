/** What is being uploaded, with its progress, and afterwards what a picture shows. */
import { useSignal } from '@preact/signals';
import type { Failure } from '../server/request.ts';
import { say } from '../words/say.ts';
import { lacksText, type MediaFile } from './media-file.ts';
import { saveText } from './save-text.ts';
import { Thumbnail } from './thumbnail.tsx';
import type { Upload, Uploads } from './uploads.ts';

interface Props {
  readonly uploads: Uploads;
  /** After a text was given to a file. */
  readonly changed: (file: MediaFile) => void;
}

export function UploadsPanel({ uploads, changed }: Props) {
  const all = uploads.all.value;
  const done = all.filter(({ state }) => state.value === 'done').length;
  const failed = all.filter(({ state }) => state.value === 'failed').length;
  const summary = failed > 0 ? say('media.uploadsFailed', { count: failed }) : say('media.uploadsDone', { done, count: all.length });
  return (
    <section class="media-uploads" aria-label={say('media.uploads')} hidden={all.length === 0}>
      <header>
        <h2>{say('media.uploads')}</h2>
        <span class="soft" role="status">
          {all.length === 0 ? '' : summary}
        </span>
        {done > 0 && (
          <button type="button" class="link" onClick={() => uploads.removeDone()}>
            {say('media.uploadsClear')}
          </button>
        )}
      </header>
      <ul>
        {all.map((upload) => (
          <UploadLine key={upload.key} upload={upload} uploads={uploads} changed={changed} />
        ))}
      </ul>
    </section>
  );
}

function UploadLine({ upload, uploads, changed }: Props & { readonly upload: Upload }) {
  const { file, state, progress, failure, result } = upload;
  const isOver = state.value === 'done' || state.value === 'failed';
  return (
    <li class={`media-upload ${state.value}`}>
      {result.value === undefined ? <span class="media-thumb media-letters" aria-hidden="true" /> : <Thumbnail file={result.value} />}
      <div class="media-upload-text">
        <span class="media-name">{file.name}</span>
        {state.value === 'sending' && <Progress value={progress.value} name={file.name} />}
        {state.value === 'waiting' && <span class="soft">{say('media.uploadWaits')}</span>}
        {state.value === 'failed' && (
          <>
            <span class="problem">{reasonOf(failure.value)}</span>
            <button
              type="button"
              class="link"
              aria-label={say('media.uploadRetry', { name: file.name })}
              onClick={() => uploads.retry(upload)}
            >
              {say('shell.retry')}
            </button>
          </>
        )}
        {result.value !== undefined && <AskText upload={upload} file={result.value} changed={changed} />}
      </div>
      <button
        type="button"
        class="quiet"
        aria-label={say(isOver ? 'media.uploadDismiss' : 'media.uploadCancel', { name: file.name })}
        onClick={() => uploads.remove(upload)}
      >
        ✕
      </button>
    </li>
  );
}

function Progress({ value, name }: { readonly value: number; readonly name: string }) {
  if (value >= 1) return <span class="soft">{say('media.uploadWorks')}</span>;
  return <progress max={1} value={value} aria-label={name} />;
}

/** What people can do about it, for the usual reasons; the server's words for the others. */
function reasonOf(failure: Failure | undefined): string {
  switch (failure?.code) {
    case 'console.offline':
      return say('media.uploadOffline');
    case 'upload.content':
    case 'image.broken':
      return say('media.refused.broken');
    case 'upload.type':
    case 'upload.detected-type':
      return say('media.refused.kind');
    case 'upload.file-name':
      return say('media.refused.name');
    case 'upload.too-large':
    case 'upload.request-too-large':
    case 'image.too-large':
      return say('media.refused.large');
    default:
      return failure?.message ?? '';
  }
}

/** Only for pictures that have no text yet. */
function AskText({ upload, file, changed }: { readonly upload: Upload; readonly file: MediaFile; readonly changed: Props['changed'] }) {
  const wasAsked = useSignal(lacksText(file)).value;
  if (!wasAsked) return <span class="soft">{say('media.uploadDone')}</span>;
  const take = (next: MediaFile) => {
    upload.result.value = next;
    changed(next);
  };
  return (
    <label>
      <span class="unseen">{say('media.textOf', { name: file.name ?? '' })}</span>
      <input placeholder={say('media.textAsk')} onChange={(event) => void saveText(file, event.currentTarget.value, take)} />
    </label>
  );
}
