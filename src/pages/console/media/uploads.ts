/** Uploads of a browser: three at once, each a request of its own with its progress. */
import { computed, type Signal, signal } from '@preact/signals';
import { type Failure, failureOf } from '../server/request.ts';
import { refresh } from '../server/session.ts';
import { settings } from '../server/settings.ts';
import { signInAgain } from '../server/sign-in-again.ts';
import { token } from '../server/token.ts';
import { formOf, uploadPath } from './api.ts';
import { rememberFolder } from './folders.ts';
import type { MediaFile } from './media-file.ts';

export interface Upload {
  readonly key: number;
  readonly file: File;
  /** Null is the top. */
  readonly folder: number | null;
  readonly state: Signal<'waiting' | 'sending' | 'done' | 'failed'>;
  /** From 0 to 1; at 1 the server still works on it. */
  readonly progress: Signal<number>;
  readonly failure: Signal<Failure | undefined>;
  readonly result: Signal<MediaFile | undefined>;
}

const atOnce = 3;
let nextKey = 1;

export class Uploads {
  readonly all: Signal<readonly Upload[]> = signal([]);
  readonly active = computed(() => this.all.value.filter(({ state }) => state.value === 'waiting' || state.value === 'sending').length);
  readonly #requests = new Map<number, XMLHttpRequest>();
  readonly #done: (file: MediaFile) => void;

  constructor(done: (file: MediaFile) => void) {
    this.#done = done;
  }

  add(files: Iterable<File>, folder: number | null): void {
    rememberFolder(folder);
    const added = [...files].map(
      (file): Upload => ({
        ...{ key: nextKey++, file, folder, state: signal('waiting'), progress: signal(0) },
        ...{ failure: signal(undefined), result: signal(undefined) },
      }),
    );
    for (const upload of added) if (isTooLarge(upload.file)) fail(upload, { message: '', code: 'upload.too-large', problems: [] });
    this.all.value = [...this.all.value, ...added];
    this.#next();
  }

  retry(upload: Upload): void {
    if (isTooLarge(upload.file)) return;
    upload.failure.value = undefined;
    upload.progress.value = 0;
    upload.state.value = 'waiting';
    this.#next();
  }

  /** Cancels it where it is under way. */
  remove({ key }: Upload): void {
    this.all.value = this.all.value.filter((each) => each.key !== key);
    this.#requests.get(key)?.abort();
    this.#requests.delete(key);
    this.#next();
  }

  removeDone(): void {
    this.all.value = this.all.value.filter(({ state }) => state.value !== 'done');
  }

  #next(): void {
    const waiting = this.all.value.filter(({ state }) => state.value === 'waiting');
    for (const upload of waiting.slice(0, Math.max(0, atOnce - this.#requests.size))) void this.#send(upload);
  }

  async #send(upload: Upload): Promise<void> {
    upload.state.value = 'sending';
    let response = await this.#attempt(upload);
    // The session has ended meanwhile: it is renewed, or the user signs in.
    if (response?.status === 401) {
      if (!(await refresh())) await signInAgain();
      if (this.all.value.includes(upload)) response = await this.#attempt(upload);
    }
    this.#requests.delete(upload.key);
    if (response !== undefined) this.#finish(upload, response);
    this.#next();
  }

  #finish(upload: Upload, { status, text }: Response): void {
    const body = parsed(text);
    const [file] = Array.isArray(body) ? (body as readonly MediaFile[]) : [];
    if (status === 201 && file !== undefined) {
      upload.result.value = file;
      upload.state.value = 'done';
      this.#done(file);
      return;
    }
    fail(upload, status === 0 ? { message: '', code: 'console.offline', problems: [] } : failureOf(status, body as object | undefined));
  }

  /** Undefined if it was cancelled. */
  #attempt(upload: Upload): Promise<Response | undefined> {
    const request = new XMLHttpRequest();
    this.#requests.set(upload.key, request);
    return new Promise((resolve) => {
      request.upload.onprogress = ({ loaded, total }) => {
        upload.progress.value = total === 0 ? 0 : loaded / total;
      };
      request.onload = () => resolve({ status: request.status, text: request.responseText });
      request.onerror = () => resolve({ status: 0, text: '' });
      request.onabort = () => resolve(undefined);
      request.open('POST', uploadPath());
      if (token.value !== '') request.setRequestHeader('Authorization', `Bearer ${token.value}`);
      request.send(formOf(upload.file, upload.file.name, { folder: upload.folder }));
    });
  }
}

function fail(upload: Upload, failure: Failure): void {
  upload.failure.value = failure;
  upload.state.value = 'failed';
}

/** Not even begun: the server makes images smaller, but receives no more than that. */
function isTooLarge({ size, type }: File): boolean {
  const { sizeLimit, requestLimit } = settings.value.upload;
  const limit = type.startsWith('image/') ? requestLimit : sizeLimit;
  return limit > 0 && size > limit;
}

interface Response {
  /** 0 if the server did not respond. */
  readonly status: number;
  readonly text: string;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The files of a drop or of the clipboard; a dropped folder is left out. */
export const filesOf = (data: DataTransfer | null): readonly File[] =>
  [...(data?.items ?? [])].flatMap((item) => {
    const file = item.kind === 'file' && item.webkitGetAsEntry()?.isDirectory !== true ? item.getAsFile() : null;
    return file === null ? [] : [file];
  });

export const bringsFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false;
