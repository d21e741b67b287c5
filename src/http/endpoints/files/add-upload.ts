/** Adds received files to the media library, by the rules of `POST /api/upload`. */
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { eventCaller } from '../../../events/document-event.ts';
import type { Actor } from '../../../identity/actor.ts';
import { type FileInfo, readFileInfos } from '../../../media/library/file-info.ts';
import type { MediaLibrary } from '../../../media/library/media-library.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { AnswerRead, Outcome, ReachRow } from '../../../pipeline/call.ts';
import { restrictionOfFirst } from '../../../rights/rights.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import type { ReceivedUpload } from '../../bodies/receive-upload.ts';
import type { EndpointCall, EndpointResponse } from '../../send-response.ts';
import { answerRow } from '../rows.ts';
import type { FileChecks } from './file-checks.ts';
import { usesFolders } from './folder-endpoints.ts';
import { readLink } from './upload-link.ts';

export interface UploadParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly fileType: ContentType;
  readonly library: MediaLibrary;
  readonly answer: AnswerRead;
  readonly reachRow: ReachRow;
  readonly checks: FileChecks;
}

/** `restriction`: that of the right to upload. */
type UploadCall = Pick<EndpointCall, 'actor' | 'restriction' | 'caller'>;

/** The files lie in `folder`. The response has what the caller may read of their records. */
export async function addUpload(
  { files, fields }: Pick<ReceivedUpload, 'files' | 'fields'>,
  folder: string,
  call: UploadCall,
  parts: UploadParts,
): Promise<EndpointResponse> {
  const { config, model, library, reachRow, checks } = parts;
  const { actor, restriction } = call;
  const infos = readFileInfos(fields.get('fileInfo') ?? [], files);
  for (const { info } of infos) refuseFolder(info, actor);
  const link = readLink(fields, files.length, actor.rights, { policies: config.policies, model, reachRow });
  const added = await library.add(infos, folder, {
    link,
    caller: eventCaller(actor),
    after: (connection, ids) => checks.within(connection, ids, restriction),
  });
  const entries: string[] = [];
  for (const id of added) {
    const outcome = await readUpload(id, call, parts);
    if (outcome.status === 200) entries.push(textOfBody(outcome.body));
    else if (outcome.status !== 404) return outcome;
  }
  return { status: 201, body: `[${entries.join(',')}]` };
}

/** The part of the file that the caller may read; all of it for a caller who may only upload. */
export function readUpload(id: number, call: UploadCall, { answer, fileType }: Pick<UploadParts, 'answer' | 'fileType'>): Promise<Outcome> {
  const restriction = restrictionOfFirst(['findOne', 'find'].map(action), call.actor.rights, call.restriction);
  return answerRow(answer, fileType, id, { ...call, query: '', restriction }, { withIsUrlSigned: true, isAfterWrite: true });
}

/** Folders are not for visitors, whatever the rights of the role `public` are. */
export function refuseFolder(info: FileInfo, actor: Actor): FileInfo {
  if (info.folder !== undefined && !usesFolders(actor)) throw ApiError.of('access.forbidden');
  return info;
}

const action = (name: string) => `plugin::upload.content-api.${name}`;
