import type { FileInfo, Files, UploadOptions } from './client.ts';
import { begin } from './outcome.ts';
import type { Outgoing, Transport } from './transport.ts';

export function createFiles({ call }: Transport): Files {
  const send = (request: Outgoing) => begin(async () => ({ data: (await call(request)).body }));

  /** Takes as long as it takes, unless the caller sets a limit. */
  function post(files: readonly Blob[], { fileInfo, ref, refId, field, locale, status, ...options }: UploadOptions, params?: object) {
    const body = new FormData();
    const infos: readonly FileInfo[] = fileInfo === undefined ? [] : [fileInfo].flat();
    for (const [index, file] of files.entries()) {
      // A Blob has no name, unlike a File.
      body.append('files', file, (file as { name?: string }).name ?? infos[index]?.name ?? 'file');
    }
    if (fileInfo !== undefined) body.append('fileInfo', JSON.stringify(files.length === 1 ? infos[0] : fileInfo));
    for (const [name, value] of Object.entries({ ref, refId, field, locale, status }))
      if (value !== undefined) body.append(name, String(value));
    return { method: 'POST', path: '/upload', params, body, timeout: 0, ...options };
  }

  return {
    upload: (files, options = {}) => send(post([files].flat(), options)),
    find: (params, options) => send({ method: 'GET', path: '/upload/files', params, ...options }),
    findOne: (id, options) => send({ method: 'GET', path: `/upload/files/${encodeURIComponent(id)}`, ...options }),
    // Setting the same information twice changes nothing.
    update: (id, fileInfo, options) =>
      send({ method: 'POST', path: '/upload', params: { id }, json: { fileInfo }, repeatable: true, ...options }),
    replace: (id, file, options = {}) => send(post([file], options, { id })),
    delete: (id, options) => send({ method: 'DELETE', path: `/upload/files/${encodeURIComponent(id)}`, ...options }),
  };
}
