/** Changes the media library: uploads, replaces the bytes or the information of a file, deletes. */

import { ApiError } from '../../../errors/api-error.ts';
import { eventCaller } from '../../../events/document-event.ts';
import { type FileInfo, readFileInfo } from '../../../media/library/file-info.ts';
import type { Checks } from '../../../media/library/media-library.ts';
import { inTemporaryFolder } from '../../../media/library/temporary-folder.ts';
import { isObject } from '../../../text/json.ts';
import { receiveUpload } from '../../bodies/receive-upload.ts';
import { isMultipart } from '../../bodies/unread-body.ts';
import { type Endpoint, type EndpointCall, type EndpointResponse, parameter } from '../../send-response.ts';
import { isRowIdText, orNoBody, rowIdOf } from '../rows.ts';
import { addUpload, readUpload, refuseFolder, type UploadParts } from './add-upload.ts';

export function uploadEndpoints(parts: UploadParts) {
  const { config, fileType, library, reachRow, checks } = parts;
  const one = async (id: number, call: EndpointCall): Promise<EndpointResponse> => orNoBody(await readUpload(id, call, parts));

  const fileIdOf = async (text: string): Promise<number | undefined> => (isRowIdText(text) ? rowIdOf(text) : library.idOf(text));

  const checksOf = (id: number, { actor, restriction }: EndpointCall): Checks => ({
    caller: eventCaller(actor),
    ...checks.reachable([id], restriction),
  });

  const infoOf = (sent: readonly unknown[], { actor }: EndpointCall): FileInfo => refuseFolder(readFileInfo(sent), actor);

  const updateInfo = (id: number, sent: readonly unknown[], call: EndpointCall) =>
    library.updateInfo(id, infoOf(sent, call), checksOf(id, call));

  const upload: Endpoint = async (call) => {
    const { request, query } = call;
    const id = fileIdIn(query);
    const row = id === undefined ? undefined : await fileIdOf(id);
    if (id !== undefined && row === undefined) throw ApiError.of('upload.unknown-file');
    if (!isMultipart(request)) {
      if (row === undefined) throw ApiError.of('upload.no-files', {});
      await updateInfo(row, infoIn(request.body), call);
      return one(row, call);
    }
    return inTemporaryFolder(config.upload.workDir, async (folder) => {
      const { files, fields, dropped } = await receiveUpload(request, config, folder);
      const [first, ...others] = files;
      // As recorded: a single file without a byte counts as no file.
      const isEmpty = first === undefined || (first.size === 0 && others.length === 0);
      if (row === undefined) {
        if (isEmpty) throw ApiError.of('upload.no-files', { parts: [...dropped] });
        return addUpload({ files, fields }, folder, call, parts);
      }
      if (others.length > 0) throw ApiError.of('upload.one-file');
      const sent = fields.get('fileInfo') ?? [];
      if (isEmpty) await updateInfo(row, sent, call);
      else await library.replace(row, { file: first, info: infoOf(sent, call) }, folder, checksOf(row, call));
      return one(row, call);
    });
  };

  const deleteFile: Endpoint = async (call) => {
    const { request, actor, restriction } = call;
    const id = await fileIdOf(parameter(request, 'id'));
    if (id === undefined) throw ApiError.of('file.not-found');
    // Afterwards there would be nothing to read.
    const outcome = await one(id, call);
    if (outcome.status >= 400) return outcome;
    const isRemoved = await library.remove([id], {
      caller: eventCaller(actor),
      async before(connection) {
        if ((await reachRow(connection, fileType, id, { own: restriction })) === undefined) throw ApiError.of('file.not-found');
      },
    });
    if (!isRemoved) throw ApiError.of('file.not-found');
    return outcome;
  };

  return { upload, deleteFile };
}

/** An absent body is empty information; a body of another kind is a wrong `fileInfo`. */
const infoIn = (body: unknown): unknown[] => {
  const said = isObject(body) ? body.fileInfo : (body ?? undefined);
  return said === undefined || said === '' ? [] : [said];
};

/** `id` of the query; undefined when it is absent or empty, which is an upload of new files. */
function fileIdIn(query: string): string | undefined {
  const parameters = new URLSearchParams(query);
  const ids = parameters.getAll('id');
  if (ids.length > 1 || [...parameters.keys()].some((name) => name.startsWith('id['))) throw ApiError.of('upload.file-id');
  return ids[0] === '' ? undefined : ids[0];
}
