/** What the media library asks of the API. */
import { mayUse, me } from '../server/me.ts';
import { type Answer, request } from '../server/request.ts';
import type { FocalPoint, MediaFile } from './media-file.ts';

const right = (name: string) => mayUse(`plugin::upload.content-api.${name}`);
export const mayFind = () => right('find');
export const mayUpload = () => right('upload');
export const mayDelete = () => right('destroy');

export const uploadPath = (path = ''): string => `${me.value?.prefix ?? '/api'}/upload${path}`;

export interface Folder {
  readonly id: number;
  readonly name: string;
  /** Null at the top. */
  readonly parent: number | null;
  readonly children: number;
  /** Left out where the caller may not find all files. */
  readonly files?: number;
}

export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string;
  readonly caption?: string;
  readonly focalPoint?: FocalPoint;
  /** Null is the top of the library. */
  readonly folder?: number | null;
}

export const changeFile = (id: number, fileInfo: FileInfo): Promise<Answer<MediaFile>> =>
  request<MediaFile>('POST', uploadPath(), { query: `id=${id}`, body: { fileInfo } });

/** The same URL, with other bytes. */
export function replaceFile(id: number, bytes: Blob, name: string, info?: FileInfo): Promise<Answer<MediaFile>> {
  return request<MediaFile>('POST', uploadPath(), { query: `id=${id}`, body: formOf(bytes, name, info) });
}

export const addFile = (bytes: Blob, name: string, info?: FileInfo): Promise<Answer<readonly MediaFile[]>> =>
  request('POST', uploadPath(), { body: formOf(bytes, name, info) });

export function formOf(bytes: Blob, name: string, info: FileInfo = {}): FormData {
  const form = new FormData();
  form.append('files', bytes, name);
  form.append('fileInfo', JSON.stringify(info));
  return form;
}

export const deleteFiles = (files: readonly number[]): Promise<Answer> =>
  request('POST', uploadPath('/actions/delete'), { body: { files } });

export const move = (
  what: { readonly files?: readonly number[]; readonly folders?: readonly number[] },
  to: number | null,
): Promise<Answer> => request('POST', uploadPath('/actions/move'), { body: { ...what, to } });

/** Documents that have a file, by type and attribute, as far as the user may see them. */
export interface Reference {
  readonly uid: string;
  readonly attribute: string;
  readonly count: number;
}

/** Undefined if it cannot be known. */
export async function referencesOf(id: number): Promise<readonly Reference[] | undefined> {
  const { json } = await request<{ readonly data: readonly Reference[] }>('GET', uploadPath(`/files/${id}/references`));
  return json?.data;
}
