/** Changes the media library: uploads, replaces the bytes or the information of a file, deletes. */

import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { eventCaller } from '../../../events/document-event.ts';
import type { Actor } from '../../../identity/actor.ts';
import { type FileInfo, readFileInfo, readFileInfos } from '../../../media/library/file-info.ts';
import type { Checks, MediaLibrary } from '../../../media/library/media-library.ts';
import { inTemporaryFolder } from '../../../media/library/temporary-folder.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { AnswerRead, Outcome, ReachRow } from '../../../pipeline/call.ts';
import { restrictionOfFirst } from '../../../rights/rights.ts';
import { isObject } from '../../../text/json.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import { type ReceivedUpload, receiveUpload } from '../../bodies/receive-upload.ts';
import { isMultipart } from '../../bodies/unread-body.ts';
import { type Endpoint, type EndpointCall, type EndpointResponse, parameter } from '../../send-response.ts';
import { answerRow, isRowIdText, orNoBody, rowIdOf } from '../rows.ts';
import type { FileChecks } from './file-checks.ts';
import { usesFolders } from './folder-endpoints.ts';
import { readLink } from './upload-link.ts';

export interface UploadEndpointsParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly fileType: ContentType;
  readonly library: MediaLibrary;
  readonly answer: AnswerRead;
  readonly reachRow: ReachRow;
  readonly checks: FileChecks;
}

export function uploadEndpoints({ config, model, fileType, library, answer, reachRow, checks }: UploadEndpointsParts) {
  /** The part of the file that the caller may read; all of it for a caller who may only upload. */
  const shown = (id: number, call: EndpointCall): Promise<Outcome> => {
    const restriction = restrictionOfFirst(['findOne', 'find'].map(action), call.actor.rights, call.restriction);
    return answerRow(answer, fileType, id, { ...call, query: '', restriction }, { withIsUrlSigned: true, isAfterWrite: true });
  };

  const one = async (id: number, call: EndpointCall): Promise<EndpointResponse> => orNoBody(await shown(id, call));

  const many = async (ids: readonly number[], call: EndpointCall): Promise<EndpointResponse> => {
    const entries: string[] = [];
    for (const id of ids) {
      const outcome = await shown(id, call);
      if (outcome.status === 200) entries.push(textOfBody(outcome.body));
      else if (outcome.status !== 404) return outcome;
    }
    return { status: 201, body: `[${entries.join(',')}]` };
  };

  const add = async ({ files, fields }: ReceivedUpload, folder: string, { actor, restriction }: EndpointCall): Promise<number[]> => {
    const infos = readFileInfos(fields.get('fileInfo') ?? [], files);
    for (const { info } of infos) refuseFolder(info, actor);
    const link = readLink(fields, files.length, actor.rights, { policies: config.policies, model, reachRow });
    return library.add(infos, folder, {
      link,
      caller: eventCaller(actor),
      after: (connection, ids) => checks.within(connection, ids, restriction),
    });
  };

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
        return many(await add({ files, fields, dropped }, folder, call), call);
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

/** Folders are not for visitors, whatever the rights of the role `public` are. */
function refuseFolder(info: FileInfo, actor: Actor): FileInfo {
  if (info.folder !== undefined && !usesFolders(actor)) throw ApiError.of('access.forbidden');
  return info;
}

const action = (name: string) => `plugin::upload.content-api.${name}`;

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
