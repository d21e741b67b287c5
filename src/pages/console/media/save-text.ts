/** The alternative text that people type beside an image. */
import { notifyFailure } from '../shell/notices.tsx';
import { changeFile } from './api.ts';
import type { MediaFile } from './media-file.ts';

/** Resolves with whether it is stored. The file has its text at once: it may be put into a document
 *  before the server responds. */
export async function saveText(file: MediaFile, typed: string, changed: (file: MediaFile) => void): Promise<boolean> {
  const alternativeText = typed.trim();
  if (alternativeText === (file.alternativeText ?? '')) return false;
  changed({ ...file, alternativeText });
  const { json, failure } = await changeFile(file.id, { alternativeText });
  changed(failure === undefined ? (json ?? { ...file, alternativeText }) : file);
  if (failure !== undefined) notifyFailure(failure);
  return failure === undefined;
}
